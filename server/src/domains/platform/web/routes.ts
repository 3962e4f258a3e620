import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { NotFound } from '#core/errors.ts';
import { sendErrorResponse } from '#core/http.ts';
import { html } from '#core/pages/html.ts';
import type { Services } from '#core/services.ts';

const dist = fileURLToPath(new URL('../../../../../web/dist/', import.meta.url));

/** Serves the web app: hashed files with permanent caching, and one page for every other path. */
export async function webRoutes(app: FastifyInstance, { config, mail }: Services): Promise<void> {
  if (!existsSync(`${dist}index.html`)) {
    app.setNotFoundHandler((request, reply) => sendErrorResponse(NotFound(), request, reply));
    return;
  }
  const environment = config.production ? 'production' : 'development';
  const robots = config.production ? '' : '<meta name="robots" content="noindex">';
  const template = await readFile(`${dist}index.html`, 'utf8');
  const support =
    config.SUPPORT_EMAIL === undefined
      ? html``
      : html`<meta name="sightline-support" content="${config.SUPPORT_EMAIL}">`;
  const marketplace =
    config.EDITOR_MARKETPLACE_URL === undefined
      ? html``
      : html`<meta name="sightline-marketplace" content="${config.EDITOR_MARKETPLACE_URL}">`;
  const parts = config.CLICKHOUSE_URL === undefined ? html`` : html`<meta name="sightline-parts" content="on">`;
  const outbox = config.production || !mail.local ? html`` : html`<meta name="sightline-outbox" content="on">`;
  const direct =
    config.direct === undefined
      ? html``
      : html`<meta name="sightline-issuer" content="${JSON.stringify({
          authority: config.direct.issuer,
          clientId: config.direct.clientId,
          audience: config.direct.audience,
        })}">`;
  const authorize = html`<meta name="sightline-authorize" content="${JSON.stringify({
    schemes: config.AUTHORIZE_SCHEMES,
    origins: config.AUTHORIZE_CALLBACK_ORIGINS,
    localOrigins: !config.production,
    withToken: config.AUTHORIZE_WITH_TOKEN === 'on',
  })}">`;
  const page = template.replace(
    '<!--robots-->',
    () =>
      `${robots}<meta name="sightline-environment" content="${environment}">${support.markup}${marketplace.markup}${parts.markup}${outbox.markup}${direct.markup}${authorize.markup}`,
  );
  const etag = `"${createHash('sha256').update(page).digest('base64url').slice(0, 22)}"`;

  await app.register(fastifyStatic, {
    root: dist,
    index: false,
    preCompressed: true,
    // A compressed file is served for the path of the original and has no path of its own.
    globIgnore: ['**/*.br', '**/*.gz'],
    wildcard: false,
    setHeaders: (reply, path) => {
      const forEver = path.includes('/assets/');
      reply.header('cache-control', forEver ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  const packed = { br: brotliCompressSync(page), gzip: gzipSync(page) };
  const sendPage = (request: FastifyRequest, reply: FastifyReply) => {
    reply.header('etag', etag).header('cache-control', 'no-cache').header('vary', 'accept-encoding');
    // Portals are not for search engines.
    if (/^\/portal(\/|$|\?)/.test(request.url)) reply.header('x-robots-tag', 'noindex, nofollow');
    if (request.headers['if-none-match'] === etag) return reply.status(304).send();
    reply.type('text/html; charset=utf-8');
    const encoding = encodingOf(request);
    return encoding === undefined
      ? reply.send(page)
      : reply.header('content-encoding', encoding).send(packed[encoding]);
  };
  app.get('/', sendPage);
  app.setNotFoundHandler((request, reply) => {
    const forServer = /^\/(api|oidc|metrics|assets|outbox)(\/|$|\?)/.test(request.url);
    if (forServer || request.method !== 'GET') return sendErrorResponse(NotFound(), request, reply);
    return sendPage(request, reply);
  });
}

/** The best encoding that the browser accepts; undefined for none. */
function encodingOf({ headers }: FastifyRequest): 'br' | 'gzip' | undefined {
  const accepted = String(headers['accept-encoding'] ?? '')
    .split(',')
    .map((one) => one.trim());
  return (['br', 'gzip'] as const).find((encoding) => accepted.includes(encoding));
}
