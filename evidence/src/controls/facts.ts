/**
 * A fact as known from its source. `partial`: the value is true but may be incomplete. `missing`: unknown, which never
 * counts as "no".
 */
export type Fact<T> = { readonly state: 'complete' | 'partial'; readonly value: T } | { readonly state: 'missing' };

/** A three-valued truth. */
export type Truth = 'yes' | 'no' | 'unknown';

/** The value of a complete fact; undefined otherwise. */
export const completeValue = <T>(fact: Fact<T>): T | undefined => (fact.state === 'complete' ? fact.value : undefined);

/** The known items of a list, even if incomplete. */
export const knownItems = <T>(fact: Fact<readonly T[]>): readonly T[] => (fact.state === 'missing' ? [] : fact.value);
