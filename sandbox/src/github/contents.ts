import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { findEntry, readBlob, readTree, type TreeEntry } from '../git/files.ts';
import { resolveCommit } from '../git/repository.ts';
import { fullName, type Host } from './host.ts';
import type { HostedRepository } from './hosted-repository.ts';
import { notFound, refuse } from './refusal.ts';
import { findRepository } from './tokens.ts';

type ContentsRoute = { Params: { '*'?: string }; Querystring: { ref?: string } };

/** Files and folders at a commit. */
export const contentRoutes = (server: FastifyInstance, host: Host): void => {
  const answer = async (request: FastifyRequest<ContentsRoute>, reply: FastifyReply) => {
    const repository = findRepository(host, request);
    const { git } = repository;
    const { ref = git.defaultBranch } = request.query;
    const commit = resolveCommit(git, ref);
    if (commit === undefined) throw refuse(404, `No commit found for the ref ${ref}`);
    const path = (request.params['*'] ?? '').replaceAll(/^\/+|\/+$/g, '');
    const shape = (entry: TreeEntry, at: string) => entryJson(host, { repository, ref, entry, path: at });

    const entry = path === '' ? undefined : await findEntry(git.path, commit.sha, path);
    if (path !== '' && entry === undefined) throw notFound();
    if (entry === undefined || entry.type === 'tree') {
      const entries = await readTree(git.path, `${commit.sha}:${path}`, false);
      return entries.map((child) => shape(child, path === '' ? child.path : `${path}/${child.path}`));
    }
    if (entry.type === 'commit') return { ...shape(entry, path), submodule_git_url: null };
    if ((entry.size ?? 0) > mostBytes) throw refuse(403, 'This API returns blobs up to 100 MB in size.');
    const blob = await readBlob(git.path, entry.sha);
    if (/application\/vnd\.github\.(v3\.)?raw/.test(request.headers.accept ?? '')) {
      return reply.type('application/vnd.github.raw').send(blob);
    }
    return { ...shape(entry, path), ...encodedContent(blob) };
  };
  server.get<ContentsRoute>('/repos/:owner/:repo/contents', answer);
  server.get<ContentsRoute>('/repos/:owner/:repo/contents/*', answer);
};

/** GitHub omits the content of files over 1 MB, unless it is requested raw. */
const encodedContent = (blob: Buffer) => {
  if (blob.length > mostEncodedBytes) return { content: '', encoding: 'none' };
  const lines = blob.toString('base64').replaceAll(/.{60}(?=.)/g, '$&\n');
  return { content: lines === '' ? '' : `${lines}\n`, encoding: 'base64' };
};

const mostEncodedBytes = 1024 * 1024;
const mostBytes = 100 * 1024 * 1024;
const kinds = { blob: 'file', tree: 'dir', commit: 'submodule' } as const;

const entryJson = (
  host: Host,
  { repository, ref, entry, path }: { repository: HostedRepository; ref: string; entry: TreeEntry; path: string },
) => {
  const encoded = path.split('/').map(encodeURIComponent).join('/');
  const self = `${host.api}/repos/${fullName(repository)}`;
  const web = `${host.url}/${fullName(repository)}`;
  const url = `${self}/contents/${encoded}?ref=${encodeURIComponent(ref)}`;
  const git = `${self}/git/${entry.type === 'tree' ? 'trees' : 'blobs'}/${entry.sha}`;
  const html = `${web}/${entry.type === 'tree' ? 'tree' : 'blob'}/${ref}/${encoded}`;
  return {
    name: path.slice(path.lastIndexOf('/') + 1),
    path,
    sha: entry.sha,
    size: entry.size ?? 0,
    url,
    html_url: html,
    git_url: git,
    download_url: entry.type === 'blob' ? `${web}/raw/${ref}/${encoded}` : null,
    type: entry.mode === '120000' ? 'symlink' : kinds[entry.type],
    _links: { self: url, git, html },
  };
};
