import type { Provider } from '@sightline/contract/core/providers.ts';
import type { Services } from '#core/services.ts';
import type { HostEvent } from '#providers/host-events.ts';
import type { StoredBody } from './body.ts';

/** A queued webhook delivery. */
export interface Delivery {
  provider: Provider;
  id: string;
  event: string;
  body: StoredBody;
  receivedAt: Date;
  /** Our webhook that received it; null for the webhook of an app. */
  hookId: string | null;
  /** The delivery only concerns a repository that is not enabled. Its body was not read. */
  isIrrelevant: boolean;
}

/** The input of a handler. `isLastTry`: use the payload if the host does not respond. */
export interface DeliveryWork<Event extends HostEvent = HostEvent> {
  services: Services;
  orgId: string;
  provider: Provider;
  hookId: string | null;
  hostEvent: Event;
  receivedAt: Date;
  isLastTry: boolean;
}

/** The input of the handler for one kind of event. */
export type WebhookWork<Kind extends HostEvent['kind']> = DeliveryWork<Extract<HostEvent, { kind: Kind }>>;
