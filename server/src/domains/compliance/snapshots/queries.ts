import type {
  listSnapshots as listCall,
  Snapshot,
  SnapshotControl,
  SnapshotDetails,
  SnapshotDifference,
  SnapshotRedaction,
  SnapshotState,
} from '@sightline/contract/compliance/snapshots.ts';
import { type ControlId, controlIds } from '@sightline/contract/core/control-ids.ts';
import type { Page } from '@sightline/contract/core/endpoint.ts';
import type { Manifest } from '@sightline/evidence/bundle/manifest.ts';
import type { SealedFiles } from '@sightline/evidence/bundle/records.ts';
import type { Anchor } from '@sightline/evidence/bundle/scope.ts';
import type { z } from 'zod';
import { NotFound } from '#core/errors.ts';
import type { Tx } from '#database/database.ts';
import { findSignedNote } from '../../ledger/ledger/queries.ts';

/** What the ledger entry of a snapshot commits to besides the evaluations and records. */
export interface SealedState extends Pick<SealedFiles, 'disclosed' | 'reportSha256'> {
  /** Publications before the entry, in `ledger/anchors.json` of the bundle. */
  anchors: readonly Anchor[];
  organization: string;
  /** The id of the superseded bundle. */
  supersedes: string | null;
}

/** The captured state of a snapshot, besides the ledger. */
export interface CapturedState {
  /** The signed note with its cosignatures. */
  checkpoint: string;
  /** The publications up to the checkpoint of the bundle, which the ledger cannot contain. */
  anchors: readonly Anchor[];
  /** Sizes of earlier trees with a consistency proof in the bundle. */
  earlier: number[];
  /** The response of a time-stamping authority for the checkpoint, base64. */
  stamp?: string;
}

export interface SnapshotRow extends Record<string, unknown> {
  id: string;
  name: string;
  from: Date;
  to: Date;
  controls: ControlId[];
  repositories: string[] | null;
  redaction: SnapshotRedaction;
  supersedes: string | null;
  supersededName: string | null;
  createdAt: Date;
  createdBy: string;
  createdByName: string | null;
  state: SnapshotState;
  done: number;
  problem: string | null;
  epoch: number | null;
  evaluatedSize: number | null;
  size: number | null;
  takenAt: Date | null;
  results: SnapshotControl[] | null;
  sealed: SealedState | null;
  captured: CapturedState | null;
  manifest: string | null;
  signature: string | null;
  sha256: Buffer | null;
  bytes: number | null;
  slug: string;
}

const columnsSql = `select s.id, s.name, s.period_from as "from", s.period_to as "to", s.controls, s.repositories, s.redaction, s.supersedes,
    o.name as "supersededName", s.created_at as "createdAt", s.created_by as "createdBy", a.name as "createdByName", s.state, s.done,
    s.problem, s.epoch, s.evaluated_size::int as "evaluatedSize", s.size::int as size, s.taken_at as "takenAt", s.results, s.sealed, s.captured,
    s.signature, s.bundle_sha256 as sha256, s.bytes::int as bytes, org.slug`;
const joinsSql = `from snapshot s join organization org on org.id = s.org_id
    left join snapshot o on o.org_id = s.org_id and o.id = s.supersedes
    left join account a on a.id = s.created_by`;

export async function listSnapshots(
  tx: Tx,
  orgId: string,
  { sort, page, perPage, search }: z.output<typeof listCall.query>,
): Promise<Page<Snapshot[]>> {
  const direction = sort === 'date-asc' ? 'asc' : 'desc';
  const rows = await tx.query<SnapshotRow>({
    name: `snapshots.list-${direction}`,
    text: `${columnsSql} ${joinsSql} where s.org_id = $1 and strpos(lower(s.name), lower($2)) > 0
           order by s.created_at ${direction}, s.id limit $3 offset $4`,
    values: [orgId, search, perPage, (page - 1) * perPage],
  });
  const [counted] = await tx.query<{ total: number }>({
    name: 'snapshots.count',
    text: 'select count(*)::int as total from snapshot where org_id = $1 and strpos(lower(name), lower($2)) > 0',
    values: [orgId, search],
  });
  return { rows: rows.map(snapshotOf), total: counted?.total ?? 0 };
}

