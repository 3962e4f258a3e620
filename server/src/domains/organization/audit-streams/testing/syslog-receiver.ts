import type { AddressInfo } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';
import type { Certificate } from '#testing/certificate.ts';

export interface SyslogReceiver {
  port: number;
  /** Messages in the order they came, without their frames. */
  messages: string[];
  /** Breaks the connection off after so many more messages, once; what was sent behind them stays unread. */
  breakAfter: (messages: number) => void;
  /** Runs something once so many messages have come. */
  onMessage: (count: number, run: () => void) => void;
  close: () => Promise<void>;
}

/** A receiver of syslog over TLS (RFC 5425) that reads frames by their octets. */
export async function startSyslogReceiver({ cert, key }: Certificate): Promise<SyslogReceiver> {
  const messages: string[] = [];
  const sockets = new Set<TLSSocket>();
  let left = Number.POSITIVE_INFINITY;
  let waiting: { count: number; run: () => void } | undefined;
  const server = createServer({ cert, key }, (socket) => {
    sockets.add(socket);
    let buffer = Buffer.alloc(0);
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      buffer = Buffer.concat([buffer, chunk]);
      for (let frame = firstFrame(buffer); frame; frame = firstFrame(buffer)) {
        buffer = buffer.subarray(frame.end);
        if (!receive(frame.message)) return void socket.destroy();
      }
    });
  });
  /** Returns whether to read on. */
  function receive(message: string): boolean {
    messages.push(message);
    if (waiting && messages.length >= waiting.count) {
      waiting.run();
      waiting = undefined;
    }
    left -= 1;
    if (left > 0) return true;
    left = Number.POSITIVE_INFINITY;
    return false;
  }
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    messages,
    breakAfter: (count) => {
      left = count;
    },
    onMessage: (count, run) => {
      waiting = { count, run };
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

/** Reads the first frame of a buffer; undefined if it is incomplete. */
function firstFrame(buffer: Buffer): { message: string; end: number } | undefined {
  const space = buffer.indexOf(' ');
  const length = Number(buffer.subarray(0, Math.max(space, 0)).toString());
  const end = space + 1 + length;
  if (space < 1 || buffer.length < end) return undefined;
  if (!(length > 0)) throw new Error('A frame has no length');
  return { message: buffer.subarray(space + 1, end).toString(), end };
}
