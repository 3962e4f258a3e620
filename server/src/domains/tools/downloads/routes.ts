import { createReadStream } from 'node:fs';
import { listDownloads } from '@sightline/contract/tools/downloads.ts';
import type { FastifyInstance } from 'fastify';
import { NotFound } from '#core/errors.ts';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { downloadFolders, findDownloadFile, listDownloadFiles } from './queries.ts';

export function downloadsRoutes(app: FastifyInstance, services: Services): void {
  const folders = downloadFolders(services.config);
  route(app, services, listDownloads, () => listDownloadFiles(folders));
  // A link in the browser, without a token: the files are public.
  app.get<{ Params: { fileName: string } }>('/downloads/:fileName', async ({ params }, reply) => {
    const file = await findDownloadFile(folders, params.fileName);
    if (!file) throw NotFound('File');
    const { path, download } = file;
    return reply
      .headers({
        'content-type': 'application/octet-stream',
        'content-length': download.size,
        'content-disposition': `attachment; filename="${download.fileName}"`,
        'cache-control': 'no-cache',
        etag: `"${download.sha256}"`,
      })
      .send(createReadStream(path));
  });
}
