import type { FastifyInstance } from 'fastify';
import { readBlame } from '../git/blame.ts';
import { findEntry, readBlob, readTree } from '../git/files.ts';
import type { Repository } from '../git/model.ts';
import { branchesOf, resolveCommit } from '../git/repository.ts';
import { findProject } from './access.ts';
import type { GitlabInstance } from './instance.ts';
import { paginate, paginateByKey } from './paging.ts';
import { notFound, refuse } from './refusal.ts';
import { commitJson } from './responses.ts';

type Tree = { Querystring: { ref?: string; path?: string; recursive?: string; pagination?: string } };
type FileRoute = { Params: { path: string }; Querystring: { ref?: string } };

/** Branches, trees, files and blame. */
export const fileRoutes = (server: FastifyInstance, instance: GitlabInstance): void => {
  server.get<{ Params: { branch: string } }>('/projects/:id/repository/branches/:branch', async (request) => {
    const repository = findProject(instance, request);
    const { branch } = request.params;
    const commit = repository.git.commits.get(repository.git.refs.get(`refs/heads/${branch}`) ?? '');
    if (commit === undefined) throw notFound('Branch');
    return {
      name: branch,
      merged: false,
      protected: branch === repository.git.defaultBranch,
      can_push: true,
      default: branch === repository.git.defaultBranch,
      commit: commitJson(instance, repository, commit),
    };
  });
  server.get('/projects/:id/repository/branches', async (request, reply) => {
    const repository = findProject(instance, request);
    return paginate(request, reply, branchesOf(repository.git)).map(({ name, sha }) => ({
      name,
      merged: false,
      protected: name === repository.git.defaultBranch,
      commit: { id: sha },
    }));
  });
  server.get<Tree>('/projects/:id/repository/tree', async (request, reply) => {
    const { git } = findProject(instance, request);
    const { ref, path = '', recursive, pagination } = request.query;
    const commit = commitAt(git, ref);
    if (commit === undefined) throw notFound('Tree');
    const entries = await readTree(git.path, `${commit}:${path}`, recursive === 'true').catch(() => {
      throw notFound('Tree');
    });
    const shapes = entries.map(({ mode, type, sha, path: below }) => ({
      id: sha,
      name: below.slice(below.lastIndexOf('/') + 1),
      type,
      mode,
      path: path === '' ? below : `${path}/${below}`,
    }));
    return pagination === 'keyset' ? paginateByKey(request, reply, shapes) : paginate(request, reply, shapes);
  });
  server.get<FileRoute>('/projects/:id/repository/files/:path', async (request) => {
    const { git } = findProject(instance, request);
    const { sha, commit, path, size } = await fileAt(git, request.params.path, request.query.ref);
    const content = await readBlob(git.path, sha);
    return {
      file_name: path.slice(path.lastIndexOf('/') + 1),
      file_path: path,
      size,
      encoding: 'base64',
      content: content.toString('base64'),
      ref: request.query.ref,
      blob_id: sha,
      commit_id: commit,
      last_commit_id: commit,
      execute_filemode: false,
    };
  });
  server.get<FileRoute>('/projects/:id/repository/files/:path/raw', async (request, reply) => {
    const { git } = findProject(instance, request);
    const { sha } = await fileAt(git, request.params.path, request.query.ref ?? 'HEAD');
    return reply.type('text/plain').send(await readBlob(git.path, sha));
  });
  server.get<{ Params: { sha: string } }>('/projects/:id/repository/blobs/:sha', async (request) => {
    const { git } = findProject(instance, request);
    const { sha } = request.params;
    const blob = /^[0-9a-f]{40,64}$/.test(sha) ? await readBlob(git.path, sha).catch(() => undefined) : undefined;
    if (blob === undefined) throw notFound('Blob');
    return { size: blob.length, encoding: 'base64', content: blob.toString('base64'), sha };
  });
  server.get<FileRoute>('/projects/:id/repository/files/:path/blame', async (request) => {
    const repository = findProject(instance, request);
    const { git } = repository;
    const { sha, commit, path } = await fileAt(git, request.params.path, request.query.ref);
    const lines = (await readBlob(git.path, sha)).toString().split('\n');
    const ranges = await readBlame(git.path, commit, path);
    return ranges.flatMap((range) => {
      const found = git.commits.get(range.sha);
      if (found === undefined) return [];
      return { commit: commitJson(instance, repository, found), lines: lines.slice(range.from - 1, range.to) };
    });
  });
};

const commitAt = (git: Repository, ref = 'HEAD'): string | undefined => resolveCommit(git, ref)?.sha;

const fileAt = async (git: Repository, path: string, ref: string | undefined) => {
  if (ref === undefined) throw refuse(400, 'ref is missing', { error: 'ref is missing, ref is empty' });
  const commit = commitAt(git, ref);
  if (commit === undefined) throw notFound('Commit');
  const entry = await findEntry(git.path, commit, path);
  if (entry?.type !== 'blob') throw notFound('File');
  return { sha: entry.sha, commit, path, size: entry.size ?? 0 };
};
