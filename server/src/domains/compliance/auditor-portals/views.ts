import type {
  getPortalControl,
  getPortalSample,
  getPortalSnapshot,
  getPortalStatus,
  listPortalRows,
  PortalRow,
  PortalSnapshot,
  PortalVisit,
} from '@sightline/contract/compliance/auditor-portals.ts';
import type { Verdict } from '@sightline/contract/compliance/controls.ts';
import type { getPortalChange } from '@sightline/contract/compliance/portal-changes.ts';
import type { CallOutput, Page } from '@sightline/contract/core/endpoint.ts';
import { drawSample } from '@sightline/evidence/controls/sample.ts';
import type { z } from 'zod';
import type { PortalActor } from '#core/auditor-portals.ts';
import { NotFound } from '#core/errors.ts';
import type { FileAnswer } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { definitionOf } from '../controls/catalog.ts';
import { openBundleFor } from '../snapshots/commands.ts';
import { findSnapshotRow, type SnapshotRow } from '../snapshots/queries.ts';
import { custodyOf, personsIn } from './custody.ts';
import { openPortalBundle, redactionOfPortal } from './opened-bundle.ts';
import { peopleOfPortal } from './portal-people.ts';
import { bundleWithControl, type ControlKey, rowOf, withPositions } from './portal-rows.ts';
import { recordView } from './portal-visits.ts';

/** Returns the overview of a portal, and records the view. */
export const viewPortal = (services: Services, actor: PortalActor): Promise<PortalVisit> =>
  services.database.withOrg(actor.orgId, async (tx) => {
    const { orgId, portal } = actor;
    await recordView(services, tx, {
      actor,
      action: 'portal.viewed',
      viewDetails: { view: 'the list of snapshots' },
    });
    const [row] = await tx.query<{ organization: string; auditor: string; createdAt: Date; snapshots: string[] }>({
      name: 'portals.entered',
      text: `select o.display_name as organization, r.auditor_name as auditor, r.created_at as "createdAt",
               array(select i.snapshot_id from auditor_portal_snapshot i where i.org_id = r.org_id and i.portal_id = r.id) as snapshots
             from auditor_portal r join organization o on o.id = r.org_id where r.org_id = $1 and r.id = $2`,
      values: [orgId, portal.id],
    });
    if (!row) throw NotFound();
    const snapshots: SnapshotRow[] = [];
    for (const id of row.snapshots) snapshots.push(await findSnapshotRow(tx, orgId, id));
    snapshots.sort((one, other) => other.from.getTime() - one.from.getTime());
    return {
      id: portal.id,
      name: portal.name,
      organization: row.organization,
      auditor: row.auditor,
      redaction: portal.redaction,
      people: portal.people,
      createdAt: row.createdAt.toISOString(),
      expiresAt: portal.expiresAt.toISOString(),
      snapshots: snapshots.map(snapshotOf),
      anchoring: anchoringOf(snapshots.toSorted((one, other) => (other.size ?? 0) - (one.size ?? 0))[0]),
    };
  });

/** Returns the expiry and the number of messages of the organization. Authentication has already checked that the portal is open. */
export const readPortalStatus = (
  { database }: Services,
  actor: PortalActor,
): Promise<CallOutput<typeof getPortalStatus>> =>
  database.withOrg(actor.orgId, async (tx) => {
    const [row] = await tx.query<{ answered: number }>({
      name: 'portals.answered',
      text: `select count(*)::int as answered from evidence_message
             where org_id = $1 and portal_id = $2 and side = 'organization'`,
      values: [actor.orgId, actor.portal.id],
    });
    return { expiresAt: actor.portal.expiresAt.toISOString(), answered: row?.answered ?? 0 };
  });

export async function viewSnapshot(
  services: Services,
  actor: PortalActor,
  snapshotId: string,
): Promise<CallOutput<typeof getPortalSnapshot>> {
  const row = await services.database.withOrg(actor.orgId, async (tx) => {
    await recordView(services, tx, {
      actor,
      action: 'portal.viewed',
      viewDetails: { view: 'a snapshot', snapshot: snapshotId },
    });
    return findSnapshotRow(tx, actor.orgId, snapshotId);
  });
  const { name, bytes, sha256, manifest, key } = await openPortalBundle(services, actor, snapshotId);
  return { ...snapshotOf(row), bundle: { name, bytes, sha256 }, files: [...manifest.files], key };
}

export async function viewControl(
  services: Services,
  actor: PortalActor,
  { snapshotId, controlId }: ControlKey,
): Promise<CallOutput<typeof getPortalControl>> {
  const seen = { view: 'the results of', snapshot: snapshotId, control: controlId };
  await note(services, actor, 'portal.viewed', seen);
  const bundle = await bundleWithControl(services, actor, { snapshotId, controlId });
  const { status, counts, completeness, exclusions, weakenings, settings, run, rowsSha256 } = bundle.control(controlId);
  return {
    ...definitionOf(controlId),
    status,
    counts,
    completeness: [...completeness],
    exclusions: [...exclusions],
    weakenings: [...weakenings],
    entry: run,
    rowsSha256,
    settings: settings.map(({ version, setting, from, until }) => ({
      version,
      from: from ?? null,
      until: until ?? null,
      setting: setting as Record<string, number | boolean | string[]>,
    })),
  };
}

