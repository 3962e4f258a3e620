import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

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
    answer(folder, request, response);
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
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true });
    },
  };
}

function answer(folder: string, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, search } = new URL(request.url ?? '/', 'http://localhost');
  const backend = spawn('git', ['http-backend'], {
    env: {
      ...process.env,
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: '1',
      REMOTE_USER: 'somebody',
      PATH_INFO: decodeURIComponent(pathname),
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: request.method ?? 'GET',
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      ...(request.headers['content-encoding'] && { HTTP_CONTENT_ENCODING: request.headers['content-encoding'] }),
      ...(request.headers['git-protocol'] && { GIT_PROTOCOL: String(request.headers['git-protocol']) }),
    },
  });
  request.pipe(backend.stdin);
  const chunks: Buffer[] = [];
  backend.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  backend.once('close', () => {
    const output = Buffer.concat(chunks);
    const end = output.indexOf('\r\n\r\n');
    const headers = output
      .subarray(0, end)
      .toString()
      .split('\r\n')
      .map((line) => line.split(': '));
    const status = headers.find(([name]) => name === 'Status')?.[1];
    for (const [name = '', value = ''] of headers)
      if (name !== 'Status' && name !== '') response.setHeader(name, value);
    response.writeHead(status ? Number(status.slice(0, 3)) : 200).end(output.subarray(end + 4));
  });
}
