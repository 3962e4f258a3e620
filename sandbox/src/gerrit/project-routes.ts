import type { FastifyInstance } from 'fastify';
import { findEntry, readBlob } from '../git/files.ts';
import { isAncestor } from '../git/graph.ts';
import type { Commit } from '../git/log.ts';
import type { Repository } from '../git/model.ts';
import { pushesOf } from '../git/planted.ts';
import { changesOf, resolveCommit, unlessMissing } from '../git/repository.ts';
import { userOf } from '../git/users.ts';
import { fullName } from '../github/host.ts';
import { callerOf, findOwned, findProject, paged, sendBase64, sendJson } from './access.ts';
import { addressOf, type Gerrit } from './instance.ts';
import { notFound } from './refusal.ts';
import { accountJson, commitJson, filesJson, timeText } from './responses.ts';

type ProjectListing = { Querystring: { S?: string; p?: string } };
type ByCommit = { Params: { project: string; sha: string } };
type ByFile = { Params: { project: string; sha: string; path: string } };
type ByBranch = { Params: { project: string; branch: string } };

/** The caller, projects, branches with their reflogs, commits and files. */
export const projectRoutes = (server: FastifyInstance, gerrit: Gerrit): void => {
  server.get('/config/server/version', async (_, reply) => sendJson(reply, '3.11.1'));
  server.get('/accounts/self/detail', async (request, reply) => {
    const { user } = callerOf(gerrit, request);
    return sendJson(reply, { ...accountJson(user), registered_on: timeText(0) });
  });
  server.get<ProjectListing>('/projects/', async (request, reply) => {
    const { S: start, p: prefix = '' } = request.query;
    const names = callerOf(gerrit, request)
      .repositories.map(fullName)
      .filter((name) => name.startsWith(prefix))
      .toSorted();
    const { items, hasMore } = paged(gerrit, request, names, start);
    const shape = items.map((name, index) => [
      name,
      {
        id: encodeURIComponent(name),
        state: 'ACTIVE',
        web_links: [{ name: 'browse', url: `${addressOf(gerrit)}/plugins/gitiles/${name}`, target: '_blank' }],
        ...(hasMore && index === items.length - 1 && { _more_projects: true }),
      },
    ]);
    return sendJson(reply, Object.fromEntries(shape));
  });
  server.get('/projects/:project', async (request, reply) => {
    const name = fullName(findProject(gerrit, request));
    return sendJson(reply, { id: encodeURIComponent(name), name, parent: 'All-Projects', state: 'ACTIVE' });
  });
  server.get('/projects/:project/HEAD', async (request, reply) =>
    sendJson(reply, `refs/heads/${findProject(gerrit, request).git.defaultBranch}`),
  );
  server.get('/projects/:project/branches/', async (request, reply) => {
    const { git } = findProject(gerrit, request);
    const branches = [...git.refs].filter(([ref]) => ref.startsWith('refs/heads/'));
    return sendJson(reply, [
      { ref: 'HEAD', revision: git.defaultBranch },
      ...branches.map(([ref, revision]) => ({ ref, revision })),
    ]);
  });
  server.get<ByBranch>('/projects/:project/branches/:branch', async (request, reply) => {
    const { git } = findProject(gerrit, request);
    const ref = `refs/heads/${request.params.branch}`;
    const revision = git.refs.get(ref);
    if (revision === undefined) throw notFound(request.params.branch);
    return sendJson(reply, { ref, revision });
  });
  server.get<ByBranch>('/projects/:project/branches/:branch/reflog', async (request, reply) => {
    const { git } = findOwned(gerrit, request);
    return sendJson(reply, reflogOf(gerrit, git, `refs/heads/${request.params.branch}`));
  });
  server.get<ByCommit>('/projects/:project/commits/:sha', async (request, reply) => {
    const { git } = findProject(gerrit, request);
    return sendJson(reply, commitJson(named(git, request.params.sha)));
  });
  server.get<ByCommit>('/projects/:project/commits/:sha/files/', async (request, reply) => {
    const { git } = findProject(gerrit, request);
    const { sha } = named(git, request.params.sha);
    return sendJson(reply, filesJson((await unlessMissing(changesOf(git, sha))) ?? []));
  });
  server.get<ByCommit>('/projects/:project/commits/:sha/in', async (request, reply) => {
    const { git } = findProject(gerrit, request);
    const { sha } = named(git, request.params.sha);
    const branches = [...git.refs].filter(
      ([ref, tip]) => ref.startsWith('refs/heads/') && isAncestor(git.commits, sha, tip),
    );
    return sendJson(reply, { branches: branches.map(([ref]) => ref.slice('refs/heads/'.length)) });
  });
  server.get<ByFile>('/projects/:project/commits/:sha/files/:path/content', async (request, reply) => {
    const { git } = findProject(gerrit, request);
    const { path } = request.params;
    const entry = await findEntry(git.path, named(git, request.params.sha).sha, path);
    if (entry?.type !== 'blob') throw notFound(path);
    return sendBase64(reply, await readBlob(git.path, entry.sha));
  });
};

export const named = (git: Repository, name: string): Commit => {
  const commit = resolveCommit(git, name);
  if (commit === undefined) throw notFound(name);
  return commit;
};

const zeros = '0'.repeat(40);

/** `ReflogEntryInfo`, newest first. `who` has the name and number of the account where git has an address. */
const reflogOf = ({ host }: Gerrit, git: Repository, ref: string) =>
  pushesOf(git)
    .filter((push) => push.ref === ref)
    .toReversed()
    .map(({ before, after, at, by, kind }) => {
      const user = by === null ? undefined : userOf(host.users, by);
      return {
        old_id: before ?? zeros,
        new_id: after ?? zeros,
        who: {
          name: by?.name ?? 'Gerrit Code Review',
          email: user === undefined ? 'gerrit@localhost' : `${user.login}|account-${user.id}@127.0.0.1`,
          date: timeText(at),
          tz: 0,
        },
        comment: kind === 'pr_merge' || kind === 'merge_queue_merge' ? 'merged' : 'push',
      };
    });
