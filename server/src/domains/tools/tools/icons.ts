import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { NotFound } from '#core/errors.ts';

const folder = join(dirname(fileURLToPath(import.meta.resolve('simple-icons'))), 'icons');
const fileNamePattern = /^([a-z0-9]{1,60})\.svg$/;

/**
 * Serves icons of tools by their name in simple-icons, one per request, since pages cannot contain thousands. They are
 * public.
 */
export function iconRoutes(app: FastifyInstance): void {
  app.get<{ Params: { file: string } }>('/icons/:file', async ({ params }, reply) => {
    const name = fileNamePattern.exec(params.file)?.[1];
    const icon = name === undefined ? undefined : await readFile(join(folder, `${name}.svg`)).catch(() => undefined);
    if (!icon) throw NotFound('Icon');
    return reply.headers({ 'content-type': 'image/svg+xml', 'cache-control': 'public, max-age=604800' }).send(icon);
  });
}
