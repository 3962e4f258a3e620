import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';

const own = (name: string) => fileURLToPath(new URL(`./files/${name}`, import.meta.url));
const font = fileURLToPath(import.meta.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'));

// The browser build of the library for pages without a bundler; its package exports only modules.
const webauthn = new URL('../dist/bundle/index.umd.min.js', import.meta.resolve('@simplewebauthn/browser'));

const files = {
  'pages.css': { type: 'text/css; charset=utf-8', body: readFileSync(own('pages.css')) },
  'passkey.js': {
    type: 'text/javascript; charset=utf-8',
    body: Buffer.concat([readFileSync(webauthn), Buffer.from('\n'), readFileSync(own('passkey.js'))]),
  },
  'sign-out.js': { type: 'text/javascript; charset=utf-8', body: readFileSync(own('sign-out.js')) },
  'silent.js': { type: 'text/javascript; charset=utf-8', body: readFileSync(own('silent.js')) },
  'mark.svg': { type: 'image/svg+xml', body: readFileSync(own('mark.svg')) },
  'inter.woff2': { type: 'font/woff2', body: readFileSync(font) },
} as const;

/** The URL of a file, which changes with its content. */
export const assetUrl = (name: keyof typeof files): string =>
  `/oidc/assets/${name}?v=${createHash('sha256').update(files[name].body).digest('hex').slice(0, 12)}`;

export function assetRoutes(app: FastifyInstance): void {
  for (const [name, { type, body }] of Object.entries(files)) {
    app.get(`/oidc/assets/${name}`, (_request, reply) =>
      reply.type(type).header('cache-control', 'public, max-age=31536000, immutable').send(body),
    );
  }
}
