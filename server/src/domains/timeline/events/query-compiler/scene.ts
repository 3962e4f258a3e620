import type { Predicate } from '@sightline/contract/timeline/query-language/ast.ts';
import type { Clock } from '@sightline/contract/timeline/query-language/dates.ts';
import type { Actor } from '#core/actor.ts';
import type { Services } from '#core/services.ts';
import type { StoreCondition } from '../store/condition.ts';

/** The context that resolves names and times of a query. */
export interface QueryScene {
  services: Services;
  actor: Actor;
  clock: Clock;
  /** The parts of words in the query, in order. */
  parts: string[];
  /** The condition of a context; undefined if none has this ID. */
  maybeWithin: (contextId: string) => Promise<StoreCondition | undefined>;
}

export const valueTextsOf = (test: Predicate & { kind: 'any' }) => test.values.map(({ text }) => text);
