import { createHash } from 'node:crypto';
import type { HostWebhooks } from '#providers/host-events.ts';
import { gitlabSignatureOf } from './hooks.ts';
import { gitlabEventsFrom } from './webhook-events.ts';

const printable = /^[\x21-\x7e]{8,200}$/;
const kind = /"object_kind"\s*:\s*"([a-z_]{1,50})"/;

/** Webhooks of GitLab: of one kind per delivery, with an ID that retries repeat. */
export const gitlabWebhooks: HostWebhooks = {
  signatureOf: gitlabSignatureOf,
  // Moving a branch to a commit twice results in identical bodies. Signatures include the ID.
  hasDistinctBodies: false,
  name(body, header) {
    const candidates = [header('idempotency-key'), header('webhook-id')];
    const deliveryId = candidates.find((id) => printable.test(id)) ?? createHash('sha256').update(body).digest('hex');
    // The header contains a display name; the body contains the identifier of the event.
    return { deliveryId, event: kind.exec(body.toString('utf8'))?.[1] ?? 'unknown' };
  },
  read: gitlabEventsFrom,
};
