import type { Fact } from '@sightline/evidence/controls/known.ts';

export const missing = { state: 'missing' } as const;
export const known = <T>(value: T): Fact<T> => ({ state: 'complete', value });
export const partly = <T>(value: T): Fact<T> => ({ state: 'partial', value });

/** The places of entries that rows rest on, each once and in order. */
export const placesOf = (leaves: readonly (number | null)[]): number[] =>
  [...new Set(leaves.filter((leaf) => leaf !== null))].sort((one, other) => one - other);

/** The first and the last of instants; empty of none. */
export const earliest = (...times: readonly string[]): string => times.toSorted()[0] ?? '';
export const latest = (...times: readonly string[]): string => times.toSorted().at(-1) ?? '';
