import type { Provider } from '@sightline/contract/core/providers.ts';
import type { Services } from '#core/services.ts';
import type { HostNews } from '#providers/host-events.ts';

/** What a host sent, as it lies in the queue. */
export interface Delivery {
  provider: Provider;
  id: string;
  event: string;
  body: string;
  receivedAt: Date;
  /** Our own webhook it came by; null where it came by an app. */
  hookId: string | null;
}

/** What a handler is given. `isLastTry`: take what the delivery itself says rather than nothing. */
export interface DeliveryWork<News extends HostNews = HostNews> {
  services: Services;
  orgId: string;
  provider: Provider;
  hookId: string | null;
  news: News;
  receivedAt: Date;
  isLastTry: boolean;
}

/** The work of one kind of news. */
export type WorkOf<Kind extends HostNews['kind']> = DeliveryWork<Extract<HostNews, { kind: Kind }>>;
