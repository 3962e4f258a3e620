import { createHash, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { unsignedBody } from '#core/signatures.ts';
import { hostNumber } from '#providers/host-data.ts';
import type { EventRepository, HostEvent, HostWebhooks } from '#providers/host-events.ts';
import { readPush, shaOrNull } from './commit-shapes.ts';
import { hookUser } from './hooks.ts';
import { guid } from './shapes.ts';

const eventName = /^[a-z][a-z.-]{1,60}$/;
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

const envelope = z.object({ id: guid, eventType: z.string().regex(eventName) });

/**
 * Deliveries of service hooks. They have no signature: a password proves the sender, and what a delivery says about a
 * pull request or a commit is read from the API again.
 */
export const azureDevopsWebhooks: HostWebhooks = {
  signatureOf(secret, header, { mustSign = false } = {}) {
    const given = /^basic\s+([A-Za-z0-9+/=]+)$/i.exec(header('authorization'))?.[1];
    if (given === undefined || mustSign) return undefined;
    const expected = digest(`${hookUser}:${secret}`);
    const isValid = timingSafeEqual(digest(Buffer.from(given, 'base64').toString()), expected);
    return isValid ? unsignedBody : undefined;
  },
  // Each delivery has its time.
  hasDistinctBodies: false,
  name(body) {
    const found = envelope.safeParse(parsed(body)).data;
    if (!found) return { deliveryId: digest(body.toString()).toString('hex'), event: 'unknown' };
    // Subscriptions to several events can get the same one.
    return { deliveryId: `${found.eventType}:${found.id}`, event: found.eventType };
  },
  read(event, payload) {
    if (event === 'git.push') return readPushes(payload);
    return /^git\.pullrequest\.(?:created|updated|merged)$/.test(event) ? [readPullRequest(payload)] : [];
  },
};

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return null;
  }
}

const repository = z.object({ id: guid });
const pushed = z.object({
  resource: z.looseObject({
    repository: repository.nullish(),
    commits: z.array(z.object({ commitId: z.string().regex(/^[0-9a-f]{40}$/) })).nullish(),
  }),
});

/** A push can move several refs, of which only one can have the listed commits. */
function readPushes(payload: Record<string, unknown>): HostEvent[] {
  const { resource } = pushed.parse(payload);
  const { date, pushedBy, refUpdates } = readPush(resource);
  const commits = refUpdates?.length === 1 ? (resource.commits ?? []).map(({ commitId }) => commitId) : [];
  return (refUpdates ?? []).map(({ name: ref, oldObjectId, newObjectId }): HostEvent => {
    const place: EventRepository = { id: resource.repository?.id ?? '', pushedAt: date };
    const [before, after] = [shaOrNull(oldObjectId), shaOrNull(newObjectId)];
    if (after === null && !ref.startsWith('refs/heads/')) return { kind: 'ref_deleted', repository: place, ref };
    return {
      kind: 'push',
      repository: place,
      ref,
      before,
      after,
      // Newest first in the payload, and not all of a long push.
      shas: commits.toReversed(),
      isWhole: false,
      ...((before === null || after === null) && { isForced: false }),
      ...(pushedBy && { pusher: pushedBy }),
      at: date,
      // Nothing about a commit is taken from a body without a signature.
      parsePayload: () => [],
    };
  });
}

const about = z.object({ resource: z.object({ repository: repository.nullish(), pullRequestId: hostNumber }) });

function readPullRequest(payload: Record<string, unknown>): HostEvent {
  const { resource } = about.parse(payload);
  return {
    kind: 'pull_request',
    repository: { id: resource.repository?.id ?? '', pushedAt: null },
    number: resource.pullRequestId,
    parsePayload: undefined,
  };
}
