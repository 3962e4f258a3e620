import type { FastifyInstance } from 'fastify';
import { findEntry, readBlob, readTree, type TreeEntry } from '../git/files.ts';
import type { HostedRepository } from '../github/hosted-repository.ts';
import { findRepository } from './access.ts';
import type { Bitbucket } from './bitbucket.ts';
import { commitNamed } from './commits.ts';
import { paginate } from './paging.ts';
import { refuse } from './refusal.ts';
import { selfOf } from './responses/commit.ts';
import { fullSlug } from './responses/repository.ts';

type SourceQuery = { format?: string; max_depth?: string };

/** Files and folders of a commit. */
export const sourceRoutes = (server: FastifyInstance, bitbucket: Bitbucket): void => {
  server.get<{ Params: { commit: string; '*': string }; Querystring: SourceQuery }>(
    '/repositories/:workspace/:slug/src/:commit/*',
    async (request, reply) => {
      const repository = findRepository(bitbucket, request, 'repository');
      const { sha } = commitNamed(repository, request.params.commit);
      const path = request.params['*'].replace(/\/+$/, '');
      const { format, max_depth: depth = '1' } = request.query;
      const cwd = repository.git.path;
      const entry = path === '' ? undefined : await findEntry(cwd, sha, path);
      if (path !== '' && entry === undefined) throw refuse(404, `No such file or directory: ${path}`);
      const toJson = (found: TreeEntry) => entryJson(bitbucket, repository, sha, found);
      if (entry !== undefined && format === 'meta') return toJson({ ...entry, path });
      if (entry !== undefined && entry.type !== 'tree') {
        return reply.type('application/octet-stream').send(await readBlob(cwd, entry.sha));
      }
      const folder = path === '' ? '' : `${path}/`;
      const entries = (await readTree(cwd, `${sha}:${path}`, true))
        .filter((found) => found.path.split('/').length <= Number(depth))
        .map((found) => ({ ...found, path: `${folder}${found.path}` }));
      return paginate(bitbucket, { request, items: entries, toJson, sizes: { isCounted: false } });
    },
  );
};

const entryJson = (bitbucket: Bitbucket, repository: HostedRepository, sha: string, entry: TreeEntry) => {
  const { path, type, mode, size = 0 } = entry;
  const api = `${bitbucket.api}/repositories/${fullSlug(repository)}/src/${sha}`;
  const self = { href: `${api}/${path.split('/').map(encodeURIComponent).join('/')}` };
  const commit = { hash: sha, type: 'commit', links: selfOf(bitbucket, repository, sha) };
  if (type === 'tree') return { type: 'commit_directory', path, commit, links: { self } };
  const attributes = type === 'commit' ? ['subrepository'] : (attributesOf[mode] ?? []);
  return { type: 'commit_file', path, commit, attributes, size, escaped_path: path, mimetype: null, links: { self } };
};

const attributesOf: Readonly<Record<string, string[]>> = { '120000': ['link'], '100755': ['executable'] };
