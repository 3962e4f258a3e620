import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { createSnapshot as createCall, Snapshot } from '@sightline/contract/compliance/snapshots.ts';
import { type ControlId, controlIds } from '@sightline/contract/core/control-ids.ts';
import { formatPeriod, parsePeriod } from '@sightline/contract/core/periods.ts';
import { disclosureKeyFile } from '@sightline/evidence/bundle/disclosure-key.ts';
import type { Bytes } from '@sightline/evidence/ledger/bytes.ts';
import type { z } from 'zod';
import type { Actor } from '#core/actor.ts';
import { recordAuditEntry } from '#core/audit.ts';
import { countCost, requireCostCapacity } from '#core/costs.ts';
import { Conflict, Invalid, NotFound } from '#core/errors.ts';
import { newId } from '#core/ids.ts';
import type { FileAnswer } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { findCheckpointAt } from '../../ledger/ledger/queries.ts';
import { hasPopulation } from '../controls/queries.ts';
import { deleteBundles, openRedactedBundle } from './bundle.ts';
import { loadBundleContents } from './contents.ts';
import { evaluateForSnapshot } from './evaluate.ts';
import { bundleName, findSnapshotRow, snapshotOf } from './queries.ts';
import { recordsEntryId } from './records.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'snapshots.make': { orgId: string; snapshotId: string };
  }
}

/** Deletes bundle files with disclosures; rebuilt files exclude erased persons. */
export const deleteBundleFiles = (services: Pick<Services, 'config'>, orgId: string): Promise<number> =>
  deleteBundles(services, orgId);

/** Opens the bundle for a portal, with at least this redaction. Throws 404 and, until it is ready, 409. */
export { openRedactedBundle as openBundleFor };

/** Evaluates a control of a snapshot again from the facts of its checkpoint, for all repositories of the snapshot. */
export async function reevaluateSnapshot(tx: Tx, orgId: string, id: string, control: ControlId) {
  const row = await findSnapshotRow(tx, orgId, id);
  const { epoch, evaluatedSize } = row;
  if (epoch === null || evaluatedSize === null) throw Conflict('The snapshot has no checkpoint.');
  const at = await findCheckpointAt(tx, orgId, { epoch, size: evaluatedSize });
  const { run, facts } = await evaluateForSnapshot(tx, orgId, { snapshotRow: row, at, control });
  return { at, facts, rows: run.rows, excluded: run.excluded };
}

/**
 * Creates the file with which verifiers open what bundles of a snapshot redact, without persons whose data was deleted,
 * and records the download. Throws 404 and, until the bundle is ready, 409.
 */
export function createDisclosureKey(services: Services, actor: Actor, id: string): Promise<FileAnswer> {
  const { orgId } = actor;
  return services.database.withOrg(orgId, async (tx) => {
    const row = await findSnapshotRow(tx, orgId, id);
    if (row.state !== 'ready' || row.sealed === null) throw Conflict('The bundle is not ready.');
    const { name } = row;
    const open = { ...row, redaction: 'none' } as const;
    const { ledger, disclosures, evaluated } = await loadBundleContents(tx, services.people, orgId, open);
    const file = disclosureKeyFile({ origin: ledger.origin, snapshot: recordsEntryId(id), disclosures });
    await recordAuditEntry(tx, {
      people: services.people,
      orgId,
      actor,
      entry: {
        action: 'snapshot.key_downloaded',
        subject: { kind: 'snapshot', id },
        data: { name, size: evaluated.size, disclosures: disclosures.length },
      },
    });
    return {
      file: Readable.from([file]),
      type: 'application/json',
      name: bundleName(open).replace(/\.zip$/, '-disclosure-key.json'),
      total: undefined,
    };
  });
}

/** Reads a bundle into memory. */
export async function readBundle({ file, whole }: FileAnswer): Promise<Bytes> {
  file.destroy();
  if (!whole) throw new Error('The bundle has no size');
  return new Uint8Array(await buffer(whole.part(0, whole.size - 1)));
}

/**
 * Creates a snapshot and queues its job. Throws 400 for a request that cannot be evaluated, and 404 for unknown
 * repositories or snapshots.
 */
export function requestSnapshot(
  services: Services,
  actor: Actor,
  { name, period: text, controls, repositories, redaction, supersedes }: z.output<typeof createCall.body>,
): Promise<Snapshot> {
  const { database, people, jobs, realtime } = services;
  const { orgId } = actor;
  const period = parsePeriod(text);
  if (!period || Date.parse(period.from) > Date.now()) throw Invalid('period', 'must have begun');
  const chosen = controlsOf(controls);
  return database.withOrg(orgId, async (tx) => {
    await countCost(services, tx, 'snapshot', orgId);
    requireCostCapacity(services, 'snapshot', await countUnfinished(tx, orgId));
    if (supersedes !== null && (await findSnapshotRow(tx, orgId, supersedes)).state !== 'ready') {
      throw Invalid('supersedes', 'must be a snapshot with a bundle');
    }
    const only = repositories === null ? null : [...new Set(repositories)].sort();
    if (only) await refuseForeign(tx, orgId, only);
    const id = newId();
    await tx.db
      .insertInto('snapshot')
      .values({
        org_id: orgId,
        id,
        name,
        period_from: period.from,
        period_to: period.to,
        controls: chosen,
        repositories: only,
        redaction,
        supersedes,
        created_by: actor.accountId,
      })
      .execute();
    await recordAuditEntry(tx, {
      people,
      orgId,
      actor,
      entry: {
        action: 'snapshot.requested',
        subject: { kind: 'snapshot', id },
        data: { name, period: formatPeriod(period), controls: chosen, repositories: only, redaction, supersedes },
      },
    });
    await jobs.enqueue(tx, 'snapshots.make', { orgId, snapshotId: id }, { key: id });
    tx.afterCommit(() => realtime.notifyOrganization(orgId, 'orgEvidence', { snapshotId: id }));
    return snapshotOf(await findSnapshotRow(tx, orgId, id));
  });
}

async function countUnfinished({ db }: Tx, orgId: string): Promise<number> {
  const { count } = await db
    .selectFrom('snapshot')
    .where('org_id', '=', orgId)
    .where('state', 'in', ['queued', 'capturing', 'evaluating', 'building'])
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The requested controls in catalog order, by default all with data. */
function controlsOf(named: readonly ControlId[] | undefined): ControlId[] {
  const unknown = named?.find((id) => !hasPopulation(id));
  if (unknown) throw Invalid('controls', `must not contain ${unknown}, because no data source of it is connected`);
  return controlIds.filter((id) => (named ? named.includes(id) : hasPopulation(id)));
}

async function refuseForeign({ db }: Tx, orgId: string, ids: readonly string[]): Promise<void> {
  const { known } = await db
    .selectFrom('repository')
    .select(({ fn }) => fn.countAll<number>().as('known'))
    .where('org_id', '=', orgId)
    .where('id', 'in', ids)
    .executeTakeFirstOrThrow();
  if (Number(known) < ids.length) throw NotFound('A repository');
}
