import {
  type Census,
  type CensusCounter,
  censusKind,
  censusSubject,
  createCensusCounter,
} from '@sightline/evidence/ledger/census.ts';
import { newId } from '#core/ids.ts';
import { createLedgerEntry, type LedgerEntry, type LedgerFact } from '#core/ledger.ts';
import type { LedgerLog } from '#core/ledger-log.ts';
import type { Tx } from '#database/database.ts';
import { appendWithoutQueue, LedgerContradiction, lockHead, maybeHead } from './head.ts';
import { haltLog } from './sequence.ts';

/**
 * Appends a census with the number of leaves by kind since the last one, so that omissions from evidence are
 * detectable. Returns the census; undefined if there is nothing to count or the log is halted.
 */
export async function appendCensus(ledger: LedgerLog, orgId: string): Promise<Census | undefined> {
  const unlockedHead = await ledger.database.withOrg(orgId, (tx) => maybeHead(tx, orgId));
  if (!unlockedHead || unlockedHead.halted !== null || unlockedHead.size === unlockedHead.censusFrom) return undefined;
  try {
    const kinds = createCensusCounter();
    // Counts most leaves before locking the log, since existing leaves never change.
    const { epoch, censusFrom: from, size } = unlockedHead;
    await ledger.database.withOrg(orgId, (tx) => count(tx, orgId, { epoch, kinds, from, to: size }));
    return await ledger.database.withOrg(orgId, async (tx) => {
      const head = await lockHead(tx, orgId, 'wait');
      // Another process appended a census in the meantime.
      if (!head || head.halted !== null || head.epoch !== epoch || head.censusFrom !== from) return undefined;
      await count(tx, orgId, { epoch, kinds, from: size, to: head.size });
      const census = kinds.census(from, head.size);
      const { size: next } = await appendWithoutQueue(
        tx,
        orgId,
        head,
        createLedgerOwnEntry(orgId, censusKind, censusSubject(census)),
      );
      await tx.query({
        name: 'ledger.census',
        text: 'update ledger_log set census_from = $3 where org_id = $1 and epoch = $2',
        values: [orgId, epoch, next],
      });
      return census;
    });
  } catch (error) {
    if (!(error instanceof LedgerContradiction)) throw error;
    await haltLog(ledger, orgId, error.message);
    return undefined;
  }
}

const leavesPerPage = 10_000;

async function count(
  tx: Tx,
  orgId: string,
  { epoch, kinds, from, to }: { epoch: number; kinds: CensusCounter; from: number; to: number },
): Promise<void> {
  for (let at = from; at < to; at += leavesPerPage) {
    const end = Math.min(at + leavesPerPage, to);
    const rows = await tx.query<{ kind: string; leaf: Buffer }>({
      name: 'ledger.count',
      text: `select kind, leaf_hash as leaf from ledger_entry
             where org_id = $1 and epoch = $2 and leaf_index >= $3 and leaf_index < $4 order by leaf_index`,
      values: [orgId, epoch, at, end],
    });
    if (rows.length !== end - at) throw new LedgerContradiction(`Of the leaves from ${at} to ${end} some are missing`);
    for (const { kind, leaf } of rows) kinds.add(kind, leaf);
  }
}

/** An entry of the ledger about itself. */
export function createLedgerOwnEntry(orgId: string, kind: string, subject: LedgerFact['subject']): LedgerEntry {
  const now = new Date().toISOString();
  return createLedgerEntry(
    {
      id: newId(),
      org: orgId,
      kind,
      asOf: now,
      receivedAt: now,
      person: null,
      source: 'ledger',
      subject,
      personal: {},
    },
    undefined,
  );
}
