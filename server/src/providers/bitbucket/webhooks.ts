import { z } from 'zod';
import { Invalid } from '#core/errors.ts';
import { signatureOf } from '#providers/github/signature.ts';
import { hostNumber, readItems } from '#providers/host-data.ts';
import type { EventRepository, HostEvent, HostWebhooks } from '#providers/host-events.ts';
import { commitFrom } from './commit-shapes.ts';
import { pullRequestFrom } from './pull-request-shapes.ts';
import { maybeUser, time } from './shapes.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const eventName = /^[a-z]+:[a-z_]{1,100}$/;

/** Webhooks of Bitbucket: signed with the secret of the webhook, with a request ID that retries repeat. */
export const bitbucketWebhooks: HostWebhooks = {
  signatureOf: (secret, header) => signatureOf(secret, header('x-hub-signature')),

  // Moving a branch to a commit twice results in identical bodies.
  hasDistinctBodies: false,
  name(_, header) {
    const [deliveryId, event] = [header('x-request-uuid').toLowerCase(), header('x-event-key')];
    if (!uuid.test(deliveryId)) throw Invalid('X-Request-UUID', 'must be a uuid');
    if (!eventName.test(event)) throw Invalid('X-Event-Key', 'must name an event');
    return { deliveryId, event };
  },

  read(event, payload) {
    if (event === 'repo:push') return pushes(payload);
    if (event.startsWith('pullrequest:')) return [pullRequest(payload)];
    return event === 'repo:updated' ? [changed] : [];
  },
};

const repository = z.object({ repository: z.object({ uuid: z.string().min(1) }) });

const ref = z
  .object({ type: z.string(), name: z.string(), target: z.object({ hash: z.string() }).nullish() })
  .nullish();
const change = z.object({
  old: ref,
  new: ref,
  truncated: z.boolean().default(false),
  forced: z.boolean().nullish(),
  commits: z.array(z.looseObject({ hash: z.string().min(7), date: time.nullish().catch(null) })).default([]),
});
const push = z.object({ push: z.object({ changes: z.array(change) }), actor: maybeUser });

// A push has no time: the date of its newest commit is used.
const subjectOf = (payload: unknown, pushedAt: string | null): EventRepository => ({
  id: repository.parse(payload).repository.uuid,
  pushedAt,
});

function pushes(payload: unknown): HostEvent[] {
  const { push: pushed, actor } = push.parse(payload);
  return pushed.changes.flatMap((found): HostEvent[] => {
    const { old: was, new: is, truncated, forced } = found;
    const named = is ?? was;
    if (!named) return [];
    const full = `refs/${named.type === 'tag' ? 'tags' : 'heads'}/${named.name}`;
    if (!is) return [{ kind: 'ref_deleted', repository: subjectOf(payload, null), ref: full }];
    // The payload lists the newest commit first.
    const commits = found.commits.toReversed();
    return [
      {
        kind: 'push',
        repository: subjectOf(payload, commits.at(-1)?.date ?? null),
        ref: full,
        before: was?.target?.hash ?? null,
        after: is.target?.hash ?? null,
        shas: commits.map(({ hash }) => hash),
        isWhole: !truncated,
        ...(typeof forced === 'boolean' && { isForced: forced }),
        ...(actor && { pusher: actor }),
        // Some commits lack author or date: those are read from the API.
        parsePayload: () => readItems(commits, commitFrom, ({ hash }) => hash).items,
      },
    ];
  });
}

const about = z.object({ pullrequest: z.object({ id: hostNumber }) });

// The payload does not contain the activity and therefore no reviews.
const pullRequest = (payload: Record<string, unknown>): HostEvent => ({
  kind: 'pull_request',
  repository: subjectOf(payload, null),
  number: about.parse(payload).pullrequest.id,
  parsePayload: () => ({ pullRequest: pullRequestFrom(payload.pullrequest), reviews: undefined }),
});

// The payload has no default branch: the repositories of the workspace are listed again.
const changed: HostEvent = { kind: 'selection', installationId: '', hasAdded: true, removed: [] };
