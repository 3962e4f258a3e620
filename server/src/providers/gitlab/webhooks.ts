import { createHash } from 'node:crypto';
import type { HostWebhooks } from '#providers/host-events.ts';
import { gitlabSignatureOf } from './hooks.ts';
import { gitlabNews } from './webhook-events.ts';

const printable = /^[\x21-\x7e]{8,200}$/;
const kind = /"object_kind"\s*:\s*"([a-z_]{1,50})"/;

/** Deliveries of GitLab: of one kind each, with an id that stays the same when one is sent again. */
export const gitlabWebhooks: HostWebhooks = {
  signatureOf: gitlabSignatureOf,
  // A branch that moves there, back and there again makes the same bytes twice. Signatures cover the id.
  hasDistinctBodies: false,
  name(body, header) {
    const given = [header('idempotency-key'), header('webhook-id')];
    const deliveryId = given.find((id) => printable.test(id)) ?? createHash('sha256').update(body).digest('hex');
    // The header names it in words that are for people; the body begins with what programs read.
    return { deliveryId, event: kind.exec(body.toString('utf8'))?.[1] ?? 'unknown' };
  },
  read: gitlabNews,
};
