import { createHash } from 'node:crypto';
import { hmacCheck } from '#core/signatures.ts';
import type { HostWebhooks } from '#providers/host-events.ts';
import { dataCenterEventsFrom } from './webhook-events.ts';

const printable = /^[\x21-\x7e]{8,200}$/;
const eventName = /^[a-z]{1,30}(?::[a-z_]{1,50}){1,3}$/;
const signature = /^sha256=([0-9a-f]{64})$/i;

/** Webhooks of Bitbucket Data Center, signed with the secret of the webhook. */
export const dataCenterWebhooks: HostWebhooks = {
  signatureOf(secret, header) {
    const [, given] = signature.exec(header('x-hub-signature')) ?? [];
    return given === undefined ? undefined : hmacCheck(secret, [Buffer.from(given, 'hex')]);
  },
  // Bodies have the time in seconds: two decisions within one have equal bodies.
  hasDistinctBodies: false,
  name(body, header) {
    const [id, event] = [header('x-request-id'), header('x-event-key')];
    return {
      deliveryId: printable.test(id) ? id : createHash('sha256').update(body).digest('hex'),
      event: eventName.test(event) ? event : 'unknown',
    };
  },
  read: dataCenterEventsFrom,
};
