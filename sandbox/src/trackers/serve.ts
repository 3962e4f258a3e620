import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { jiraRoutes } from './jira.ts';
import { linearRoutes } from './linear.ts';
import { trackerPages } from './pages.ts';
import { createSite, type TrackerKind, type TrackerSite, trackerKinds } from './site.ts';

const paths: Record<TrackerKind, string> = {
  'jira-cloud': '/jira',
  'jira-data-center': '/jira-data-center',
  linear: '/linear',
};

export type Trackers = ReadonlyMap<TrackerKind, TrackerSite>;

/** `origin`: of the sandbox. `folder`: stores tickets across restarts. */
export const createTrackers = (
  origin: () => string,
  { secret, folder }: { secret: string; folder: string | undefined },
): Trackers =>
  new Map(
    trackerKinds.map((kind) => [
      kind,
      createSite(kind, () => `${origin()}${paths[kind]}`, {
        secret,
        file: folder === undefined ? undefined : join(folder, `${kind}.json`),
      }),
    ]),
  );

/** Serves each tracker below its own path, and a page about all. */
export const serveTrackers = async (server: FastifyInstance, trackers: Trackers): Promise<void> => {
  for (const [kind, site] of trackers) {
    const routes = kind === 'linear' ? linearRoutes : jiraRoutes;
    await server.register(async (api) => routes(api, site), { prefix: paths[kind] });
  }
  trackerPages(server, trackers);
};
