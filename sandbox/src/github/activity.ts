import type { FastifyInstance } from 'fastify';
import type { Push } from '../git/model.ts';
import { pushesOf } from '../git/planted.ts';
import { stableId, userOf } from '../git/users.ts';
import type { Host } from './host.ts';
import type { HostedRepository } from './hosted-repository.ts';
import { paginateByCursor } from './paging.ts';
import { refuse } from './refusal.ts';
import { nodeId, personJson, timeText } from './responses/account.ts';
import { findRepository } from './tokens.ts';

type ActivityFilter = Partial<Record<'ref' | 'actor' | 'time_period' | 'activity_type' | 'direction', string>>;

/** The activity of branches: pushes, merges, creations and deletions. */
export const activityRoutes = (server: FastifyInstance, host: Host): void => {
  server.get<{ Querystring: ActivityFilter }>('/repos/:owner/:repo/activity', async (request, reply) => {
    const repository = findRepository(host, request);
    const { ref, actor, time_period: period, activity_type: kind, direction = 'desc' } = request.query;
    const days = period === undefined ? Number.POSITIVE_INFINITY : (daysOf[period] ?? Number.NaN);
    if (Number.isNaN(days)) throw refuse(422, 'time_period is not one of day, week, month, quarter, year');
    const full = ref?.startsWith('refs/') || ref === undefined ? ref : `refs/heads/${ref}`;
    const login = (push: Push) => (push.by === null ? undefined : userOf(host.users, push.by)?.login);
    const found = pushesOf(repository.git)
      .filter((push) => full === undefined || push.ref === full)
      .filter((push) => kind === undefined || push.kind === kind)
      .filter((push) => push.at >= Date.now() - days * 86_400_000)
      .filter((push) => actor === undefined || login(push)?.toLowerCase() === actor.toLowerCase())
      .map((push) => activityJson(host, repository, push));
    return paginateByCursor(request, reply, direction === 'asc' ? found : found.reverse(), 'after');
  });
};

const daysOf: Readonly<Record<string, number>> = { day: 1, week: 7, month: 30, quarter: 91, year: 365 };

const zeros = '0'.repeat(40);

const activityJson = (host: Host, repository: HostedRepository, { ref, before, after, at, by, kind }: Push) => {
  const id = stableId(`activity:${repository.id}:${ref}:${before}:${after}:${at}`);
  return {
    id,
    node_id: nodeId('PushActivity', id),
    before: before ?? zeros,
    after: after ?? zeros,
    ref,
    timestamp: timeText(at),
    activity_type: kind,
    actor: personJson(host, by),
  };
};
