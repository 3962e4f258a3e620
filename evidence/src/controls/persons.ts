import type { Truth } from './known.ts';

/**
 * Who did something, by an opaque id. `guessed`: resembling names say so, which is not enough to call two people different or
 * the same. `erased`: the id stays and leads to nobody, so that a second id of the same human can no longer be found.
 */
export type Actor = { readonly kind: 'human' | 'agent' | 'unknown' } & (
  | { readonly identity: 'resolved' | 'guessed' | 'erased'; readonly person: string }
  | { readonly identity: 'unresolved' }
);

/** Whether two actors are one human, or one agent. */
export function isSame(one: Actor, other: Actor): Truth {
  const [a, b] = [personOf(one), personOf(other)];
  if (a !== undefined && a === b) return 'yes';
  return one.identity === 'resolved' && other.identity === 'resolved' ? 'no' : 'unknown';
}

/** Whether an actor is among others. */
export function isAmong(one: Actor, others: readonly Actor[]): Truth {
  const truths = others.map((other) => isSame(one, other));
  if (truths.includes('yes')) return 'yes';
  return truths.includes('unknown') ? 'unknown' : 'no';
}

/** Whose act it was, where that is more than a guess. */
export const personOf = (actor: Actor): string | undefined =>
  actor.identity === 'resolved' || actor.identity === 'erased' ? actor.person : undefined;
