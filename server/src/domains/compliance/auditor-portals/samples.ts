import { createHash, randomBytes } from 'node:crypto';
import type { Attachment } from '@sightline/contract/compliance/portal-attachments.ts';
import {
  type AuditorSample,
  type AuditSample,
  type AuditSampleDetails,
  type createAuditSample,
  type getPortalSampleRows,
  MAX_KEPT_ROWS,
  MAX_PORTAL_SAMPLES,
  type Workpaper,
  type writeWorkpaper,
} from '@sightline/contract/compliance/portal-samples.ts';
import type { CallOutput } from '@sightline/contract/core/endpoint.ts';
import { drawSample, drawSystematicSample } from '@sightline/evidence/controls/sample.ts';
import { canonicalJson } from '@sightline/evidence/ledger/canonical.ts';
import type { z } from 'zod';
import { recordAuditEntry } from '#core/audit.ts';
import type { PortalActor } from '#core/auditor-portals.ts';
import { Conflict, Invalid, NotFound } from '#core/errors.ts';
import { newId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { attachmentsOfSample } from './attachments.ts';
import type { PortalScope } from './opened-bundle.ts';
import { bundleWithControl, type PositionedRow, rowOf, withPositions } from './portal-rows.ts';
import { actorOf, auditorPersonalDataOf, countWriting, lockOpenPortal, recordView } from './portal-visits.ts';
import { findPortal } from './queries.ts';
import { findSample, requirePosition, type SampleRow, sampleRows } from './sample-rows.ts';

type SampleDraft = z.output<typeof createAuditSample.body>;

interface WorkpaperRow extends Record<string, unknown> {
  sampleId: string;
  position: number;
  version: number;
  conclusion: Workpaper['conclusion'];
  note: string;
  writtenAt: Date;
}

/**
 * Selects and keeps a sample. The entry in the ledger contains method, seed and rows, so that a sample cannot be replaced
 * later by a more convenient one. Throws 404 for a control that the snapshot did not evaluate, 400 for rows outside the
 * population, and 409 above the maximum number of samples.
 */
export async function keepSample(services: Services, actor: PortalActor, draft: SampleDraft): Promise<AuditorSample> {
  const { orgId, portal, requestId } = actor;
  const { name, snapshot, control, method, reason } = draft;
  await services.database.withOrg(orgId, (tx) => requireSnapshot(tx, actor, snapshot));
  const bundle = await bundleWithControl(services, actor, { snapshotId: snapshot, controlId: control });
  const rows = withPositions(bundle.rows(control));
  const seed =
    method === 'random' || method === 'systematic' ? (draft.seed ?? bundle.control(control).sample.seed) : null;
  const positions = positionsOf(rows, draft, seed);
  return services.database.withOrg(orgId, async (tx) => {
    await countWriting(tx, portal.id);
    await lockOpenPortal(tx, actor);
    const samples = await sampleRows(tx, orgId, portal.id);
    if (samples.length >= MAX_PORTAL_SAMPLES) throw Conflict(`A portal has at most ${MAX_PORTAL_SAMPLES} samples.`);
    const id = newId();
    await tx.db
      .insertInto('audit_sample')
      .values({
        org_id: orgId,
        portal_id: portal.id,
        id,
        snapshot_id: snapshot,
        control_id: control,
        name,
        method,
        seed,
        reason,
        population: rows.length,
        positions,
      })
      .execute();
    await recordAuditEntry(tx, {
      people: services.people,
      orgId,
      actor: actorOf({ portal, requestId }),
      entry: {
        action: 'portal.sample_kept',
        subject: { kind: 'portal', id: portal.id },
        data: {
          name: portal.name,
          sample: id,
          snapshot,
          control,
          method,
          population: rows.length,
          // An entry has a maximum size, so it contains the hash of many rows.
          positions: positions.length > 100 ? hashOf(positions) : positions,
          ...(seed !== null && { seed }),
        },
        personal: { ...auditorPersonalDataOf(portal), ...(reason !== '' && { reason }) },
      },
    });
    tx.afterCommit(() => services.realtime.notifyOrganization(orgId, 'orgEvidence', { portalId: portal.id }));
    return withConclusions(sampleOf(await findSample(tx, orgId, portal.id, id)), []);
  });
}

/** Hex SHA-256 of a list in canonical form. */
const hashOf = (value: number[]): string => createHash('sha256').update(canonicalJson(value)).digest('hex');

function positionsOf(
  rows: readonly PositionedRow[],
  { method, size = 0, positions = [] }: SampleDraft,
  seed: string | null,
) {
  if (rows.length === 0) throw Conflict('This control has no items to sample.');
  if (method === 'judgmental') {
    if (positions.some((position) => position >= rows.length))
      throw Invalid('positions', 'must be rows of the control');
    return [...new Set(positions)];
  }
  if (method === 'all') {
    if (rows.length > MAX_KEPT_ROWS) throw Invalid('method', `is possible for at most ${MAX_KEPT_ROWS} items`);
    return rows.map(({ position }) => position);
  }
  if (method === 'systematic') return drawSystematicSample(rows, seed ?? '', size).map(({ position }) => position);
  const drawn = drawSample(
    rows.map(({ evaluated, position }) => ({ subject: evaluated.row.subject, leaf: evaluated.row.leaf, position })),
    seed ?? '',
    size,
  );
  return drawn.map(({ position }) => position);
}

/** Throws the same 404 as for an unknown snapshot if the portal does not contain it. */
async function requireSnapshot(tx: Tx, { orgId, portal }: PortalActor, snapshotId: string): Promise<void> {
  const [row] = await tx.query({
    name: 'portals.has-snapshot',
    text: 'select from auditor_portal_snapshot where org_id = $1 and portal_id = $2 and snapshot_id = $3',
    values: [orgId, portal.id, snapshotId],
  });
  if (!row) throw NotFound();
}

/**
 * Writes a version of a workpaper. The ledger contains its salted hash only: the organization sees conclusions after the
 * auditor signed. Throws 404 for a sample of another portal or a row outside the sample.
 */
export function saveWorkpaper(
  services: Services,
  actor: PortalActor,
  sampleId: string,
  { position, conclusion, note }: z.output<typeof writeWorkpaper.body>,
): Promise<Workpaper> {
  const { orgId, portal, requestId } = actor;
  return services.database.withOrg(orgId, async (tx) => {
    await countWriting(tx, portal.id);
    await lockOpenPortal(tx, actor);
    const sample = await findSample(tx, orgId, portal.id, sampleId);
    requirePosition(sample, position);
    const known = (await workpaperRows(tx, orgId, portal.id, sampleId)).find((one) => one.position === position);
    const version = (known?.version ?? 0) + 1;
    const salt = randomBytes(16);
    const { written_at: writtenAt } = await tx.db
      .insertInto('audit_workpaper')
      .values({
        org_id: orgId,
        portal_id: portal.id,
        sample_id: sampleId,
        position,
        version,
        conclusion,
        note,
        salt,
      })
      .returning('written_at')
      .executeTakeFirstOrThrow();
    await recordAuditEntry(tx, {
      people: services.people,
      orgId,
      actor: actorOf({ portal, requestId }),
      entry: {
        action: 'portal.workpaper_written',
        subject: { kind: 'portal', id: portal.id },
        data: {
          name: portal.name,
          sample: sampleId,
          position,
          version,
          sha256: workpaperHash({ conclusion, note, salt }),
        },
        personal: auditorPersonalDataOf(portal),
      },
    });
    return { conclusion, note, version, writtenAt: writtenAt.toISOString() };
  });
}

/** Hex SHA-256 of the canonical form of conclusion, note and salt (hex), which the ledger contains. */
const workpaperHash = ({ conclusion, note, salt }: { conclusion: string; note: string; salt: Buffer }): string =>
  createHash('sha256')
    .update(canonicalJson({ conclusion, note, salt: salt.toString('hex') }))
    .digest('hex');

/** Lists the samples of a portal for the organization, without conclusions. Throws 404. */
export async function listSamples(tx: Tx, orgId: string, portalId: string): Promise<AuditSample[]> {
  await findPortal(tx, orgId, portalId);
  return (await sampleRows(tx, orgId, portalId)).map(sampleOf);
}

/** Lists the samples of a portal for its auditor. Records the view. */
export const viewSamples = (services: Services, actor: PortalActor): Promise<AuditorSample[]> =>
  services.database.withOrg(actor.orgId, async (tx) => {
    const { orgId, portal } = actor;
    await recordView(services, tx, { actor, action: 'portal.viewed', viewDetails: { view: 'samples' } });
    const papers = Map.groupBy(await workpaperRows(tx, orgId, portal.id, null), ({ sampleId }) => sampleId);
    const samples = await sampleRows(tx, orgId, portal.id);
    return samples.map((row) => withConclusions(sampleOf(row), papers.get(row.id) ?? []));
  });

/** Returns a sample with the files that the organization attached. Throws 404. */
export async function readSample(
  services: Services,
  orgId: string,
  { portalId, sampleId }: { portalId: string; sampleId: string },
): Promise<CallOutput<typeof getPortalSampleRows>> {
  const { portal, row, files } = await services.database.withOrg(orgId, async (tx) => ({
    portal: await findPortal(tx, orgId, portalId),
    row: await findSample(tx, orgId, portalId, sampleId),
    files: (await attachmentsOfSample(tx, orgId, { portalId, sampleId })).filter(({ file }) => file.side !== 'auditor'),
  }));
  const attached = filesAt(files);
  const rows = await rowsOfSample(services, { orgId, portal }, row);
  return {
    ...sampleOf(row),
    rows: rows.map((one) => ({ row: one, attachments: attached(one.position) })),
    attachments: attached(-1),
  };
}

/** Returns a sample with workpapers and files for the auditor. Records the view. Throws 404. */
export async function viewSampleDetails(
  services: Services,
  actor: PortalActor,
  sampleId: string,
): Promise<AuditSampleDetails> {
  const { orgId, portal } = actor;
  const { row, papers, files } = await services.database.withOrg(orgId, async (tx) => {
    await recordView(services, tx, {
      actor,
      action: 'portal.viewed',
      viewDetails: { view: 'a sample', sample: sampleId },
    });
    return {
      row: await findSample(tx, orgId, portal.id, sampleId),
      papers: await workpaperRows(tx, orgId, portal.id, sampleId),
      files: await attachmentsOfSample(tx, orgId, { portalId: portal.id, sampleId }),
    };
  });
  const attached = filesAt(files);
  const paperAt = (position: number): Workpaper | null => {
    const paper = papers.find((one) => one.position === position);
    return paper ? workpaperOf(paper) : null;
  };
  const rows = await rowsOfSample(services, actor, row);
  return {
    ...withConclusions(sampleOf(row), papers),
    rows: rows.map((one) => ({
      row: one,
      workpaper: paperAt(one.position),
      attachments: attached(one.position),
    })),
    workpaper: paperAt(-1),
    attachments: attached(-1),
  };
}

const filesAt = (files: readonly { position: number | null; file: Attachment }[]) => (position: number) =>
  files.filter((one) => one.position === position).map(({ file }) => file);

async function rowsOfSample(services: Services, scope: PortalScope, { snapshotId, control, positions }: SampleRow) {
  const bundle = await bundleWithControl(services, scope, { snapshotId, controlId: control });
  const all = withPositions(bundle.rows(control));
  return positions.flatMap((position) => {
    const row = all[position];
    return row ? [rowOf(bundle, control, row)] : [];
  });
}

/** The latest version of each workpaper of a sample, or of all samples of a portal. */
const workpaperRows = (tx: Tx, orgId: string, portalId: string, sampleId: string | null): Promise<WorkpaperRow[]> =>
  tx.query<WorkpaperRow>({
    name: 'portals.workpapers',
    text: `select distinct on (sample_id, position) sample_id as "sampleId", position, version, conclusion, note,
             written_at as "writtenAt"
           from audit_workpaper where org_id = $1 and portal_id = $2 and ($3::uuid is null or sample_id = $3)
           order by sample_id, position, version desc`,
    values: [orgId, portalId, sampleId],
  });

const sampleOf = (row: SampleRow): AuditSample => ({
  id: row.id,
  name: row.name,
  snapshot: { id: row.snapshotId, name: row.snapshotName },
  control: row.control,
  method: row.method,
  seed: row.seed,
  reason: row.reason,
  population: row.population,
  size: row.positions.length,
  createdAt: row.createdAt.toISOString(),
});

function withConclusions(sample: AuditSample, papers: readonly WorkpaperRow[]): AuditorSample {
  const tested = { effective: 0, exception: 0, inconclusive: 0, not_tested: 0 };
  for (const { position, conclusion } of papers) if (position >= 0) tested[conclusion] += 1;
  return { ...sample, tested, conclusion: papers.find(({ position }) => position === -1)?.conclusion ?? null };
}

const workpaperOf = ({ conclusion, note, version, writtenAt }: WorkpaperRow): Workpaper => ({
  conclusion,
  note,
  version,
  writtenAt: writtenAt.toISOString(),
});
