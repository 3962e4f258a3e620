import type { FastifyInstance } from 'fastify';
import { findEntry, readBlob, readTree } from '../git/files.ts';
import { findRepository } from './access.ts';
import { named } from './commits.ts';
import type { DataCenter } from './instance.ts';
import { paginate } from './paging.ts';
import { notFound } from './refusal.ts';

type FileRoute = { Params: { '*': string }; Querystring: { at?: string } };
type Files = { Querystring: { at?: string } };

const prefix = '/api/latest/projects/:key/repos/:slug';

/** Files and their content. */
export const contentRoutes = (server: FastifyInstance, dataCenter: DataCenter): void => {
  server.get<Files>(`${prefix}/files`, async (request) => {
    const { git } = findRepository(dataCenter, request);
    const { sha } = named(git, request.query.at ?? git.defaultBranch);
    const entries = await readTree(git.path, sha, true);
    const paths = entries.filter(({ type }) => type === 'blob').map(({ path }) => path);
    return paginate(dataCenter, request, paths, { most: 1000 });
  });
  server.get<FileRoute>(`${prefix}/raw/*`, async (request, reply) => {
    const { git } = findRepository(dataCenter, request);
    const path = request.params['*'];
    const { sha } = named(git, request.query.at ?? git.defaultBranch);
    const entry = await findEntry(git.path, sha, path);
    if (entry?.type !== 'blob') throw notFound(`The path "${path}" does not exist at revision "${sha}"`);
    return reply.type('application/octet-stream').send(await readBlob(git.path, entry.sha));
  });
};
