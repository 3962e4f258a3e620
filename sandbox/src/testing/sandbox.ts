import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { App, Octokit } from 'octokit';
import type { SandboxOptions } from '../options.ts';
import { type Sandbox, startSandbox } from '../server.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});

export const credentials = {
  appId: 77,
  privateKeyPem: privateKey,
  publicKeyPem: publicKey,
  webhookSecret: 'a secret of hooks',
  clientId: 'Iv1.sandbox',
  clientSecret: 'a secret of the client',
};

/** A running sandbox, and the app as a client of it. */
export const startTestSandbox = async (repositories: string[], options: Partial<SandboxOptions> = {}) => {
  const sandbox = await startSandbox({ port: 0, repositories, ...credentials, ...options });
  return { sandbox, app: appFor(sandbox) };
};

export const appFor = ({ url }: Sandbox, privateKeyPem = privateKey): App =>
  new App({
    appId: credentials.appId,
    privateKey: privateKeyPem,
    webhooks: { secret: credentials.webhookSecret },
    oauth: { clientId: credentials.clientId, clientSecret: credentials.clientSecret },
    Octokit: clientFor(url),
  });

/** Octokit as configured in the product, but without waiting, since tests must see faults, not retries. */
export const clientFor = (url: string) =>
  Octokit.defaults({ baseUrl: `${url}/api/v3`, throttle: { enabled: false }, retry: { enabled: false } });

export type Received = {
  event: string;
  headers: Record<string, string>;
  body: string;
  payload: Record<string, unknown>;
};

/** A server that receives webhooks and responds with `status`; `until` waits for the first matching one. */
export const startReceiver = async (status = 204) => {
  const received: Received[] = [];
  const waiting = new Set<() => void>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      received.push({ event: headers['x-github-event'] ?? '', headers, body, payload: JSON.parse(body) });
      response.writeHead(status).end();
      for (const check of waiting) check();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const until = (fits: (received: Received) => boolean): Promise<Received> =>
    new Promise((resolve) => {
      const check = (): void => {
        const found = received.find(fits);
        if (found === undefined) return;
        waiting.delete(check);
        resolve(found);
      };
      waiting.add(check);
      check();
    });
  const close = (): Promise<void> => new Promise((resolve) => server.close(() => resolve()));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`, received, until, close };
};
