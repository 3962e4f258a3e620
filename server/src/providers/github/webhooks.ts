import { Invalid } from '#core/errors.ts';
import type { HostWebhooks } from '#providers/host-events.ts';
import { signatureOf } from './signature.ts';
import { githubEventsFrom } from './webhook-events.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const eventName = /^[a-z0-9_]{1,100}$/;

/** Webhooks of GitHub: signed with the secret of the app, with a UUID as delivery ID. */
export const githubWebhooks: HostWebhooks = {
  signatureOf: (secret, header) => signatureOf(secret, header('x-hub-signature-256')),
  // Each payload contains IDs or times that are unique to the event.
  hasDistinctBodies: true,
  name(_, header) {
    const deliveryId = header('x-github-delivery').toLowerCase();
    const event = header('x-github-event');
    if (!uuid.test(deliveryId)) throw Invalid('X-GitHub-Delivery', 'must be a uuid');
    if (!eventName.test(event)) throw Invalid('X-GitHub-Event', 'must name an event');
    return { deliveryId, event };
  },
  read: githubEventsFrom,
};
