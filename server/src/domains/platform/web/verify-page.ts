import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const pathOf = (name: string): string =>
  fileURLToPath(new URL(`../../../../../evidence/${name}.html`, import.meta.url));

/** The page that verifies bundles, a single file that also works from a disk. */
export const verifyPage = (): Promise<string> => readFile(pathOf('verify'), 'utf8');

/** The page that compares bundles with a code host and a clone, also a single file. */
const reconcilePage = (): Promise<string> => readFile(pathOf('reconcile'), 'utf8');

/**
 * Serves the pages of auditors under their own content security policies: without our scripts, and without any network
 * or with that of the code host alone.
 */
export async function verifyPageRoute(app: FastifyInstance): Promise<void> {
  serve(app, ['/verify', '/verify.html'], await verifyPage());
  serve(app, ['/reconcile', '/reconcile.html'], await reconcilePage());
}

function serve(app: FastifyInstance, paths: readonly string[], page: string): void {
  const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(page)?.[1] ?? "default-src 'none'";
  const etag = `"${createHash('sha256').update(page).digest('base64url').slice(0, 22)}"`;
  const send = (request: FastifyRequest, reply: FastifyReply) => {
    reply
      .header('etag', etag)
      .header('cache-control', 'no-cache')
      // Also with 304: a browser replaces the headers of the page that it has.
      .header('content-security-policy', `${policy}; frame-ancestors 'none'`);
    if (request.headers['if-none-match'] === etag) return reply.status(304).send();
    return reply.type('text/html; charset=utf-8').send(page);
  };
  for (const path of paths) app.get(path, send);
}