export async function viewRows(
  services: Services,
  actor: PortalActor,
  { snapshotId, controlId }: ControlKey,
  query: z.output<typeof listPortalRows.query>,
): Promise<Page<PortalRow[]>> {
  const { page, perPage, sort, search, verdict } = query;
  const seen = { view: 'rows of', snapshot: snapshotId, control: controlId, page, perPage, sort, search };
  await note(services, actor, 'portal.viewed', { ...seen, ...(verdict.length > 0 && { verdict }) });
  const bundle = await bundleWithControl(services, actor, { snapshotId, controlId });
  const verdicts: readonly Verdict[] = verdict;
  const found = withPositions(bundle.rows(controlId)).filter(
    ({ evaluated }) =>
      (verdicts.length === 0 || verdicts.includes(evaluated.verdict)) &&
      evaluated.row.subject.toLowerCase().includes(search.toLowerCase()),
  );
  const ordered = sort === 'position-desc' ? found.toReversed() : found;
  const rows = ordered.slice((page - 1) * perPage, page * perPage).map((one) => rowOf(bundle, controlId, one));
  return { rows, total: found.length };
}

/**
 * Draws a sample with the root hash of the checkpoint or a custom seed. The ledger records a custom seed, so that it
 * cannot be disputed later.
 */
export async function viewSample(
  services: Services,
  actor: PortalActor,
  { snapshotId, controlId }: ControlKey,
  { seed: own, size }: z.output<typeof getPortalSample.query>,
): Promise<CallOutput<typeof getPortalSample>> {
  const seen = { snapshot: snapshotId, control: controlId, size, ...(own !== undefined && { seed: own }) };
  await note(services, actor, 'portal.sampled', seen);
  const bundle = await bundleWithControl(services, actor, { snapshotId, controlId });
  const evaluated = withPositions(bundle.rows(controlId));
  const bySubject = new Map(evaluated.map((one) => [one.evaluated.row.subject, one]));
  const seed = own ?? bundle.control(controlId).sample.seed;
  const drawn = drawSample(
    evaluated.map((one) => one.evaluated.row),
    seed,
    size,
  );
  return {
    seed,
    isLedgerSeed: own === undefined,
    population: evaluated.length,
    rows: drawn.flatMap(({ subject }) => {
      const one = bySubject.get(subject);
      return one ? [rowOf(bundle, controlId, one)] : [];
    }),
  };
}

export async function viewChange(
  services: Services,
  actor: PortalActor,
  { snapshotId, entry: index }: { snapshotId: string; entry: number },
): Promise<CallOutput<typeof getPortalChange>> {
  await note(services, actor, 'portal.viewed', { view: 'a change', snapshot: snapshotId, entry: index });
  const bundle = await openPortalBundle(services, actor, snapshotId);
  const change = bundle.changes().get(index);
  if (!change) throw NotFound();
  const custody = custodyOf(bundle, index, change);
  return { ...custody, people: await peopleOfPortal(services, actor, personsIn(custody)) };
}

export async function downloadBundle(services: Services, actor: PortalActor, snapshotId: string): Promise<FileAnswer> {
  await note(services, actor, 'portal.downloaded', { snapshot: snapshotId });
  return openBundleFor(services, actor.orgId, snapshotId, redactionOfPortal(actor.portal));
}

const note = (services: Services, actor: PortalActor, ...[action, viewDetails]: [...ViewRecord]): Promise<void> =>
  services.database.withOrg(actor.orgId, (tx) => recordView(services, tx, { actor, action, viewDetails }));
type ViewRecord = [
  action: Parameters<typeof recordView>[2]['action'],
  seen: Parameters<typeof recordView>[2]['viewDetails'],
];

const snapshotOf = (row: SnapshotRow): PortalSnapshot => ({
  id: row.id,
  name: row.name,
  results: (row.results ?? []).map((result) => ({ ...result, title: definitionOf(result.id).title })),
  period: { from: row.from.toISOString(), to: row.to.toISOString() },
  takenAt: (row.takenAt ?? row.createdAt).toISOString(),
  ledger: { epoch: row.epoch ?? 0, evaluated: row.evaluatedSize ?? 0, size: row.size ?? 0 },
});

/** The anchors up to the checkpoint of the bundle, without later receipts. */
const anchoringOf = (row: SnapshotRow | undefined): PortalVisit['anchoring'] => ({
  size: row?.size ?? 0,
  signedAt: (row?.takenAt ?? row?.createdAt ?? new Date(0)).toISOString(),
  anchors: [...(row?.captured?.anchors ?? [])],
});
