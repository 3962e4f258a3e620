import { missingFact } from './facts.ts';

/** Returns copies of a row, each without one fact, at any depth. Persons also lose their identity and kind. */
export function withoutOneFact<T>(value: T): T[] {
  if (Array.isArray(value)) return within(value, (index, item) => value.with(index, item) as T);
  if (typeof value !== 'object' || value === null) return [];
  const inner = within(Object.values(value), (index, item) => ({
    ...value,
    [Object.keys(value)[index] as string]: item,
  }));
  return [...(lessOf(value) as T[]), ...inner];
}

function within<T>(items: readonly unknown[], put: (index: number, item: unknown) => T): T[] {
  return items.flatMap((item, index) => withoutOneFact(item).map((less) => put(index, less)));
}

function lessOf(value: object): object[] {
  if ('state' in value && value.state === 'complete') return [missingFact, { ...value, state: 'partial' }];
  if ('state' in value && value.state === 'partial') return [missingFact];
  if ('identity' in value && value.identity === 'resolved') {
    const kinds = [{ ...value, kind: 'unknown' }];
    return [
      ...kinds,
      { ...value, identity: 'guessed' },
      { ...value, identity: 'erased' },
      { identity: 'unresolved', kind: 'human' },
    ];
  }
  return [];
}
