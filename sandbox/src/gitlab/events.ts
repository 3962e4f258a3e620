import type { FastifyInstance } from 'fastify';
import { mergeBase } from '../git/graph.ts';
import type { Push } from '../git/model.ts';
import { pushesOf } from '../git/planted.ts';
import { resolveCommit } from '../git/repository.ts';
import { stableId } from '../git/users.ts';
import type { HostedRepository } from '../github/hosted-repository.ts';
import { findProject } from './access.ts';
import type { GitlabInstance } from './instance.ts';
import { paginate } from './paging.ts';
import { notFound } from './refusal.ts';
import { commitJson, ghost, personJson, timeText } from './responses.ts';

type EventFilter = { Querystring: { action?: string; after?: string; before?: string; sort?: string } };

/** Pushes to a project, and merge bases. */
export const eventRoutes = (server: FastifyInstance, instance: GitlabInstance): void => {
  server.get<EventFilter>('/projects/:id/events', async (request, reply) => {
    const repository = findProject(instance, request);
    const { action, after, before, sort = 'desc' } = request.query;
    // Both are days and exclusive.
    const [from, to] = [dayOf(after, 86_400_000, 0), dayOf(before, 0, Number.POSITIVE_INFINITY)];
    const found = action === undefined || action === 'pushed' ? pushesOf(repository.git) : [];
    const events = found.filter(({ at }) => at >= from && at < to).map((push) => eventJson(instance, repository, push));
    return paginate(request, reply, sort === 'asc' ? events : events.reverse(), false);
  });
  server.get<{ Querystring: Record<string, string | string[]> }>(
    '/projects/:id/repository/merge_base',
    async (request) => {
      const repository = findProject(instance, request);
      const names = [request.query['refs[]'] ?? []].flat();
      const [one, other] = names.map((name) => resolveCommit(repository.git, name)?.sha);
      const base = one && other ? mergeBase(repository.git.commits, one, other) : undefined;
      if (base === undefined) throw notFound('Merge Base');
      return commitJson(instance, repository, base);
    },
  );
};

const dayOf = (day: string | undefined, plus: number, otherwise: number): number => {
  const at = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(at) ? otherwise : at + plus;
};

const eventJson = (instance: GitlabInstance, repository: HostedRepository, { ref, before, after, at, by }: Push) => {
  const author = personJson(instance, by) ?? ghost(instance);
  const action = before === null ? 'created' : after === null ? 'removed' : 'pushed';
  const commit = repository.git.commits.get(after ?? '');
  return {
    id: stableId(`event:${repository.id}:${ref}:${before}:${after}:${at}`),
    project_id: repository.id,
    action_name: action === 'pushed' ? 'pushed to' : action === 'created' ? 'pushed new' : 'deleted',
    target_id: null,
    target_iid: null,
    target_type: null,
    target_title: null,
    author_id: author.id,
    created_at: timeText(at),
    author,
    author_username: author.username,
    imported: false,
    push_data: {
      commit_count: 1,
      action,
      ref_type: 'branch',
      commit_from: before,
      commit_to: after,
      ref: ref.replace(/^refs\/heads\//, ''),
      commit_title: commit?.message.split('\n', 1)[0] ?? null,
      ref_count: null,
    },
  };
};
