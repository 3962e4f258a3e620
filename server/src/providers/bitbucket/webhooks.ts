import { z } from 'zod';
import { Invalid } from '#core/errors.ts';
import { signatureOf } from '#providers/github/signature.ts';
import { hostNumber, readItems } from '#providers/host-data.ts';
import type { HostNews, HostWebhooks, NewsOf } from '#providers/host-events.ts';
import { commitFrom } from './commit-shapes.ts';
import { pullRequestFrom } from './pull-request-shapes.ts';
import { maybeUser, time } from './shapes.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const eventName = /^[a-z]+:[a-z_]{1,100}$/;

/** Bitbucket's webhooks: signed with the secret of the hook, named by the id of the request, the same on each try. */
export const bitbucketWebhooks: HostWebhooks = {
  signatureOf: (secret, header) => signatureOf(secret, header('x-hub-signature')),

  // A branch that moves there, back and there again makes the same bytes twice.
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

// A push does not say when it came: its newest commit stands for that.
const of = (payload: unknown, pushedAt: string | null): NewsOf => ({
  id: repository.parse(payload).repository.uuid,
  pushedAt,
});

function pushes(payload: unknown): HostNews[] {
  const { push: pushed, actor } = push.parse(payload);
  return pushed.changes.flatMap((found): HostNews[] => {
    const { old: was, new: is, truncated, forced } = found;
    const named = is ?? was;
    if (!named) return [];
    const full = `refs/${named.type === 'tag' ? 'tags' : 'heads'}/${named.name}`;
    if (!is) return [{ kind: 'ref_deleted', repository: of(payload, null), ref: full }];
    // The newest stands first.
    const commits = found.commits.toReversed();
    return [
      {
        kind: 'push',
        repository: of(payload, commits.at(-1)?.date ?? null),
        ref: full,
        before: was?.target?.hash ?? null,
        after: is.target?.hash ?? null,
        shas: commits.map(({ hash }) => hash),
        isWhole: !truncated,
        ...(typeof forced === 'boolean' && { isForced: forced }),
        ...(actor && { pusher: actor }),
        // Bitbucket leaves out authors and dates of some: the host is asked for those.
        told: () => readItems(commits, commitFrom, ({ hash }) => hash).items,
      },
    ];
  });
}

const about = z.object({ pullrequest: z.object({ id: hostNumber }) });

// Who reviewed it stands in its activity, which a delivery does not carry.
const pullRequest = (payload: Record<string, unknown>): HostNews => ({
  kind: 'pull_request',
  repository: of(payload, null),
  number: about.parse(payload).pullrequest.id,
  told: () => ({ pullRequest: pullRequestFrom(payload.pullrequest), reviews: undefined }),
});

// A delivery names less of its repository than a list does, not even its default branch: the workspace is listed again.
const changed: HostNews = { kind: 'selection', installationId: '', hasAdded: true, removed: [] };
