import { z } from 'zod';
import { hostNumber } from '#providers/host-data.ts';
import type { HostEvent } from '#providers/host-events.ts';
import { commitFromPush } from './commit-shapes.ts';
import { pullRequestFrom } from './pull-request-shapes.ts';
import { maybeUser, repositoryFrom } from './shapes.ts';

type GiteaPayload = Record<string, unknown>;

/** Parses the event of a delivery by the name in its headers. Throws ZodError for an invalid body. */
export function giteaEventsFrom(event: string, payload: GiteaPayload): HostEvent[] {
  if (event === 'push') return [readPush(payload)];
  if (event === 'delete') return readDelete(payload);
  if (event === 'repository') return readRepository(payload);
  // `pull_request_approved`, `pull_request_rejected` and `pull_request_comment` are reviews.
  return /^pull_request(_approved|_rejected|_comment|_sync)?$/.test(event) ? [readPullRequest(payload)] : [];
}

const pushEvent = z.object({
  ref: z.string(),
  before: z.string(),
  after: z.string(),
  commits: z.array(z.looseObject({ id: z.string() })).nullish(),
  total_commits: z.number().int().nullish(),
  pusher: maybeUser,
});
const zeros = /^0*$/;

function readPush(payload: GiteaPayload): HostEvent {
  const { ref, before, after, commits, total_commits: total, pusher } = pushEvent.parse(payload);
  // Newest first in the payload.
  const pushed = (commits ?? []).toReversed();
  return {
    kind: 'push',
    repository: repositoryIn(payload),
    ref,
    before: zeros.test(before) ? null : before,
    after: zeros.test(after) ? null : after,
    shas: pushed.map(({ id }) => id),
    // An instance sends the newest five commits by default.
    isWhole: pushed.length > 0 && total === pushed.length,
    ...((zeros.test(before) || zeros.test(after)) && { isForced: false }),
    ...(pusher && { pusher }),
    parsePayload: () => pushed.map(commitFromPush),
  };
}

const deleteEvent = z.object({ ref: z.string(), ref_type: z.string() });

function readDelete(payload: GiteaPayload): HostEvent[] {
  const { ref, ref_type: type } = deleteEvent.parse(payload);
  const prefix = type === 'tag' ? 'refs/tags/' : 'refs/heads/';
  return [
    { kind: 'ref_deleted', repository: repositoryIn(payload), ref: ref.startsWith('refs/') ? ref : prefix + ref },
  ];
}

const pullRequestEvent = z.object({
  action: z.string().nullish(),
  number: hostNumber,
  pull_request: z.looseObject({ head: z.looseObject({ sha: z.string().nullish() }).nullish() }),
  sender: maybeUser,
});

function readPullRequest(payload: GiteaPayload): HostEvent {
  const { action, number, pull_request: found, sender } = pullRequestEvent.parse(payload);
  const sha = found.head?.sha;
  return {
    kind: 'pull_request',
    repository: repositoryIn(payload),
    number,
    ...(action === 'synchronized' && sha && { pushed: { sha, pusher: sender } }),
    parsePayload: () => ({
      pullRequest: pullRequestFrom(found, action === 'closed' ? sender : null),
      reviews: undefined,
    }),
  };
}

const repositoryEvent = z.object({ action: z.string(), repository: z.unknown() });

function readRepository(payload: GiteaPayload): HostEvent[] {
  const { action, repository } = repositoryEvent.parse(payload);
  if (action !== 'deleted') return [];
  // Our webhook belongs to the repository, which determines the installation.
  return [{ kind: 'repository', change: 'deleted', repository: repositoryFrom(repository), installationId: '' }];
}

const repositoryIn = ({ repository }: GiteaPayload) => {
  const { id, pushedAt } = repositoryFrom(repository);
  return { id, pushedAt };
};
