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
  /** What came, in order. */
  received: Received[];
  /** What came to one path. */
  at: (path: string) => Received[];
  /** How it answers; 204 until told otherwise. */
  answer: (how: AnswerRequest) => void;
  close: () => Promise<void>;
}

/** A machine of a customer that takes webhooks. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  let how: AnswerRequest = (_, response) => void response.writeHead(204).end();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const got = { path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString() };
    received.push(got);
    how(got, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    at: (path) => received.filter((one) => one.path === path),
    answer: (next) => {
      how = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