/** Returns a stored snapshot. Throws 404. */
export async function findSnapshotRow(tx: Tx, orgId: string, id: string): Promise<SnapshotRow> {
  const [row] = await tx.query<SnapshotRow>({
    name: 'snapshots.find',
    text: `${columnsSql}, s.manifest ${joinsSql} where s.org_id = $1 and s.id = $2`,
    values: [orgId, id],
  });
  if (!row) throw NotFound('Snapshot');
  return row;
}

/** The publications of checkpoints up to a ledger size, the last of each anchor. Hides email addresses. */
export async function publicationsOf(
  tx: Tx,
  orgId: string,
  { epoch, size }: { epoch: number; size: number },
): Promise<Anchor[]> {
  const rows = await tx.query<{ kind: string; party: string; size: number; at: Date }>({
    name: 'snapshots.anchors',
    text: `select distinct on (kind, party) kind, case when kind = 'mail' then 'an email address' else party end as party, size::int, at from ledger_receipt
           where org_id = $1 and epoch = $2 and size <= $3 order by kind, party, size desc`,
    values: [orgId, epoch, size],
  });
  return rows.map(({ at, ...anchor }) => ({ ...anchor, at: at.toISOString() }));
}

export async function findSnapshot(tx: Tx, orgId: string, id: string): Promise<SnapshotDetails> {
  const row = await findSnapshotRow(tx, orgId, id);
  const { epoch, size, manifest } = row;
  const note = epoch === null || size === null ? undefined : await findSignedNote(tx, orgId, { epoch, size });
  const files = manifest === null ? [] : parseManifest(manifest).files;
  const repositoryNames = row.repositories === null ? null : await namesOf(tx, orgId, row.repositories);
  return { ...snapshotOf(row), files: [...files], key: note?.vkey ?? null, repositoryNames };
}

async function namesOf({ db }: Tx, orgId: string, ids: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('repository')
    .select('full_name')
    .where('org_id', '=', orgId)
    .where('id', 'in', ids)
    .orderBy('full_name')
    .execute();
  return rows.map(({ full_name }) => full_name);
}

/** Parses a signed manifest of any catalog version. */
export const parseManifest = (manifest: string): Manifest => JSON.parse(manifest) as Manifest;

/** Compares the results of controls with those of another snapshot, in catalog order. */
export async function diffSnapshots(tx: Tx, orgId: string, id: string, withId: string): Promise<SnapshotDifference[]> {
  const [after, before] = [await findSnapshotRow(tx, orgId, id), await findSnapshotRow(tx, orgId, withId)];
  const of = (row: SnapshotRow, control: ControlId) => row.results?.find((one) => one.id === control) ?? null;
  return controlIds
    .map((control) => ({ id: control, before: of(before, control), after: of(after, control) }))
    .filter((difference) => difference.before !== null || difference.after !== null);
}

export const snapshotOf = (row: SnapshotRow): Snapshot => ({
  id: row.id,
  name: row.name,
  period: { from: row.from.toISOString(), to: row.to.toISOString() },
  controls: row.controls,
  repositories: row.repositories,
  redaction: row.redaction,
  supersedes: row.supersedes === null ? null : { id: row.supersedes, name: row.supersededName ?? '' },
  createdAt: row.createdAt.toISOString(),
  createdBy: { id: row.createdBy, name: row.createdByName ?? '' },
  state: row.state,
  done: row.done,
  problem: row.problem,
  ledger:
    row.epoch === null || row.evaluatedSize === null || row.size === null
      ? null
      : { epoch: row.epoch, evaluated: row.evaluatedSize, size: row.size },
  takenAt: row.takenAt?.toISOString() ?? null,
  results: row.results ?? [],
  bundle:
    row.sha256 === null || row.bytes === null
      ? null
      : { bytes: row.bytes, sha256: row.sha256.toString('hex'), name: bundleName(row) },
});

/** The file name with organization, period, ledger size and restrictions. */
export const bundleName = ({ slug, from, to, size, repositories, redaction }: SnapshotRow): string =>
  [
    'sightline',
    slug,
    from.toISOString().slice(0, 10),
    to.toISOString().slice(0, 10),
    `${size ?? 0}${repositories === null ? '' : `-of-${repositories.length}`}${redaction === 'none' ? '' : `-redacted-${redaction}`}.zip`,
  ].join('-');
