import { isRecord, type Plain } from '../ledger/canonical.ts';
import type { Entry } from '../ledger/entry.ts';

/** An entry and where it stands, as records are drawn from it. */
export interface ToldEntry extends Pick<Entry, 'asOf' | 'kind' | 'person' | 'receivedAt' | 'subject'> {
  readonly index: number;
}

/** That something was done: by which entry, when, and by which opaque person; null: by the clock or the operator. */
export interface Done {
  readonly entry: number;
  readonly at: string;
  readonly by: string | null;
}

export const doneBy = ({ index, asOf, person }: ToldEntry): Done => ({ entry: index, at: asOf, by: person });

/** What an entry of the audit log says of its subject. */
export function auditOf({ subject }: Pick<ToldEntry, 'subject'>): { id: string; data: EntryValues } {
  const { id, data } = subject;
  return { id: typeof id === 'string' ? id : '', data: isRecord(data) ? data : {} };
}

export type EntryValues = { readonly [key: string]: Plain };

export const valuesOf = (value: Plain | undefined): EntryValues => (isRecord(value) ? value : {});

/** Entries of some kinds below a size of the log, in its order. */
export const ofKinds = <One extends Pick<ToldEntry, 'index' | 'kind'>>(
  entries: Iterable<One>,
  kinds: readonly string[],
  size: number,
): One[] =>
  [...entries]
    .filter(({ kind, index }) => index < size && kinds.includes(kind))
    .toSorted((one, other) => one.index - other.index);
