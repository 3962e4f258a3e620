import { connect, type Socket } from 'node:net';
import type { LoadRequest } from './load.ts';

/** Sends requests one after the other, and returns the status of each response after its last byte. */
export interface LoadConnection {
  send: (request: LoadRequest) => Promise<number>;
  close: () => void;
}

interface PendingResponse {
  done: (status: number) => void;
  fail: (error: Error) => void;
  /** What was received, until the head is complete. */
  head: Buffer;
  status: number;
  /** Bytes left; undefined before the head is complete, and -1 for a chunked body. */
  left: number | undefined;
  /** The last bytes of a chunked body. */
  tail: string;
}

const nothing = Buffer.alloc(0);
const headEnd = Buffer.from('\r\n\r\n');
const lastChunk = '\r\n0\r\n\r\n';

/**
 * Opens a connection of a load generator: it shares the processors with the server, so that it does no more than HTTP/1.1
 * requires. A general client needs several times the CPU time for a small request.
 */
export function openConnection(url: string): LoadConnection {
  const { hostname, port, host } = new URL(url);
  let socket: Socket | undefined;
  let pending: PendingResponse | undefined;

  function open(): Socket {
    const opened = connect({ host: hostname, port: Number(port), noDelay: true });
    const end = (error: Error) => {
      if (socket !== opened) return;
      socket = undefined;
      pending?.fail(error);
      pending = undefined;
    };
    opened.on('data', receive);
    opened.on('error', end);
    opened.on('close', () => end(new Error('The server closed the connection')));
    return opened;
  }

  function receive(bytes: Buffer): void {
    if (!pending) throw new Error('The server sent a response without a request');
    if (!isComplete(pending, bytes)) return;
    const { done, status } = pending;
    pending = undefined;
    done(status);
  }

  return {
    send: (request) =>
      new Promise((done, fail) => {
        pending = { done, fail, head: nothing, status: 0, left: undefined, tail: '' };
        socket ??= open();
        const { body = '' } = request;
        const head = headOf(request, host);
        if (typeof body === 'string') socket.write(head + body);
        else {
          socket.cork();
          socket.write(head);
          socket.write(body);
          socket.uncork();
        }
      }),
    close: () => socket?.destroy(),
  };
}

function headOf({ method, path, headers, body }: LoadRequest, host: string): string {
  let head = `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\n`;
  for (const name in headers) head += `${name}: ${headers[name]}\r\n`;
  return body === undefined ? `${head}\r\n` : `${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n`;
}

/** Adds received bytes to a response. Returns whether it is complete. */
function isComplete(response: PendingResponse, bytes: Buffer): boolean {
  let body = bytes;
  if (response.left === undefined) {
    const head = response.head.length === 0 ? bytes : Buffer.concat([response.head, bytes]);
    const end = head.indexOf(headEnd);
    response.head = head;
    if (end === -1) return false;
    readHead(response, head.toString('latin1', 0, end));
    body = head.subarray(end + headEnd.length);
  }
  if (response.left === -1) {
    const last = body.toString('latin1', Math.max(0, body.length - lastChunk.length));
    response.tail = (response.tail + last).slice(-lastChunk.length);
    return response.tail === lastChunk || response.tail === lastChunk.slice(2);
  }
  response.left = (response.left ?? 0) - body.length;
  return response.left <= 0;
}

function readHead(response: PendingResponse, head: string): void {
  response.status = Number(head.slice(9, 12));
  if (!head.startsWith('HTTP/1.1 ') || response.status < 200) throw new Error(`Not a response: ${head.slice(0, 80)}`);
  const [, length] = /\r\ncontent-length: *(\d+)/i.exec(head) ?? [];
  if (response.status === 204 || response.status === 304) response.left = 0;
  else if (length !== undefined) response.left = Number(length);
  else if (/\r\ntransfer-encoding: *chunked/i.test(head)) response.left = -1;
  else throw new Error('A response without the length of its body');
}
