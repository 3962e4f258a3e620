import { byCodeUnits } from './order.ts';

/** An item that parameters excluded from a population. */
export interface ExcludedItem {
  /** The version of the applied setting; 0: the defaults. */
  readonly setting: number;
  /** The parameters that exclude it, in their order in the control. */
  readonly parameters: readonly string[];
  /** Whether the defaults exclude it too. */
  readonly isExcludedByDefault: boolean;
}

/** How many items a parameter of a setting excluded. An item that several parameters exclude counts for each. */
export interface Exclusion {
  readonly parameter: string;
  /** The version of the setting; 0: the defaults. */
  readonly setting: number;
  readonly items: number;
  /** How many of them the defaults exclude too. */
  readonly byDefault: number;
}

/** Counts excluded items, by parameter, then by version of the setting. */
export function exclusionsOf(excluded: readonly ExcludedItem[]): readonly Exclusion[] {
  const counts = new Map<string, { parameter: string; setting: number; items: number; byDefault: number }>();
  for (const { setting, parameters, isExcludedByDefault } of excluded) {
    for (const parameter of parameters) {
      const key = `${parameter} ${setting}`;
      const count = counts.get(key) ?? { parameter, setting, items: 0, byDefault: 0 };
      counts.set(key, count);
      count.items += 1;
      if (isExcludedByDefault) count.byDefault += 1;
    }
  }
  return [...counts.values()].toSorted(
    (one, other) => byCodeUnits(one.parameter, other.parameter) || one.setting - other.setting,
  );
}

/** Whether a population is empty, and settings excluded items that the defaults include. */
export const isEmptiedBySettings = (
  { population }: { readonly population: number },
  exclusions: readonly Exclusion[],
): boolean => population === 0 && exclusions.some(({ items, byDefault }) => items > byDefault);
