import type { Predicate } from '@sightline/contract/timeline/query-language/ast.ts';
import type { Clock } from '@sightline/contract/timeline/query-language/dates.ts';
import type { Actor } from '#core/actor.ts';
import type { Services } from '#core/services.ts';
import type { StoreCondition } from '../store/condition.ts';

/** What a query's names and times are read against. */
export interface QueryScene {
  services: Services;
  actor: Actor;
  clock: Clock;
  /** The parts of words that are asked for, as they come. */
  parts: string[];
  /** What a context asks for; undefined where there is none with this id. */
  maybeWithin: (contextId: string) => Promise<StoreCondition | undefined>;
}

export const textsOf = (test: Predicate & { kind: 'any' }) => test.values.map(({ text }) => text);
