import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ahead, reachable } from '../git/graph.ts';
import { changesOf, unlessMissing } from '../git/repository.ts';
import type { HostedRepository } from '../github/hosted-repository.ts';
import { paged, projectNamed, sendJson } from './access.ts';
import { changeJson } from './change-json.ts';
import { changesOfProject, type GerritChange } from './changes.ts';
import type { Gerrit } from './instance.ts';
import { named } from './project-routes.ts';
import { notFound, refuse } from './refusal.ts';
import { commitJson, filesJson } from './responses.ts';

type ChangeSearch = { Querystring: { q?: string; o?: string | string[]; start?: string } };
type One = { Params: { change: string }; Querystring: { o?: string | string[] } };
type OfRevision = { Params: { change: string; revision: string }; Querystring: { parent?: string } };

/** Searches for changes in a project, single changes, and the files and merged commits of revisions. */
export const changeRoutes = (server: FastifyInstance, gerrit: Gerrit): void => {
  server.get<ChangeSearch>('/changes/', async (request, reply) => {
    const { q = '', o, start } = request.query;
    const repository = projectNamed(gerrit, request, /project:"([^"]+)"/.exec(q)?.[1] ?? '');
    const found = changesOfProject(repository.git).filter((change) => isMatch(change, q));
    const { items, hasMore } = paged(gerrit, request, found, start);
    const shapes = await Promise.all(items.map((change) => changeJson(gerrit, repository, change, optionsIn(o))));
    return sendJson(
      reply,
      shapes.map((shape, index) =>
        hasMore && index === shapes.length - 1 ? { ...shape, _more_changes: true } : shape,
      ),
    );
  });
  server.get<One>('/changes/:change', async (request, reply) => {
    const { repository, change } = findChange(gerrit, request);
    return sendJson(reply, await changeJson(gerrit, repository, change, optionsIn(request.query.o)));
  });
  server.get<OfRevision>('/changes/:change/revisions/:revision/files/', async (request, reply) => {
    const { repository, sha } = findRevision(gerrit, request, request.params.revision);
    // Every merge here is an automatic one, from which no file differs.
    const isAutomatic = named(repository.git, sha).parents.length > 1 && request.query.parent === undefined;
    const files = isAutomatic ? [] : await unlessMissing(changesOf(repository.git, sha));
    return sendJson(reply, filesJson(files ?? []));
  });
  server.get<OfRevision>('/changes/:change/revisions/:revision/mergelist', async (request, reply) => {
    const { repository, sha } = findRevision(gerrit, request, request.params.revision);
    const { commits } = repository.git;
    const [first = '', second] = named(repository.git, sha).parents;
    if (second === undefined) throw refuse(409, 'not a merge commit');
    return sendJson(reply, ahead(commits, second, reachable(commits, [first])).map(commitJson));
  });
};

const optionsIn = (o: string | string[] | undefined): ReadonlySet<string> => new Set([o ?? []].flat());

/** The operators of a search that are used: any other one is an error there too. */
const isMatch = ({ status, patchSets }: GerritChange, search: string): boolean =>
  search.split(/\s+/).every((term) => {
    const [operator = '', value = ''] = term.split(/:(.*)/s);
    if (operator === 'project') return true;
    if (operator === 'commit') return patchSets.some(({ sha }) => sha.startsWith(value));
    if (operator === 'status') return status.toLowerCase() === value.replace(/^open$/, 'new');
    throw refuse(400, `Unsupported operator ${term}`);
  });

const findChange = (
  gerrit: Gerrit,
  request: FastifyRequest,
): { repository: HostedRepository; change: GerritChange } => {
  const { change: id } = request.params as { change: string };
  const [, name = '', number] = /^(.+)~(\d+)$/.exec(id) ?? [];
  const repository = projectNamed(gerrit, request, name);
  const change = changesOfProject(repository.git).find((one) => String(one.number) === number);
  if (change === undefined) throw notFound(id);
  return { repository, change };
};

const findRevision = (gerrit: Gerrit, request: FastifyRequest, revision: string) => {
  const { repository, change } = findChange(gerrit, request);
  const found = revision === 'current' ? change.patchSets.at(-1) : change.patchSets.find(({ sha }) => sha === revision);
  if (found === undefined) throw notFound(revision);
  return { repository, sha: found.sha };
};
