import type { LedgerLog } from '#core/ledger-log.ts';
import type { Tx } from '#database/database.ts';
import { createEpochLog, extendLog, LedgerContradiction, type LogHead, lockHead, maybeHead } from './head.ts';
import { createSigningKey } from './keys.ts';
import { recordLongestWait } from './record-longest-wait.ts';

/** Maximum entries to sequence in one transaction. */
export const entriesPerTransaction = 1000;

/**
 * Sequences the oldest pending entries of an organization, all or none. Any number of processes may run it
 * concurrently. Returns the number of entries; 0 also if another process locked the log, or if it is halted.
 */
export async function sequenceEntries(ledger: LedgerLog, orgId: string): Promise<number> {
  try {
    return await ledger.database.withOrg(orgId, async (tx) => {
      const head = (await lockHead(tx, orgId, 'skip')) ?? (await createFirstEpoch(tx, ledger, orgId));
      if (head === undefined || head.halted !== null) return 0;
      const leaves = await moveFromQueue(tx, orgId, head);
      if (leaves.length > 0) await extendLog(tx, orgId, head, leaves);
      return leaves.length;
    });
  } catch (error) {
    const because = contradictionOf(error);
    if (because === undefined) throw error;
    await haltLog(ledger, orgId, because);
    return 0;
  }
}

function contradictionOf(error: unknown): string | undefined {
  if (error instanceof LedgerContradiction) return error.message;
  const { constraint } = error as { constraint?: string };
  return constraint === 'ledger_entry_pkey' ? 'A leaf exists at the next index of the head' : undefined;
}

export const logOriginOf = ({ host }: Pick<LedgerLog, 'host'>, orgId: string, epoch: number): string =>
  `${host}/org/${orgId}/${epoch}`;

/** Creates the first epoch if there is no log yet. */
async function createFirstEpoch(tx: Tx, ledger: LedgerLog, orgId: string): Promise<LogHead | undefined> {
  if (await maybeHead(tx, orgId)) return undefined;
  const first = { epoch: 1, origin: logOriginOf(ledger, orgId, 1) };
  if (!(await createEpochLog(tx, orgId, first.epoch, first.origin))) return undefined;
  await createSigningKey(tx, { ledgerLog: ledger, orgId, log: first, fromSize: 0 });
  return lockHead(tx, orgId, 'skip');
}

/**
 * Moves entries from the queue to the end of the log within PostgreSQL. Selects them by ID, since a cursor after the
 * highest ID would lose entries that commit late. Recomputes their hashes from the stored text.
 */
async function moveFromQueue(tx: Tx, orgId: string, head: LogHead): Promise<Buffer[]> {
  const [pending] = await tx.query<{ ids: string[] | null; day: string; seconds: number }>({
    name: 'ledger.waiting',
    text: `select array_agg(id) as ids, to_char(clock_timestamp(), 'YYYY-MM-DD') as day,
             greatest(0, floor(extract(epoch from clock_timestamp() - min(queued_at))))::int as seconds
           from (select id, queued_at from ledger_pending where org_id = $1 order by id limit ${entriesPerTransaction}) w`,
    values: [orgId],
  });
  if (!pending?.ids) return [];
  await recordLongestWait(tx, orgId, pending);
  const rows = await tx.query<{ at: number; hash: Buffer }>({
    name: 'ledger.place',
    text: placeSql,
    values: [orgId, pending.ids, head.epoch, head.size],
  });
  return rows.sort((one, other) => one.at - other.at).map(({ hash }) => hash);
}

// An identical existing entry is removed from the queue and not added again.
const placeSql = `
  with taken as (
    delete from ledger_pending where org_id = $1 and id = any($2::bigint[]) returning id, entry_id, kind, entry
  ), hashed as (
    select id, entry_id, kind, entry, sha256('\\x00'::bytea || convert_to(entry, 'UTF8')) as hash from taken
  ), fresh as (
    select distinct on (h.entry_id, h.hash) h.* from hashed h
    where not exists (select from ledger_entry e where e.org_id = $1 and e.entry_id = h.entry_id and e.leaf_hash = h.hash)
    order by h.entry_id, h.hash, h.id
  )
  insert into ledger_entry (org_id, epoch, leaf_index, leaf_hash, entry_id, kind, packed)
  select $1, $3, $4::bigint + row_number() over (order by id) - 1, hash, entry_id, kind, pack_entry($1, entry_id, kind, entry) from fresh
  returning leaf_index as at, leaf_hash as hash`;

/** Halts the log until an operator starts a new epoch, and notifies about it. */
export async function haltLog(ledger: LedgerLog, orgId: string, because: string): Promise<void> {
  const halted = await ledger.database.withOrg(orgId, (tx) =>
    tx.query({
      name: 'ledger.halt',
      text: `update ledger_log set halted_at = now(), halt_reason = $2
             where org_id = $1 and closed_at is null and halted_at is null returning epoch`,
      values: [orgId, because],
    }),
  );
  if (halted.length === 0) return;
  ledger.log.error({ orgId, because }, 'ledger integrity failure, halted');
  await ledger.failed(orgId, `${because}. The ledger is halted`);
}
