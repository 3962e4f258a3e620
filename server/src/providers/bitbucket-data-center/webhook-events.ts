import { z } from 'zod';
import { hostNumber, readItems } from '#providers/host-data.ts';
import type { EventRepository, HostEvent } from '#providers/host-events.ts';
import { commitFrom } from './commit-shapes.ts';
import { pullRequestFrom } from './pull-request-shapes.ts';
import { hostId, idAt, instanceOf, linked, maybeTime, maybeUser, selfLink } from './shapes.ts';

type DataCenterPayload = Record<string, unknown>;

/** Parses the event of a delivery by the key in its headers. Throws ZodError for an invalid body. */
export function dataCenterEventsFrom(event: string, payload: DataCenterPayload): HostEvent[] {
  if (event === 'repo:refs_changed') return readPush(payload);
  if (event === 'repo:modified') return [changed];
  if (event === 'pr:deleted' || event.startsWith('pr:comment:')) return [];
  return event.startsWith('pr:') ? [readPullRequest(event, payload)] : [];
}

// The payload has no default branch: the repositories of the project are listed again.
const changed: HostEvent = { kind: 'selection', installationId: '', hasAdded: true, removed: [] };

const repository = z.object({ id: hostId });
const pushEvent = z.object({
  date: maybeTime,
  actor: maybeUser,
  repository: z.unknown(),
  changes: z.array(
    z.object({
      ref: z.object({ id: z.string() }).nullish(),
      refId: z.string().nullish(),
      fromHash: z.string(),
      toHash: z.string(),
      type: z.string(),
    }),
  ),
  // Since version 8: the newest commits of all changes together.
  commits: z.array(z.looseObject({ id: z.string() })).nullish(),
});
const zeros = /^0*$/;

function readPush(payload: DataCenterPayload): HostEvent[] {
  const { date, actor, repository: found, changes, commits } = pushEvent.parse(payload);
  const subject = subjectOf(found, date);
  const pushed = changes.length === 1 ? (commits ?? []).toReversed() : [];
  return changes.flatMap(({ ref, refId, fromHash, toHash, type }): HostEvent[] => {
    const name = ref?.id ?? refId;
    if (name == null) return [];
    const [isNew, isDeleted] = [type === 'ADD' || zeros.test(fromHash), type === 'DELETE' || zeros.test(toHash)];
    return [
      {
        kind: 'push',
        repository: subject,
        ref: name,
        before: isNew ? null : fromHash,
        after: isDeleted ? null : toHash,
        shas: pushed.map(({ id }) => id),
        isWhole: false,
        ...((isNew || isDeleted) && { isForced: false }),
        ...(actor && { pusher: actor }),
        ...(date !== null && { at: date }),
        parsePayload: () => readItems(pushed, commitFrom, ({ id }) => id).items,
      },
    ];
  });
}

const pullRequestEvent = z.object({
  actor: maybeUser,
  pullRequest: z.looseObject({
    id: hostNumber,
    fromRef: z.looseObject({ latestCommit: z.string().nullish() }).nullish(),
    toRef: z.looseObject({ repository: z.unknown() }),
  }),
});

function readPullRequest(event: string, payload: DataCenterPayload): HostEvent {
  const { actor, pullRequest: found } = pullRequestEvent.parse(payload);
  const sha = found.fromRef?.latestCommit;
  const isClosed = event === 'pr:merged' || event === 'pr:declined';
  return {
    kind: 'pull_request',
    repository: subjectOf(found.toRef.repository, null),
    number: found.id,
    ...(event === 'pr:from_ref_updated' && sha && { pushed: { sha, pusher: actor } }),
    parsePayload: () => ({
      pullRequest: pullRequestFrom(found, isClosed ? { by: actor, mergeSha: null } : undefined),
      reviews: undefined,
    }),
  };
}

// Payloads before version 8 have no addresses: our webhook belongs to the repository, which determines it.
const subjectOf = (json: unknown, pushedAt: string | null): EventRepository => {
  const { id } = repository.parse(json);
  const self = selfLink(linked.parse(json));
  const base = self?.replace(/\/(?:projects|users)\/[^/]+\/repos\/.*$/, '');
  return { id: base === undefined ? id : idAt(instanceOf(base), id), pushedAt };
};
