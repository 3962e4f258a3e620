import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { listDownloads } from '@sightline/contract/downloads.ts';
import type { FastifyInstance } from 'fastify';
import { NotFound } from '#core/errors.ts';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { folderOf, listFiles, maybeDownload } from './queries.ts';

export function downloadsRoutes(app: FastifyInstance, services: Services): void {
  const folder = folderOf(services.config);
  route(app, services, listDownloads, () => listFiles(folder));
  // A plain link of the browser, so without a token: the files are the same for everybody.
  app.get<{ Params: { fileName: string } }>('/downloads/:fileName', async ({ params }, reply) => {
    const file = await maybeDownload(folder, params.fileName);
    if (!file) throw NotFound('The file');
    return reply
      .headers({
        'content-type': 'application/octet-stream',
        'content-length': file.size,
        'content-disposition': `attachment; filename="${file.fileName}"`,
        'cache-control': 'no-cache',
        etag: `"${file.sha256}"`,
      })
      .send(createReadStream(join(folder, file.fileName)));
  });
}
