import { accountsIn } from '@sightline/evidence/bundle/accounts.ts';
import { changeKind, isChangeInScope, latestChangesIn } from '@sightline/evidence/bundle/change-entries.ts';
import { changeLinksIn } from '@sightline/evidence/bundle/change-links.ts';
import { codeHostsOf } from '@sightline/evidence/bundle/code-hosts.ts';
import type { RowNotes } from '@sightline/evidence/bundle/derived-files.ts';
import { completeKinds } from '@sightline/evidence/bundle/kinds.ts';
import type { OpenedField } from '@sightline/evidence/bundle/openings.ts';
import type { PackedRun } from '@sightline/evidence/bundle/packed-run.ts';
import { remediationsIn, remediationTextsOf } from '@sightline/evidence/bundle/remediations.ts';
import { packRun } from '@sightline/evidence/bundle/run-summary.ts';
import type { BundleContents, BundleScope, PlacedEntry, Tree } from '@sightline/evidence/bundle/scope.ts';
import type { LeafEntry } from '@sightline/evidence/bundle/verification-state.ts';
import { catalogVersion } from '@sightline/evidence/controls/catalog.ts';
import { fromBase64, toBase64 } from '@sightline/evidence/ledger/bytes.ts';
import type { CanonicalValue } from '@sightline/evidence/ledger/canonical.ts';
import { censusKind } from '@sightline/evidence/ledger/census.ts';
import { type Entry, openDisclosure, parseEntry } from '@sightline/evidence/ledger/entry.ts';
import { Conflict } from '#core/errors.ts';
import { isReadByKindSql } from '#core/ledger.ts';
import type { PersonRegistry } from '#core/people.ts';
import type { Tx } from '#database/database.ts';
import { findCheckpointAt, findSignedNote, proofReaderOf } from '../../ledger/ledger/queries.ts';
import { remainingDisclosures } from './disclosures.ts';
import { type EvaluatedAt, evaluateForSnapshot, leavesOfRows, runEntryId } from './evaluate.ts';
import { personDisclosures, personNameFields, repositoryDisclosures, repositoryNamesOf } from './names.ts';
import type { SealedState, SnapshotRow } from './queries.ts';
import { bundleScopeOf, checkRecords, digestsFor, recordScopeOf, recordsEntryId, recordsFor } from './records.ts';
import { findReport } from './report/save.ts';

const day = 24 * 60 * 60_000;

/**
 * Loads the content of the bundle of a captured snapshot, without later data. Throws 409 if the evaluated facts
 * changed.
 */
export async function loadBundleContents(
  tx: Tx,
  people: PersonRegistry,
  orgId: string,
  row: SnapshotRow,
): Promise<BundleContents> {
  const { epoch, evaluatedSize, size, sealed, captured } = row;
  if (epoch === null || evaluatedSize === null || size === null || !sealed || !captured)
    throw new Error('The snapshot has no checkpoint');
  const { origin, vkey } = await findSignedNote(tx, orgId, { epoch, size });
  const at = await findCheckpointAt(tx, orgId, { epoch, size: evaluatedSize });
  const about = recordScopeOf(row);
  const scope = bundleScopeOf(orgId, row, sealed);
  const evaluated = { size: evaluatedSize, root: toBase64(new Uint8Array(at.root)) };
  const notes = await rowNotesFor(tx, orgId, row, { at, isNamed: row.redaction !== 'all' });
  const { runs, leaves } = await runsOf(tx, orgId, { row, at, about: { scope, evaluated, ...notes } });
  const records = await recordsFor(tx, orgId, { epoch, size: evaluatedSize }, about);
  await checkRecords(tx, orgId, { row, at, records, sealed });
  const proofs = proofReaderOf(tx, orgId, epoch);
  const { from, rows } = await entriesOf(tx, orgId, {
    snapshotRow: row,
    epoch,
    size,
    named: [...leaves, ...records.leaves],
  });
  const below = rows.filter(({ index }) => index < evaluatedSize);
  const seal = rows
    .map(({ index, entry }) => ({ index, entry }))
    .find(({ entry }) => entry.includes(recordsEntryId(row.id)));
  const entries: PlacedEntry[] = [];
  for (const { index, entry } of rows) entries.push({ index, entry, proof: await proofs.inclusion(index, size) });
  const earlier = [];
  for (const before of captured.earlier) {
    earlier.push({ size: before, root: await proofs.root(before), proof: await proofs.consistency(before, size) });
  }
  const changeEntries = rows
    .filter(({ kind }) => kind === changeKind)
    .map(({ index, kind, entry }) => ({ ...parseEntry(entry), kind, index }));
  const changes = await changesOf(tx, orgId, { entries: changeEntries, evaluated: evaluatedSize, scope });
  if (!seal) throw new Error('The ledger entry of the snapshot is missing');
  const disclosures = await disclosuresFor(tx, people, orgId, { row, sealed, entries: below, seal: seal.index });
  return {
    scope,
    ledger: { origin, epoch, size },
    checkpoint: captured.checkpoint,
    evaluated,
    codeHosts: codeHostsOf(changeEntries, evaluatedSize, scope),
    people: accountsIn(changeEntries, openedOf(changeEntries, disclosures), evaluatedSize, scope),
    population: { from, to: rows.findLast(({ kind }) => kind === censusKind)?.index ?? 0 },
    entries,
    disclosures,
    disclosed: sealed.disclosed,
    parts: changes,
    digests: await digestsFor(tx, orgId, about),
    earlier,
    anchors: sealed.anchors,
    report: row.redaction === 'all' ? undefined : await findReport(tx, orgId, { snapshotId: row.id, sealed }),
    ...(captured.stamp !== undefined && { stamp: fromBase64(captured.stamp) }),
    runs,
    vkey,
  };
}

