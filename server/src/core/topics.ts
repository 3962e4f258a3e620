import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';

declare const payloadType: unique symbol;

/** Something that happens in a domain, for the domains above it. `name` begins with the domain: `sources.push-received`. */
export interface Topic<Payload> {
  readonly name: `${string}.${string}`;
  readonly [payloadType]?: (payload: Payload) => Payload;
}
export const topic = <Payload>(name: Topic<Payload>['name']): Topic<Payload> => ({ name });

/** The publisher's transaction and the organization it writes for. */
export interface Publication {
  services: Services;
  tx: Tx;
  orgId: string;
}
type Handler<Payload> = (publication: Publication, payload: Payload) => Promise<unknown>;

/** `subscriber` begins with the domain that subscribes: `compliance.record-push`. */
export interface Subscription {
  readonly topic: string;
  readonly subscriber: `${string}.${string}`;
  readonly handle: Handler<never>;
}

/**
 * Has `handle` run in the publisher's transaction: if it throws, the changes of the publisher are rolled back too. Work that may
 * fail alone is a job that the handler enqueues.
 */
export const on = <Payload>(
  { name }: Topic<Payload>,
  subscriber: Subscription['subscriber'],
  handle: Handler<NoInfer<Payload>>,
): Subscription => ({ topic: name, subscriber, handle });

export interface Topics {
  /** Runs the subscribers of a topic one after the other, in the order of domains/subscriptions.ts. */
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
