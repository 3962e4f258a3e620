import { type CanonicalValue, isRecord } from '../ledger/canonical.ts';
import type { Entry } from '../ledger/entry.ts';

/** A parsed ledger entry with its index, from which records are derived. */
export interface IndexedEntry extends Pick<Entry, 'asOf' | 'id' | 'kind' | 'person' | 'receivedAt' | 'subject'> {
  readonly index: number;
}

/** A recorded action: its entry, time and opaque person; null: by the scheduler or the operator. */
export interface RecordedAction {
  readonly entry: number;
  readonly at: string;
  readonly by: string | null;
}

export const recordedActionOf = ({ index, asOf, person }: IndexedEntry): RecordedAction => ({
  entry: index,
  at: asOf,
  by: person,
});

/** Returns the target and data of an audit log entry. */
export function auditTargetAndData({ subject }: Pick<IndexedEntry, 'subject'>): { id: string; data: EntryValues } {
  const { id, data } = subject;
  return { id: typeof id === 'string' ? id : '', data: isRecord(data) ? data : {} };
}

export type EntryValues = { readonly [key: string]: CanonicalValue };

export const valuesOf = (value: CanonicalValue | undefined): EntryValues => (isRecord(value) ? value : {});

/** Returns the entries of some kinds below a ledger size, in ledger order. */
export const entriesOfKinds = <One extends Pick<IndexedEntry, 'index' | 'kind'>>(
  entries: Iterable<One>,
  kinds: readonly string[],
  size: number,
): One[] =>
  [...entries]
    .filter(({ kind, index }) => index < size && kinds.includes(kind))
    .toSorted((one, other) => one.index - other.index);
