import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { answerGitHttp } from '@sightline/sandbox/git/smart-http.ts';

const run = promisify(execFile);

/** A repository over HTTP that accepts pushes with the token, with git's own `http-backend`. */
export interface GitServer {
  url: string;
  token: string;
  /** Runs git in the bare repository. */
  git: (...args: string[]) => Promise<string>;
  /** Redirects all requests to another repository. */
  redirect: (to: string | undefined) => void;
  /** Returns the number of requests. */
  requests: () => number;
  /** Answers no fetch from now on. Resolves when the client closes the connection of the first. */
  ignoreFetches: () => Promise<void>;
  close: () => Promise<void>;
}

export async function startGitServer(): Promise<GitServer> {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-remote-'));
  const repository = join(folder, 'evidence.git');
  await run('git', ['init', '--quiet', '--bare', '--initial-branch=main', repository]);
  await run('git', ['-C', repository, 'config', 'http.receivepack', 'true']);
  const token = 'a-token-of-the-repository';
  let elsewhere: string | undefined;
  let requests = 0;
  let onIgnored: (() => void) | undefined;
  const server = createServer((request, response) => {
    requests += 1;
    if (elsewhere !== undefined) {
      const location = `${elsewhere}${(request.url ?? '').slice('/evidence.git'.length)}`;
      return void response.writeHead(302, { location }).end();
    }
    const [scheme, credentials = ''] = (request.headers.authorization ?? '').split(' ');
    if (scheme !== 'Basic' || !Buffer.from(credentials, 'base64').toString().endsWith(`:${token}`)) {
      return void response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
    }
    if (!(request.url ?? '').startsWith('/evidence.git/')) return void response.writeHead(404).end();
    void buffer(request).then((body) => {
      if (onIgnored && body.includes('command=fetch')) return void response.once('close', onIgnored);
      return answer(repository, { request, body }, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/evidence.git`,
    token,
    git: async (...args) => (await run('git', ['-C', repository, ...args])).stdout,
    redirect: (to) => {
      elsewhere = to;
    },
    requests: () => requests,
    ignoreFetches: () =>
      new Promise((resolve) => {
        onIgnored = resolve;
      }),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true });
    },
  };
}

async function answer(
  repository: string,
  { request, body }: { request: IncomingMessage; body: Buffer },
  response: ServerResponse,
): Promise<void> {
  const { pathname, search } = new URL(request.url ?? '/', 'http://localhost');
  const { method = 'GET', headers } = request;
  const path = decodeURIComponent(pathname).slice('/evidence.git'.length);
  const asked = { method, path, query: search.slice(1), headers, body };
  // http-backend accepts pushes only of a user.
  const answered = await answerGitHttp(repository, asked, { REMOTE_USER: 'ada' });
  for (const [name, value] of answered.headers) response.setHeader(name, value);
  response.writeHead(answered.status).end(answered.body);
}