/** The disclosures of the bundle of a snapshot, with the redaction of the row. */
async function disclosuresFor(
  tx: Tx,
  people: PersonRegistry,
  orgId: string,
  { row, sealed, entries, seal }: { row: SnapshotRow; sealed: SealedState; entries: readonly EntryRow[]; seal: number },
): Promise<BundleContents['disclosures']> {
  const { redaction } = row;
  const personal =
    redaction === 'none' || redaction === 'names'
      ? await remainingDisclosures(tx, people, orgId, { entries, sealed })
      : [];
  const repositories = redaction === 'all' ? [] : await repositoryDisclosures(tx, orgId, entries, recordScopeOf(row));
  const named =
    redaction === 'none'
      ? personDisclosures(
          { index: seal, id: recordsEntryId(row.id) },
          await personNameFields(tx, people, orgId, row.id),
        )
      : [];
  return [...personal, ...repositories, ...named].toSorted((one, other) => one.index - other.index);
}

/** The disclosed fields of change entries. */
function openedOf(
  entries: readonly (Entry & { index: number })[],
  disclosures: BundleContents['disclosures'],
): OpenedField[] {
  const byIndex = new Map(entries.map((entry) => [entry.index, entry]));
  return disclosures.flatMap(({ index, disclosure }) => {
    const entry = byIndex.get(index);
    return entry ? [{ index, ...openDisclosure(entry, disclosure) }] : [];
  });
}

/**
 * Returns the pull requests of the changes of a snapshot, if its file names repositories, and the remediations of its
 * rows.
 */
export async function rowNotesFor(
  tx: Tx,
  orgId: string,
  row: SnapshotRow,
  { at: { epoch, size }, isNamed }: { at: EvaluatedAt; isNamed: boolean },
): Promise<RowNotes> {
  const about = recordScopeOf(row);
  const { leaves } = await recordsFor(tx, orgId, { epoch, size }, about);
  const { from, rows } = await entriesOf(tx, orgId, { snapshotRow: row, epoch, size, named: leaves });
  const entries = rows.map(({ index, entry }) => ({ ...parseEntry(entry), index }));
  const named = isNamed ? await repositoryDisclosures(tx, orgId, rows, about) : [];
  return {
    links: changeLinksIn(entries, { from, size }, repositoryNamesOf(rows, named)),
    remediations: remediationTextsOf(remediationsIn(entries, size, about), about.period),
  };
}

/** Evaluates and packs the controls one by one. Only the leaf indexes of their items remain in memory. */
async function runsOf(
  tx: Tx,
  orgId: string,
  { row, at, about }: { row: SnapshotRow; at: EvaluatedAt; about: RowNotes & { scope: BundleScope; evaluated: Tree } },
): Promise<{ runs: PackedRun[]; leaves: Set<number> }> {
  const runs: PackedRun[] = [];
  const leaves = new Set<number>();
  for (const control of row.controls) {
    const { run, facts } = await evaluateForSnapshot(tx, orgId, { snapshotRow: row, at, control });
    const leaf = await leafOfRun(tx, orgId, {
      epoch: at.epoch,
      entryId: runEntryId(row.id, control),
      rowsSha256: facts.rowsSha256,
    });
    for (const one of leavesOfRows(run)) leaves.add(one);
    runs.push(await packRun({ ...run, leaf }, { ...about, ledger: at }));
  }
  return { runs, leaves };
}

interface EntryRow extends Record<string, unknown> {
  index: number;
  kind: string;
  entry: string;
}

