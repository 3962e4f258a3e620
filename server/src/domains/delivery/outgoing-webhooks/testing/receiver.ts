import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

type AnswerRequest = (request: Received, response: ServerResponse) => void;

export interface Receiver {
  url: string;
  /** All requests in order. */
  received: Received[];
  /** The requests to a path. */
  at: (path: string) => Received[];
  /** Sets the response to later requests, by default 204. */
  answer: (respond: AnswerRequest) => void;
  close: () => Promise<void>;
}

/** Starts a receiver of webhooks. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  let respond: AnswerRequest = (_, response) => void response.writeHead(204).end();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const got = { path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString() };
    received.push(got);
    respond(got, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    at: (path) => received.filter((one) => one.path === path),
    answer: (next) => {
      respond = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
