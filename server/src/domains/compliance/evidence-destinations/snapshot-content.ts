import type { SnapshotDetails } from '@sightline/contract/compliance/snapshots.ts';
import { type Manifest, manifestPath, parseManifest } from '@sightline/evidence/bundle/manifest.ts';
import { openZip } from '@sightline/evidence/bundle/zip-read.ts';
import type { ControlId } from '@sightline/evidence/controls/catalog.ts';
import { type Completeness, isComplete } from '@sightline/evidence/controls/completeness.ts';
import type { EvaluatedRow } from '@sightline/evidence/controls/evidence-line.ts';
import type { PopulationRow } from '@sightline/evidence/controls/rows.ts';
import { type Bytes, textOf, toBase64 } from '@sightline/evidence/ledger/bytes.ts';
import { parseCheckpoint } from '@sightline/evidence/ledger/checkpoint.ts';
import { splitNote } from '@sightline/evidence/ledger/note.ts';
import { Conflict } from '#core/errors.ts';
import { parseJsonLines } from '#core/json.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { openBundleFor, readBundle } from '../snapshots/commands.ts';
import { findSnapshot } from '../snapshots/queries.ts';

/** A repository, with its IDs at the code host for receivers. */
export interface SnapshotRepository {
  id: string;
  provider: string;
  /** The number or name of the repository at the code host. */
  hostId: string;
  fullName: string;
  url: string;
}

/** The present title and location of a finding, because a snapshot contains only IDs. */
export interface FindingText {
  title: string;
  path: string | null;
  line: number | null;
  cwes: readonly number[];
}

/** The content of the bundle of a snapshot, from which every kind of destination builds its items. */
export interface SnapshotContent {
  snapshot: SnapshotDetails;
  /** The page of the snapshot. */
  href: string;
  manifest: Manifest;
  /** Root hash of the checkpoint that contains the results, in base64. */
  root: string;
  bundle: { name: string; sha256: string; content: Bytes };
  /** Returns a file of the bundle; undefined if there is none with that path. */
  file: (path: string) => Bytes | undefined;
  /** Returns the evaluated rows of a control, in order; undefined if it was not evaluated. */
  rows: <Row extends PopulationRow>(control: ControlId) => readonly EvaluatedRow<Row>[] | undefined;
  /** Whether the population of a control is incomplete, or its completeness unknown. */
  isIncomplete: (control: ControlId) => boolean;
  /** The repositories in its scope that are still enabled. */
  repositories: readonly SnapshotRepository[];
  /** By ID, without deleted findings; empty if personal data is redacted. */
  findings: ReadonlyMap<string, FindingText>;
}

/** Opens the bundle of a snapshot for a delivery. Throws 404, and 409 until it is ready. */
export async function openSnapshot(services: Services, orgId: string, snapshotId: string): Promise<SnapshotContent> {
  const { withOrg } = services.database;
  const content = await readBundle(await openBundleFor(services, orgId, snapshotId, 'none'));
  const snapshot = await withOrg(orgId, (tx) => findSnapshot(tx, orgId, snapshotId));
  const { bundle } = snapshot;
  if (!bundle) throw Conflict('The bundle is not ready.');
  const archive = openZip(content);
  const file = (path: string) => (archive.paths.includes(path) ? archive.file(path) : undefined);
  const text = (path: string) => textOf(archive.file(path));
  const manifest = parseManifest(archive.file(manifestPath));
  const rows: SnapshotContent['rows'] = (control) => {
    const found = file(`evidence/${control}.jsonl`);
    return found && parseJsonLines(textOf(found));
  };
  const controls = new Set<string>(manifest.controls);
  return {
    snapshot,
    href: `${services.config.PUBLIC_URL}/evidence/snapshots/${snapshotId}`,
    manifest,
    root: toBase64(parseCheckpoint(splitNote(text('ledger/checkpoint')).text).root),
    bundle: { name: bundle.name, sha256: bundle.sha256, content },
    file,
    rows,
    isIncomplete: (control) =>
      controls.has(control) &&
      (JSON.parse(text(`controls/${control}.json`)) as { completeness: Completeness[] }).completeness.some(
        (one) => !isComplete(one),
      ),
    repositories: await withOrg(orgId, (tx) => repositoriesOf(tx, orgId, manifest.repositories)),
    findings:
      manifest.redaction === 'none' || manifest.redaction === 'names'
        ? await withOrg(orgId, (tx) => findingsOf(tx, orgId, rows('VUL-01') ?? []))
        : new Map<string, FindingText>(),
  };
}

const repositoriesOf = ({ db }: Tx, orgId: string, only: readonly string[] | null): Promise<SnapshotRepository[]> =>
  db
    .selectFrom('repository')
    .where('org_id', '=', orgId)
    .where('tracked', '=', true)
    .where('removed_at', 'is', null)
    .$if(only !== null, (q) => q.where('id', 'in', [...(only ?? [])]))
    .select(['id', 'provider', 'provider_repo_id as hostId', 'full_name as fullName', 'html_url as url'])
    .orderBy('full_name')
    .orderBy('id')
    .execute();

/** Returns the ID of the finding of a row. */
export const findingIdOf = ({ subject }: PopulationRow): string => subject.replace(/^finding:/, '');

async function findingsOf(
  { db }: Tx,
  orgId: string,
  rows: readonly EvaluatedRow[],
): Promise<ReadonlyMap<string, FindingText>> {
  const ids = rows.map(({ row }) => findingIdOf(row));
  const known = new Map<string, FindingText>();
  for (let begun = 0; begun < ids.length; begun += batch) {
    const found = await db
      .selectFrom('finding as f')
      .innerJoin('finding_title as t', (join) =>
        join.onRef('t.org_id', '=', 'f.org_id').onRef('t.id', '=', 'f.title_id'),
      )
      .where('f.org_id', '=', orgId)
      .where('f.id', 'in', ids.slice(begun, begun + batch))
      .select(['f.id', 't.title', 'f.path', 'f.line', 'f.cwes'])
      .execute();
    for (const { id, ...text } of found) known.set(id, text);
  }
  return known;
}

const batch = 1000;