/** Returns the leaf index of a run entry. Throws 409 if it contains other items than the evaluation now. */
async function leafOfRun(
  tx: Tx,
  orgId: string,
  { epoch, entryId, rowsSha256 }: { epoch: number; entryId: string; rowsSha256: string },
): Promise<number> {
  const [row] = await tx.query<EntryRow>({
    name: 'snapshots.run-entry',
    text: `select leaf_index::int as index, kind, entry_text(e) as entry from ledger_entry e where org_id = $1 and entry_id = $2 and epoch = $3
           order by leaf_index desc limit 1`,
    values: [orgId, entryId, epoch],
  });
  if (!row) throw new Error('The entry of the evaluation is not in the ledger');
  const { rowsSha256: recorded, catalog } = parseEntry(row.entry).subject;
  if (recorded !== rowsSha256) {
    throw Conflict(
      catalog === catalogVersion
        ? 'The data of this snapshot changed. Run doctor --ledger, and create a new snapshot.'
        : `This snapshot was evaluated with catalog version ${catalog}, and version ${catalogVersion} of this server has a different result ` +
            'for the same data. Restore its bundle from a backup, or create a new snapshot.',
    );
  }
  return row.index;
}

/**
 * Returns all entries of the kinds that a bundle contains completely, from the census before the period, and the
 * entries of items.
 */
export async function entriesOf(
  tx: Tx,
  orgId: string,
  {
    snapshotRow: { from: period },
    epoch,
    size,
    named,
  }: { snapshotRow: Pick<SnapshotRow, 'from'>; epoch: number; size: number; named: readonly number[] },
): Promise<{ from: number; rows: EntryRow[] }> {
  // One day earlier, because host clocks differ.
  const [before] = await tx.query<{ index: number }>({
    name: 'snapshots.census-before',
    text: `select leaf_index::int as index from ledger_entry e where org_id = $1 and kind = $2 and ${isReadByKindSql} and epoch = $3 and leaf_index < $4
             and (entry_text(e)::jsonb ->> 'asOf')::timestamptz <= $5 order by leaf_index desc limit 1`,
    values: [orgId, censusKind, epoch, size, new Date(period.getTime() - day)],
  });
  const from = before ? before.index + 1 : 0;
  const rows = await tx.query<EntryRow>({
    name: 'snapshots.entries',
    text: `select leaf_index::int as index, kind, entry_text(e) as entry from ledger_entry e
           where org_id = $1 and epoch = $2
             and ((kind = any($5) and ${isReadByKindSql} and leaf_index >= $3 and leaf_index < $4) or leaf_index = any($6))
           order by leaf_index`,
    values: [orgId, epoch, from, size, [...completeKinds, censusKind], before ? [before.index, ...named] : named],
  });
  return { from, rows };
}

/** The parts of each change in scope, from entries of any kind. */
export const changeParts = (
  tx: Tx,
  orgId: string,
  {
    entries,
    evaluated,
    scope,
  }: {
    entries: readonly Pick<EntryRow, 'index' | 'kind' | 'entry'>[];
    evaluated: number;
    scope: Pick<BundleContents['scope'], 'period' | 'repositories'>;
  },
): Promise<BundleContents['parts']> =>
  changesOf(tx, orgId, {
    entries: entries
      .filter(({ kind }) => kind === changeKind)
      .map(({ index, kind, entry }) => ({ ...parseEntry(entry), kind, index })),
    evaluated,
    scope,
  });

/** The parts of each change in scope; its entry contains their hash. */
async function changesOf(
  tx: Tx,
  orgId: string,
  {
    entries,
    evaluated,
    scope,
  }: {
    entries: readonly Pick<LeafEntry, 'index' | 'kind' | 'subject'>[];
    evaluated: number;
    scope: Pick<BundleContents['scope'], 'period' | 'repositories'>;
  },
): Promise<BundleContents['parts']> {
  const changes = latestChangesIn(entries, evaluated).filter(({ subject }) =>
    isChangeInScope(subject, { period: scope.period, repositories: scope.repositories }),
  );
  const known = await tx.query<{ id: string; version: number; parts: { [key: string]: CanonicalValue } }>({
    name: 'snapshots.parts',
    text: `select c.id, c.version, c.parts from unnest($2::uuid[], $3::int[]) as wanted(id, version)
           join change_record c on c.org_id = $1 and c.id = wanted.id and c.version = wanted.version`,
    values: [orgId, changes.map(({ subject }) => subject.change), changes.map(({ subject }) => subject.version)],
  });
  const byChange = new Map(known.map(({ id, version, parts }) => [`${id} ${version}`, parts]));
  return changes
    .map(({ leaf, subject }) => ({
      index: leaf,
      parts: byChange.get(`${String(subject.change)} ${String(subject.version)}`) ?? {},
    }))
    .toSorted((one, other) => one.index - other.index);
}
