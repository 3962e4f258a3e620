import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const file = fileURLToPath(new URL('../../../../../evidence/verify.html', import.meta.url));

/** The page that verifies bundles, a single file that also works from a disk. */
export const verifyPage = (): Promise<string> => readFile(file, 'utf8');

/** Serves the page under its own content security policy: neither our scripts nor any network. */
export async function verifyPageRoute(app: FastifyInstance): Promise<void> {
  const page = await verifyPage();
  const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(page)?.[1] ?? "default-src 'none'";
  const etag = `"${createHash('sha256').update(page).digest('base64url').slice(0, 22)}"`;
  const send = (request: FastifyRequest, reply: FastifyReply) => {
    reply.header('etag', etag).header('cache-control', 'no-cache');
    if (request.headers['if-none-match'] === etag) return reply.status(304).send();
    return reply
      .header('content-security-policy', `${policy}; frame-ancestors 'none'`)
      .type('text/html; charset=utf-8')
      .send(page);
  };
  for (const path of ['/verify', '/verify.html']) app.get(path, send);
}
