import type { Tx } from '#database/database.ts';
import { Invalid } from './errors.ts';

/** A size of the ledger in a request; without an epoch, of the current one. */
export interface LedgerSizeRef {
  epoch: number | undefined;
  size: number;
}

/** Parses a ledger size of the contract: `size`, or `epoch.size`. */
export function parseLedgerSize(text: string): LedgerSizeRef {
  const [size = '', epoch] = text.split('.').reverse();
  return { epoch: epoch === undefined ? undefined : Number(epoch), size: Number(size) };
}

/** A size of the ledger up to which all entries are signed. It includes all earlier epochs. */
export interface LedgerSize {
  epoch: number;
  size: number;
  /** When the ledger received the last of these entries, in RFC 3339. It replaces the current time. */
  at: string;
}

/** Resolves a ledger size of the contract. Throws 400 beyond the last checkpoint of the epoch, and without entries. */
export async function resolveLedgerSize(tx: Tx, orgId: string, text: string): Promise<LedgerSize> {
  const { epoch, size } = parseLedgerSize(text);
  const [log] = await tx.query<{ epoch: number; signed: number; at: string | null }>({
    name: 'ledger-size.resolve',
    text: `select l.epoch, l.signed_size as signed, substring(entry_text(e) from '"receivedAt":"([^"]*)"') as at
           from ledger_log l left join ledger_entry e on e.org_id = l.org_id and e.epoch = l.epoch and e.leaf_index = $3::bigint - 1
           where l.org_id = $1 and (l.epoch = $2::int or ($2::int is null and l.closed_at is null))`,
    values: [orgId, epoch ?? null, size],
  });
  if (!log) throw Invalid('ledgerSize', 'must name an epoch of the ledger');
  if (log.signed === 0) throw Invalid('ledgerSize', 'is not available: the ledger has no checkpoint yet');
  if (size < 1 || size > log.signed || log.at === null) {
    throw Invalid('ledgerSize', `must be between 1 and ${log.signed}, the size of the last checkpoint`);
  }
  return { epoch: log.epoch, size, at: log.at };
}

/** Throws 400 for the first of these filters that is set: at a ledger size, nothing recorded could answer it. */
export function refuseUnrecordedFilters<Query extends object>(
  query: Query,
  unrecorded: readonly (keyof Query & string)[],
): void {
  const refused = unrecorded.find((name) => isSet(query[name]));
  if (refused !== undefined) {
    throw Invalid(refused, 'cannot be combined with ledgerSize, because the ledger does not record it');
  }
}

const isSet = (value: unknown): boolean =>
  value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);

/** The position of the first entry of each ID up to a ledger size. */
export async function entriesById(
  tx: Tx,
  orgId: string,
  { epoch, size }: LedgerSize,
  ids: readonly (string | null)[],
): Promise<ReadonlyMap<string, { id: string; epoch: number; index: number }>> {
  const rows = await tx.query<{ id: string; epoch: number; index: number }>({
    name: 'ledger-size.entries',
    text: `select distinct on (entry_id) entry_id as id, epoch, leaf_index as index from ledger_entry
           where org_id = $1 and entry_id = any($2::uuid[]) and (epoch + 0, leaf_index) < ($3::int, $4::bigint)
           order by entry_id, epoch, leaf_index`,
    values: [orgId, ids.filter((id) => id !== null), epoch, size],
  });
  return new Map(rows.map((row) => [row.id, row]));
}
