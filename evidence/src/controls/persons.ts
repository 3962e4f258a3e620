import type { Truth } from './facts.ts';

/**
 * Another person who is the same human: linked by `.mailmap` or an Account Owner, or `by` what both have: a confirmed
 * address, a key that signed commits of both, or an editor or browser that both used.
 */
export interface SamePerson {
  readonly person: string;
  readonly by?: 'address' | 'key' | 'device';
}

/**
 * The person who acted, by opaque ID. `guessed`: based on similar names, which neither proves nor excludes identity.
 * `erased`: the ID is permanent, but a second ID of the same human can no longer be found.
 */
export type Actor = { readonly kind: 'human' | 'agent' | 'unknown' } & (
  | {
      readonly identity: 'resolved' | 'guessed' | 'erased';
      readonly person: string;
      /** Among the participants of the same change. It links two persons, which can only invalidate approvals. */
      readonly sameAs?: readonly SamePerson[];
    }
  | { readonly identity: 'unresolved' }
);

/** Whether two actors are the same human or agent. */
export function isSame(one: Actor, other: Actor): Truth {
  const [a, b] = [personOf(one), personOf(other)];
  if (a !== undefined && b !== undefined && (a === b || isLinked(one, b) || isLinked(other, a))) return 'yes';
  return one.identity === 'resolved' && other.identity === 'resolved' ? 'no' : 'unknown';
}

const isLinked = (actor: Actor, person: string): boolean =>
  actor.identity !== 'unresolved' && actor.sameAs?.some((same) => same.person === person) === true;

/** Whether an actor is among others. */
export function isAmong(one: Actor, others: readonly Actor[]): Truth {
  const truths = others.map((other) => isSame(one, other));
  if (truths.includes('yes')) return 'yes';
  return truths.includes('unknown') ? 'unknown' : 'no';
}

/** The actor, unless guessed or unresolved. */
export const personOf = (actor: Actor): string | undefined =>
  actor.identity === 'resolved' || actor.identity === 'erased' ? actor.person : undefined;
