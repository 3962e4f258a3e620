import { kindsWithHistory } from '@sightline/evidence/bundle/kinds.ts';
import { type Records, recordsIn, recordsKind, recordsSubject } from '@sightline/evidence/bundle/records.ts';
import { checkRemediations } from '@sightline/evidence/bundle/remediation-check.ts';
import { evaluationIdsIn, evaluationKind, remediationStoriesIn } from '@sightline/evidence/bundle/remediations.ts';
import type { BundleScope, PlacedDigest } from '@sightline/evidence/bundle/scope.ts';
import { type CanonicalValue, canonicalJson } from '@sightline/evidence/ledger/canonical.ts';
import { parseEntry } from '@sightline/evidence/ledger/entry.ts';
import { Conflict } from '#core/errors.ts';
import { factId } from '#core/ids.ts';
import { createLedgerEntry, isReadByKindSql, type LedgerEntry, type PersonalField } from '#core/ledger.ts';
import type { Tx } from '#database/database.ts';
import type { EvaluatedAt } from './evaluate.ts';
import type { SealedState, SnapshotRow } from './queries.ts';

/** The scope of policies and waivers in a snapshot, as in its bundle. */
type Scope = Pick<BundleScope, 'period' | 'repositories'>;

export const recordScopeOf = ({
  from,
  to,
  repositories,
}: Pick<SnapshotRow, 'from' | 'to' | 'repositories'>): Scope => ({
  period: { from: from.toISOString(), to: to.toISOString() },
  repositories,
});

/**
 * Returns the policies, waivers and remediations of the period, from all entries of the epoch up to the evaluated size.
 * Throws 409 if verifiers would reject a remediation.
 */
export async function recordsFor(
  tx: Tx,
  orgId: string,
  { epoch, size }: { epoch: number; size: number },
  about: Scope,
): Promise<Records> {
  const rows = await tx.query<{ index: number; entry: string }>({
    name: 'snapshots.recorded',
    text: `select leaf_index::int as index, entry_text(e) as entry from ledger_entry e
           where org_id = $1 and kind = any($2) and ${isReadByKindSql} and epoch = $3 and leaf_index < $4 order by leaf_index`,
    values: [orgId, kindsWithHistory, epoch, size],
  });
  const recorded = rows.map(({ index, entry }) => ({ ...parseEntry(entry), index }));
  const entries = [...recorded, ...(await evaluationsFor(tx, orgId, { epoch, size }, evaluationIdsIn(recorded)))];
  try {
    checkRemediations(remediationStoriesIn(entries, size, about), entries, epoch);
  } catch (error) {
    throw Conflict(`${(error as Error).message}. Run doctor --ledger, and create a new snapshot.`);
  }
  return recordsIn(entries, size, about);
}

/** Returns the entries of evaluations to which remediations refer. */
async function evaluationsFor(
  tx: Tx,
  orgId: string,
  { epoch, size }: { epoch: number; size: number },
  ids: readonly string[],
) {
  if (ids.length === 0) return [];
  const rows = await tx.query<{ index: number; entry: string }>({
    name: 'snapshots.evaluations',
    text: `select leaf_index::int as index, entry_text(e) as entry from ledger_entry e
           where org_id = $1 and entry_id = any($2::uuid[]) and kind = $3 and epoch = $4 and leaf_index < $5 order by leaf_index`,
    values: [orgId, ids, evaluationKind, epoch, size],
  });
  return rows.map(({ index, entry }) => ({ ...parseEntry(entry), index }));
}

/** The scope of the bundle of a snapshot. */
export const bundleScopeOf = (
  orgId: string,
  row: SnapshotRow,
  sealed: Pick<SealedState, 'organization' | 'supersedes'>,
): BundleScope => ({
  org: { id: orgId, name: sealed.organization },
  name: row.name,
  ...recordScopeOf(row),
  redaction: row.redaction,
  controls: row.controls,
  supersedes: sealed.supersedes,
});

/** The parts of a snapshot whose hashes its ledger entry contains. */
interface SealedSnapshot {
  row: SnapshotRow;
  at: EvaluatedAt;
  records: Records;
  sealed: SealedState;
}

/** Returns the ledger entry of the snapshot, which commits to names of persons. */
export const recordsEntry = (
  orgId: string,
  { row, at, records, sealed }: SealedSnapshot,
  names: readonly PersonalField[],
): LedgerEntry =>
  createLedgerEntry(
    {
      id: recordsEntryId(row.id),
      org: orgId,
      kind: recordsKind,
      person: null,
      source: 'sightline',
      asOf: at.signedAt.toISOString(),
      receivedAt: at.signedAt.toISOString(),
      subject: subjectOf(orgId, { row, at, records, sealed }),
      personal: {},
    },
    undefined,
    names,
  );

export const recordsEntryId = (snapshotId: string): string => factId('snapshot records', snapshotId);

const subjectOf = (orgId: string, { row, at, records, sealed }: SealedSnapshot) =>
  recordsSubject(records, {
    ...sealed,
    scope: bundleScopeOf(orgId, row, sealed),
    evaluated: { epoch: at.epoch, size: at.size, root: at.root.toString('base64') },
  });

/** Throws 409 if the ledger commits to something else. */
export async function checkRecords(tx: Tx, orgId: string, snapshot: SealedSnapshot): Promise<void> {
  const { row, at } = snapshot;
  const [recorded] = await tx.query<{ entry: string }>({
    name: 'snapshots.records-entry',
    text: 'select entry_text(e) as entry from ledger_entry e where org_id = $1 and entry_id = $2 and epoch = $3',
    values: [orgId, recordsEntryId(row.id), at.epoch],
  });
  if (!recorded) throw new Error('The ledger entry of the snapshot is missing');
  if (canonicalJson(parseEntry(recorded.entry).subject) !== canonicalJson(subjectOf(orgId, snapshot))) {
    throw Conflict('Policies, waivers or the scope changed. Run doctor --ledger, and create a new snapshot.');
  }
}

/** Returns the signed bodies of the digests of the period. */
export async function digestsFor(tx: Tx, orgId: string, { period, repositories }: Scope): Promise<PlacedDigest[]> {
  const rows = await tx.query<{ id: string; body: string }>({
    name: 'snapshots.digests',
    text: `select id, body from commit_digest where org_id = $1 and period_to > $2 and period_from < $3
             and ($4::uuid[] is null or repository_id = any($4)) order by id`,
    values: [orgId, period.from, period.to, repositories],
  });
  return rows.map(({ id, body }) => ({ id, body: JSON.parse(body) as CanonicalValue }));
}
