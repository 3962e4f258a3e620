import { disclosuresByPerson } from '@sightline/evidence/bundle/disclosed.ts';
import { textsOf } from '@sightline/evidence/bundle/lines.ts';
import type { Records } from '@sightline/evidence/bundle/records.ts';
import { type ReportContents, reportOf } from '@sightline/evidence/bundle/report.ts';
import { toBase64 } from '@sightline/evidence/ledger/bytes.ts';
import type { CanonicalValue } from '@sightline/evidence/ledger/canonical.ts';
import { appendEntries } from '#core/ledger.ts';
import type { PersonRegistry } from '#core/people.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { findSignedNote } from '../../ledger/ledger/queries.ts';
import { changeParts, entriesOf } from './contents.ts';
import { disclosuresOf, openAll } from './disclosures.ts';
import type { EvaluatedAt } from './evaluate.ts';
import { addUuids, personNameFields, repositoryDisclosures, repositoryNamesOf, storePersonNames } from './names.ts';
import { findSnapshotRow, parseManifest, publicationsOf, type SealedState, type SnapshotRow } from './queries.ts';
import { bundleScopeOf, recordScopeOf, recordsEntry, recordsFor } from './records.ts';
import { drawReport, type ReportData } from './report/draw.ts';
import { hashOfReport, storeReport } from './report/save.ts';

/** The evaluated controls of a snapshot, without their rows. */
interface EvaluatedControls {
  at: EvaluatedAt;
  /** The report data of each control. */
  reports: readonly CanonicalValue[];
  /** The entries that rows depend on. */
  leaves: ReadonlySet<number>;
  /** The UUIDs in rows, among them opaque IDs of persons. */
  persons: ReadonlySet<string>;
}

/**
 * Draws the report, and appends the ledger entry that commits to everything in the bundle that no other entry
 * determines. A retried job keeps the first entry.
 */
export async function sealSnapshot(
  services: Pick<Services, 'database' | 'log' | 'people'>,
  orgId: string,
  row: SnapshotRow,
  evaluated: EvaluatedControls,
): Promise<void> {
  const { withOrg } = services.database;
  const { records, report, anchors, disclosed, ids, ...state } = await withOrg(orgId, (tx) =>
    loadSealed(tx, services.people, orgId, { row, evaluated }),
  );
  const pdf = await drawReport(report);
  if (!pdf) services.log.warn({ orgId, snapshotId: row.id }, 'no report was created: no typesetter for this platform');
  const sealed: SealedState = { ...state, anchors, disclosed, reportSha256: hashOfReport(pdf) };
  await withOrg(orgId, async (tx) => {
    const { numUpdatedRows } = await tx.db
      .updateTable('snapshot')
      .set({ sealed: JSON.stringify(sealed) })
      .where('org_id', '=', orgId)
      .where('id', '=', row.id)
      .where('sealed', 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows !== 1n) return;
    await storeReport(tx, orgId, row.id, pdf);
    await storePersonNames(tx, orgId, row.id, ids);
    const names = await personNameFields(tx, services.people, orgId, row.id);
    await appendEntries(tx, orgId, [recordsEntry(orgId, { row, at: evaluated.at, records, sealed }, names)]);
  });
}

interface LoadedSeal extends Pick<SealedState, 'anchors' | 'disclosed' | 'organization' | 'supersedes'> {
  records: Records;
  report: ReportData;
  /** The UUIDs in everything that can contain the opaque ID of a person. */
  ids: ReadonlySet<string>;
}

async function loadSealed(
  tx: Tx,
  people: PersonRegistry,
  orgId: string,
  { row, evaluated: { at, reports, leaves, persons } }: { row: SnapshotRow; evaluated: EvaluatedControls },
): Promise<LoadedSeal> {
  const { name: organization } = await tx.db
    .selectFrom('organization')
    .select('name')
    .where('id', '=', orgId)
    .executeTakeFirstOrThrow();
  const superseded = row.supersedes === null ? undefined : await findSnapshotRow(tx, orgId, row.supersedes);
  const supersedes = superseded?.manifest ? parseManifest(superseded.manifest).bundleId : null;
  const { epoch, size } = at;
  const records = await recordsFor(tx, orgId, at, recordScopeOf(row));
  const named = [...leaves, ...records.leaves];
  const { from, rows: entries } = await entriesOf(tx, orgId, { snapshotRow: row, epoch, size, named });
  const disclosures = await disclosuresOf(tx, people, orgId, entries);
  const { origin } = await findSignedNote(tx, orgId, { epoch, size });
  const report: ReportContents = {
    scope: bundleScopeOf(orgId, row, { organization, supersedes }),
    evaluated: { size, root: toBase64(new Uint8Array(at.root)) },
    population: { from, to: size },
    anchors: await publicationsOf(tx, orgId, { epoch, size }),
    origin,
    evaluatedAt: at.signedAt.toISOString(),
    entries,
    names: repositoryNamesOf(entries, await repositoryDisclosures(tx, orgId, entries, recordScopeOf(row))),
    controls: reports,
  };
  const parts = await changeParts(tx, orgId, { entries, evaluated: size, scope: recordScopeOf(row) });
  const ids = new Set(persons);
  addUuids(
    textsOf(entries, ({ entry }) => entry),
    ids,
  );
  addUuids(
    textsOf(parts, (one) => JSON.stringify(one)),
    ids,
  );
  return {
    organization,
    supersedes,
    records,
    report: reportOf(report),
    anchors: report.anchors,
    disclosed: disclosuresByPerson(openAll(entries, disclosures)),
    ids,
  };
}
