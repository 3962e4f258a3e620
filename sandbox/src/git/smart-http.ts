import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { startGit } from './command.ts';

export type GitHttpRequest = {
  method: string;
  /** The path below the repository: `/info/refs` or that of a service. */
  path: string;
  query: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Buffer;
};

export type GitHttpResponse = { status: number; headers: [string, string][]; body: Buffer };

/** Answers git over HTTP from a repository, with git's own `http-backend`. `extra`: more variables for it. */
export const answerGitHttp = (
  folder: string,
  { method, path, query, headers, body }: GitHttpRequest,
  extra: Record<string, string> = {},
): Promise<GitHttpResponse> =>
  new Promise((resolve, reject) => {
    const backend = startGit(folder, ['http-backend'], {
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: path,
      QUERY_STRING: query,
      REQUEST_METHOD: method,
      CONTENT_TYPE: String(headers['content-type'] ?? ''),
      HTTP_CONTENT_ENCODING: String(headers['content-encoding'] ?? ''),
      GIT_PROTOCOL: String(headers['git-protocol'] ?? ''),
      ...extra,
    });
    const chunks: Buffer[] = [];
    backend.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    backend.stdin.on('error', () => undefined); // git may exit before it has read everything
    backend.once('error', reject);
    backend.once('close', () => resolve(responseFrom(Buffer.concat(chunks))));
    backend.stdin.end(body);
  });

/** Parses the output of a CGI program. */
const responseFrom = (output: Buffer): GitHttpResponse => {
  const end = output.indexOf('\r\n\r\n');
  const lines = output.subarray(0, end).toString().split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const [name = '', value = ''] = line.split(': ');
    return [name, value];
  });
  const status = headers.find(([name]) => name === 'Status')?.[1];
  return {
    status: status === undefined ? 200 : Number(status.slice(0, 3)),
    headers: headers.filter(([name]) => name !== 'Status' && name !== ''),
    body: output.subarray(end + 4),
  };
};

/** The name and password of basic authentication; undefined without it. */
export const basicCredentialsOf = (header: string | undefined): { name: string; password: string } | undefined => {
  const given = /^basic\s+(\S+)$/i.exec(header ?? '')?.[1];
  if (given === undefined) return undefined;
  const pair = Buffer.from(given, 'base64').toString();
  const colon = pair.indexOf(':');
  return { name: pair.slice(0, colon), password: pair.slice(colon + 1) };
};

/**
 * Serves reads with git below `prefix`, the route of a repository. `folderOf` returns the folder of the repository, or
 * the status of a refusal.
 */
export const serveGitReads = async (
  server: FastifyInstance,
  prefix: string,
  folderOf: (request: FastifyRequest) => string | 401 | 403 | 404,
): Promise<void> => {
  const answer = async (request: FastifyRequest, reply: FastifyReply, path: string) => {
    const folder = folderOf(request);
    if (folder === 401) return reply.code(401).header('www-authenticate', 'Basic realm="git"').send();
    if (typeof folder === 'number') return reply.code(folder).send();
    const { method, headers } = request;
    const [, query = ''] = request.url.split('?');
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const response = await answerGitHttp(folder, { method, path, query, headers, body });
    return reply.code(response.status).headers(Object.fromEntries(response.headers)).send(response.body);
  };
  await server.register(async (git) => {
    git.removeAllContentTypeParsers();
    git.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body));
    git.get(`${prefix}/info/refs`, (request, reply) => answer(request, reply, '/info/refs'));
    git.post(`${prefix}/git-upload-pack`, (request, reply) => answer(request, reply, '/git-upload-pack'));
  });
};
