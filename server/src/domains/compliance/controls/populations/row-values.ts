import type { Fact } from '@sightline/evidence/controls/facts.ts';

export const missing = { state: 'missing' } as const;
export const known = <T>(value: T): Fact<T> => ({ state: 'complete', value });
export const partial = <T>(value: T): Fact<T> => ({ state: 'partial', value });

/** The leaf indexes of the entries behind an item, ascending and without duplicates. */
export const distinctLeaves = (leaves: readonly (number | null)[]): number[] =>
  [...new Set(leaves.filter((leaf) => leaf !== null))].sort((one, other) => one - other);

/** The earliest and the latest time; empty without times. */
export const earliest = (...times: readonly string[]): string => times.toSorted()[0] ?? '';
export const latest = (...times: readonly string[]): string => times.toSorted().at(-1) ?? '';
