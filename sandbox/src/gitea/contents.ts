import type { FastifyInstance } from 'fastify';
import { findEntry, readBlob, readTree } from '../git/files.ts';
import { findRepository } from './access.ts';
import { named } from './commits.ts';
import { addressOf, type Gitea } from './instance.ts';
import { notFound } from './refusal.ts';

type Tree = { Params: { sha: string }; Querystring: { recursive?: string; page?: string; per_page?: string } };
type FileRoute = { Params: { '*': string }; Querystring: { ref?: string } };

// The largest file with content (DEFAULT_MAX_BLOB_SIZE).
const MAX_BLOB_BYTES = 10 * 1024 * 1024;

/** Trees, files and blobs. */
export const contentRoutes = (server: FastifyInstance, gitea: Gitea): void => {
  server.get<Tree>('/repos/:owner/:repo/git/trees/:sha', async (request) => {
    const { git } = findRepository(gitea, request);
    const { recursive, page = '1', per_page: perPage = '1000' } = request.query;
    const { sha } = named(git, request.params.sha);
    const entries = await readTree(git.path, sha, recursive === 'true' || recursive === '1');
    const size = Math.min(Number(perPage), 1000);
    const from = (Number(page) - 1) * size;
    return {
      sha,
      url: `${addressOf(gitea)}/api/v1/`,
      tree: entries.slice(from, from + size).map((entry) => ({ ...entry, size: entry.size ?? 0, url: '' })),
      truncated: from + size < entries.length,
      page: Number(page),
      total_count: entries.length,
    };
  });
  server.get<FileRoute>('/repos/:owner/:repo/contents/*', async (request) => {
    const { git } = findRepository(gitea, request);
    const path = request.params['*'];
    const { sha: commit } = named(git, request.query.ref ?? git.defaultBranch);
    const entry = await findEntry(git.path, commit, path);
    if (entry === undefined) throw notFound();
    if (entry.type !== 'blob') return [];
    const content = await readBlob(git.path, entry.sha);
    const isLarge = content.length > MAX_BLOB_BYTES;
    return {
      name: path.slice(path.lastIndexOf('/') + 1),
      path,
      sha: entry.sha,
      last_commit_sha: commit,
      type: 'file',
      size: content.length,
      encoding: isLarge ? null : 'base64',
      content: isLarge ? null : content.toString('base64'),
      target: null,
      url: '',
      html_url: '',
      git_url: '',
      download_url: '',
      submodule_git_url: null,
    };
  });
  server.get<{ Params: { sha: string } }>('/repos/:owner/:repo/git/blobs/:sha', async (request) => {
    const { git } = findRepository(gitea, request);
    const { sha } = request.params;
    const blob = /^[0-9a-f]{40,64}$/.test(sha) ? await readBlob(git.path, sha).catch(() => undefined) : undefined;
    if (blob === undefined) throw notFound();
    return { content: blob.toString('base64'), encoding: 'base64', url: '', sha, size: blob.length };
  });
};
