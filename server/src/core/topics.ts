import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';

declare const payloadType: unique symbol;

/** An event of a domain for higher domains. `name` begins with the domain: `sources.push-received`. */
export interface Topic<Payload> {
  readonly name: `${string}.${string}`;
  readonly [payloadType]?: (payload: Payload) => Payload;
}
export const topic = <Payload>(name: Topic<Payload>['name']): Topic<Payload> => ({ name });

/** The transaction of the publisher and its organization. */
export interface Publication {
  services: Services;
  tx: Tx;
  orgId: string;
}
type Handler<Payload> = (publication: Publication, payload: Payload) => Promise<unknown>;

/** `subscriber` begins with the subscribing domain: `compliance.record-push`. */
export interface Subscription {
  readonly topic: string;
  readonly subscriber: `${string}.${string}`;
  readonly handle: Handler<never>;
}

/**
 * Subscribes `handle` in the transaction of the publisher: an error rolls back the changes of the publisher too. Work
 * that may fail separately is a job that the handler enqueues.
 */
export const subscribeTo = <Payload>(
  { name }: Topic<Payload>,
  subscriber: Subscription['subscriber'],
  handle: Handler<NoInfer<Payload>>,
): Subscription => ({ topic: name, subscriber, handle });

export interface Topics {
  /** Runs the subscribers of a topic sequentially, in the order of domains/subscriptions.ts. */
  publish: <Payload>(publication: Publication, topic: Topic<Payload>, payload: NoInfer<Payload>) => Promise<void>;
}

declare module '#core/services.ts' {
  interface Services {
    topics: Topics;
  }
}

export function createTopics(subscriptions: readonly Subscription[]): Topics {
  const byTopic = Map.groupBy(subscriptions, (subscription) => subscription.topic);
  return {
    async publish(publication, { name }, payload) {
      for (const { handle } of byTopic.get(name) ?? []) await handle(publication, payload as never);
    },
  };
}
