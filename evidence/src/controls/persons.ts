import type { Truth } from './known.ts';

/** Another person whom `.mailmap` or an account owner takes for the same human. */
export interface SamePerson {
  readonly person: string;
}

/**
 * Who did something, by an opaque id. `guessed`: resembling names say so, which is not enough to call two people different or
 * the same. `erased`: the id stays and leads to nobody, so that a second id of the same human can no longer be found.
 */
export type Actor = { readonly kind: 'human' | 'agent' | 'unknown' } & (
  | {
      readonly identity: 'resolved' | 'guessed' | 'erased';
      readonly person: string;
      /** Of those who had a part in the same change. Makes two persons one, which only ever takes an approval away. */
      readonly sameAs?: readonly SamePerson[];
    }
  | { readonly identity: 'unresolved' }
);

/** Whether two actors are one human, or one agent. */
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

/** Whose act it was, where that is more than a guess. */
export const personOf = (actor: Actor): string | undefined =>
  actor.identity === 'resolved' || actor.identity === 'erased' ? actor.person : undefined;
