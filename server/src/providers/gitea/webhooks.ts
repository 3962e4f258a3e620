import { createHash } from 'node:crypto';
import { hmacCheck } from '#core/signatures.ts';
import type { HostWebhooks } from '#providers/host-events.ts';
import { giteaEventsFrom } from './webhook-events.ts';

const printable = /^[\x21-\x7e]{8,200}$/;
const eventName = /^[a-z_]{1,50}$/;

/** Webhooks of Forgejo and Gitea: both send the headers of Gitea, and Forgejo its own besides. */
export const giteaWebhooks: HostWebhooks = {
  signatureOf(secret, header) {
    const given = ['x-forgejo-signature', 'x-gitea-signature']
      .map(header)
      .filter((text) => /^[0-9a-f]{64}$/i.test(text));
    return hmacCheck(
      secret,
      given.map((text) => Buffer.from(text, 'hex')),
    );
  },
  // Moving a branch to a commit twice results in identical bodies.
  hasDistinctBodies: false,
  name(body, header) {
    const first = (names: readonly string[], form: RegExp) => names.map(header).find((text) => form.test(text));
    return {
      deliveryId:
        first(['x-forgejo-delivery', 'x-gitea-delivery'], printable) ?? createHash('sha256').update(body).digest('hex'),
      event: first(['x-forgejo-event', 'x-gitea-event'], eventName) ?? 'unknown',
    };
  },
  read: giteaEventsFrom,
};
