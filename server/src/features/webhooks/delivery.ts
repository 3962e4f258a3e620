import type { Services } from '#core/services.ts';

/** What a host sent, as it lies in the queue. */
export interface Delivery {
  id: string;
  event: string;
  body: string;
  receivedAt: Date;
}

/** What a handler is given. `isLastTry`: take what the payload itself says rather than nothing. */
export interface Work {
  services: Services;
  orgId: string;
  payload: Record<string, unknown>;
  receivedAt: Date;
  isLastTry: boolean;
}
