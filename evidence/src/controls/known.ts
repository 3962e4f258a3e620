/**
 * A fact as far as its source told it. `partial`: what is there is so, and there may be more. `missing`: nobody said, which is
 * never read as "no".
 */
export type Fact<T> = { readonly state: 'complete' | 'partial'; readonly value: T } | { readonly state: 'missing' };

/** Whether something is so, as far as is known. */
export type Truth = 'yes' | 'no' | 'unknown';

/** The value of a fact that is known whole; undefined otherwise. */
export const completeValue = <T>(fact: Fact<T>): T | undefined => (fact.state === 'complete' ? fact.value : undefined);

/** What is known of a list, whole or not. */
export const knownItems = <T>(fact: Fact<readonly T[]>): readonly T[] => (fact.state === 'missing' ? [] : fact.value);
