import { isRecord, type Plain } from '../ledger/canonical.ts';
import type { Entry } from '../ledger/entry.ts';

/** A parsed ledger entry with its index, from which records are derived. */
export interface ToldEntry extends Pick<Entry, 'asOf' | 'kind' | 'person' | 'receivedAt' | 'subject'> {
  readonly index: number;
}

/** A recorded action: its entry, time and opaque person; null: by the scheduler or the operator. */
export interface Done {
  readonly entry: number;
  readonly at: string;
  readonly by: string | null;
}

export const doneBy = ({ index, asOf, person }: ToldEntry): Done => ({ entry: index, at: asOf, by: person });

/** Returns the target and data of an audit log entry. */
export function auditOf({ subject }: Pick<ToldEntry, 'subject'>): { id: string; data: EntryValues } {
  const { id, data } = subject;
  return { id: typeof id === 'string' ? id : '', data: isRecord(data) ? data : {} };
}

export type EntryValues = { readonly [key: string]: Plain };

export const valuesOf = (value: Plain | undefined): EntryValues => (isRecord(value) ? value : {});

/** Returns the entries of some kinds below a ledger size, in ledger order. */
export const ofKinds = <One extends Pick<ToldEntry, 'index' | 'kind'>>(
  entries: Iterable<One>,
  kinds: readonly string[],
  size: number,
): One[] =>
  [...entries]
    .filter(({ kind, index }) => index < size && kinds.includes(kind))
    .toSorted((one, other) => one.index - other.index);
