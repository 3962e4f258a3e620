import type { ContextFilter } from '@sightline/contract/timeline/contexts.ts';
import { type ExploreResponse, queryEvents } from '@sightline/contract/timeline/events.ts';
import type {
  Activity,
  activityRequest,
  EventsPage,
  historyRequest,
} from '@sightline/contract/tools/presence-history.ts';
import type { z } from 'zod';
import { type Actor, requireMemberActor } from '#core/actor.ts';
import { NotFound } from '#core/errors.ts';
import type { Services } from '#core/services.ts';
import type { SocketCaller } from '#core/sockets.ts';
import { readableRepositoryIds } from '../../sources/repositories/queries.ts';
import { exploreEvents } from '../../timeline/events/queries.ts';
import type { StatusCache } from './status-cache.ts';

/** `user`: the caller's own events; `project`: all events of a repository. */
export type HistorySubject = 'user' | 'project';

/** Returns the caller's connection status, and the newest event that their role may see. */
export async function getActivity(
  services: Services,
  {
    statuses,
    caller,
    about,
    request: { projectId, since },
  }: { statuses: StatusCache; caller: SocketCaller; about: HistorySubject; request: z.output<typeof activityRequest> },
): Promise<Activity> {
  const actor = await actorOf(services, caller);
  const status = await statuses.of(actor.orgId, actor.accountId);
  const filters = await filtersOf(services, actor, {
    about,
    project: projectId ?? status.currentProject?.repositoryId,
    named: projectId,
  });
  const newest =
    filters && (await mayExplore(services, actor))
      ? await queryTimeline(services, actor, {
          filters: [...filters, ...(since === undefined ? [] : [time('after', since)])],
          events: 1,
        })
      : undefined;
  return {
    ide: { status: status.ide_status, timestamp: status.ide_timestamp, type: status.ide_type },
    browser: { status: status.browser_status, timestamp: status.browser_timestamp, type: status.browser_type },
    currentProject: status.currentProject,
    lastEvent: newest?.events[0] ?? null,
  };
}

/** Returns events, newest first. */
export async function listActivityHistory(
  services: Services,
  {
    statuses,
    caller,
    about,
    request: { projectId, before, limit, kinds },
  }: { statuses: StatusCache; caller: SocketCaller; about: HistorySubject; request: z.output<typeof historyRequest> },
): Promise<EventsPage> {
  const actor = await actorOf(services, caller);
  if (!(await mayExplore(services, actor))) throw NotFound();
  const { currentProject } = await statuses.of(actor.orgId, actor.accountId);
  const filters = await filtersOf(services, actor, {
    about,
    project: projectId ?? currentProject?.repositoryId,
    named: projectId,
  });
  if (!filters) throw NotFound('An open repository');
  const isCursor = before?.includes('_') ?? false;
  const page = await queryTimeline(services, actor, {
    filters: [
      ...filters,
      ...(before === undefined || isCursor ? [] : [time('before', before)]),
      ...(kinds.length === 0 ? [] : [filter('event', 'kind', 'in', ...kinds)]),
    ],
    events: limit,
    older: isCursor ? before : undefined,
  });
  return { events: page.events, next: page.reachedEnd ? null : page.cursors.older };
}

const actorOf = ({ memberships }: Services, { id, address, claims }: SocketCaller) =>
  requireMemberActor(memberships, { claims, request: { id, ip: address }, permission: 'read:events' });

const mayExplore = ({ flags }: Services, actor: Actor) => flags.isOn('release2', actor);

/** Undefined if a project is required and none is open. */
async function filtersOf(
  services: Services,
  actor: Actor,
  { about, project, named }: { about: HistorySubject; project: string | undefined; named: string | undefined },
): Promise<ContextFilter[] | undefined> {
  const repository = about === 'project' ? project : named;
  if (repository !== undefined) await requireReadable(services, actor, repository);
  if (about === 'project' && repository === undefined) return undefined;
  return [
    ...(about === 'user' ? [filter('user', 'id', 'is', actor.personId)] : []),
    ...(repository === undefined ? [] : [filter('repository', 'id', 'is', repository)]),
  ];
}

async function requireReadable({ database }: Services, actor: Actor, repository: string): Promise<void> {
  const readable = await database.withOrg(actor.orgId, (tx) => readableRepositoryIds(tx, actor, [repository]));
  if (readable.length === 0) throw NotFound('Repository');
}

async function queryTimeline(
  services: Services,
  actor: Actor,
  { filters, events, older }: { filters: ContextFilter[]; events: number; older?: string | undefined },
): Promise<ExploreResponse> {
  const request = { filters, pagination: { events, cursors: older === undefined ? {} : { older } } };
  const { rawJson } = await exploreEvents(services, actor, queryEvents.body.parse(request));
  return JSON.parse(rawJson);
}

const filter = (
  within: ContextFilter['within'],
  field: string,
  predicate: ContextFilter['predicate'],
  ...values: string[]
): ContextFilter => ({ within, field, predicate, arguments: values });
const time = (predicate: 'before' | 'after', at: string) => filter('event', 'as_of', predicate, at);
