import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { commitsTouching, readTree } from '../git/files.ts';
import { ahead, reachable } from '../git/graph.ts';
import { readDiffText } from '../git/patches.ts';
import { historyOf, resolveCommit } from '../git/repository.ts';
import { fullName } from '../github/host.ts';
import type { HostedRepository } from '../github/hosted-repository.ts';
import { callerOf, sendBase64, sendJson } from './access.ts';
import type { Gerrit } from './instance.ts';
import { named } from './project-routes.ts';
import { notFound } from './refusal.ts';
import { loggedJson } from './responses.ts';

type GitilesRequest = {
  Params: { '*': string };
  Querystring: { format?: string; s?: string; n?: string; long?: string };
};

/** The plugin Gitiles: histories, trees and differences. Its addresses have names with slashes. */
export const gitilesRoutes = (server: FastifyInstance, gerrit: Gerrit): void => {
  server.get('/plugins/gitiles/', async (request, reply) => {
    const { repositories } = callerOf(gerrit, request);
    if (!gerrit.hasGitiles) throw notFound('gitiles');
    return sendJson(reply, Object.fromEntries(repositories.map((one) => [fullName(one), { name: fullName(one) }])));
  });
  server.get<GitilesRequest>('/plugins/gitiles/*', async (request, reply) => {
    const { repositories } = callerOf(gerrit, request);
    const address = request.params['*'];
    const repository = repositories.find((one) => address.startsWith(`${fullName(one)}/+`));
    if (repository === undefined || !gerrit.hasGitiles) throw notFound(address);
    const view = address.slice(fullName(repository).length + 1);
    if (view.startsWith('+log/')) return sendLog(gerrit, { request, reply }, repository, view.slice('+log/'.length));
    if (request.query.format === 'TEXT') return sendDifference(reply, repository, view.slice('+/'.length));
    return sendTree(reply, repository, view.slice('+/'.length), request.query.long !== undefined);
  });
};

/** A branch, a commit or a range of commits, which a path may follow. */
const sendLog = async (
  gerrit: Gerrit,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { git }: HostedRepository,
  view: string,
) => {
  const { n = '100', s: start } = request.query as GitilesRequest['Querystring'];
  const { tip, base, path } = revisionIn(git.refs.keys(), view);
  const commits =
    base === undefined
      ? historyOf(git, named(git, tip).sha)
      : ahead(git.commits, named(git, tip).sha, reachable(git.commits, [named(git, base).sha]));
  const touching = path === '' ? undefined : new Set(await commitsTouching(git.path, named(git, tip).sha, path));
  const found = commits.filter(({ sha }) => touching?.has(sha) ?? true);
  const from = start === undefined ? 0 : found.findIndex(({ sha }) => sha === start);
  const size = Number(n);
  const isRepeated = from > 0 && gerrit.repeatedList?.test(request.url) === true;
  const first = isRepeated ? Math.max(0, from - size) : from;
  const next = found[from + size]?.sha;
  return sendJson(reply, {
    log: found.slice(first, first + size).map(loggedJson),
    ...(from > 0 && { previous: found[Math.max(0, from - size)]?.sha }),
    ...(next !== undefined && { next }),
  });
};

const revisionIn = (refs: Iterable<string>, view: string): { tip: string; base?: string; path: string } => {
  const ref = [...refs].find((name) => view === name || view.startsWith(`${name}/`));
  if (ref !== undefined) return { tip: ref.replace(/^refs\/heads\//, ''), path: view.slice(ref.length + 1) };
  const [revision = '', ...rest] = view.split('/');
  const [one = '', other] = revision.split('..');
  return { ...(other === undefined ? { tip: one } : { tip: other, base: one }), path: rest.join('/') };
};

const sendDifference = async (reply: FastifyReply, { git }: HostedRepository, view: string) => {
  const [from = '', to = ''] = view.replace(/\/$/, '').split('..');
  return sendBase64(reply, await readDiffText(git.path, named(git, from).sha, named(git, to).sha));
};

const sendTree = async (reply: FastifyReply, { git }: HostedRepository, view: string, isLong: boolean) => {
  const commit = resolveCommit(git, view.replace(/\/$/, ''));
  if (commit === undefined) throw notFound(view);
  const entries = (await readTree(git.path, commit.sha, true)).filter(({ type }) => type !== 'tree');
  return sendJson(reply, {
    id: commit.tree,
    entries: entries.map(({ mode, type, sha, path, size }) => ({
      mode: Number.parseInt(mode, 8),
      type,
      id: sha,
      name: path,
      ...(isLong && size !== undefined && { size }),
    })),
  });
};
