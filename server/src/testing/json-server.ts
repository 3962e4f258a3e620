import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface JsonRequest {
  method: string;
  /** With the query. */
  path: string;
  /** The parsed body; undefined without one. */
  body: unknown;
}

interface JsonServer {
  url: string;
  requests: JsonRequest[];
}

/** Starts an HTTP server for one test. It sends what `answer` returns as JSON, and 404 for undefined. */
export async function startJsonServer(
  answer: (request: JsonRequest) => unknown,
  status: (request: JsonRequest) => number = () => 200,
): Promise<JsonServer> {
  const requests: JsonRequest[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const received = {
      method: request.method ?? '',
      path: request.url ?? '',
      body: text === '' ? undefined : JSON.parse(text),
    };
    requests.push(received);
    const sent = answer(received);
    response.writeHead(sent === undefined ? 404 : status(received), { 'content-type': 'application/json' });
    response.end(JSON.stringify(sent ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}
