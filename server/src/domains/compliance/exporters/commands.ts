import {
  type createExporter,
  type Exporter,
  type ExporterDelivery,
  type ExporterKind,
  exporterSettings,
  exportersMax,
  type testExporter as testCall,
  type updateExporter,
} from '@sightline/contract/compliance/exporters.ts';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Actor } from '#core/actor.ts';
import { type RecordChange, record } from '#core/audit.ts';
import { Conflict, Invalid } from '#core/errors.ts';
import { newId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import { newSigningSecret } from '#core/standard-webhooks.ts';
import type { Tx } from '#database/database.ts';
import { findSnapshot } from '../snapshots/queries.ts';
import { senderFor } from './kinds.ts';
import { placeOf } from './place.ts';
import { findDelivery, findExporter } from './queries.ts';
import { createSink, NotTaken } from './sink.ts';

/** Adds a place that snapshots can be sent to. Throws `conflict` for a name that is there already. */
export async function addExporter(
  services: Services,
  actor: Actor,
  { kind, name, settings, secret: given }: z.output<typeof createExporter.body>,
): Promise<{ secret: string | null; exporter: Exporter }> {
  if ((given === '') !== (kind === 'webhook')) {
    throw Invalid('secret', kind === 'webhook' ? 'of a webhook is made here' : 'is needed');
  }
  await services.outboundFor(actor.orgId, 'exporter').check('settings.url', settings.url);
  return change(services, actor, async (tx, note) => {
    await checkCount(tx, actor.orgId);
    const id = newId();
    const made = kind === 'webhook' ? newSigningSecret() : null;
    const added = await tx.db
      .insertInto('exporter')
      .values({
        org_id: actor.orgId,
        id,
        kind,
        name,
        settings: JSON.stringify(settings),
        created_by: actor.accountId,
        secret_sealed: services.secrets.seal(placeOf(actor.orgId, id), Buffer.from(made ?? given)),
      })
      .onConflict((conflict) => conflict.columns(['org_id', 'name']).doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!added) throw sameName();
    await note(id, 'exporter.added', { kind, host: hostOf(settings) });
    return { secret: made, exporter: await findExporter(tx, actor.orgId, id) };
  });
}

/** Changes what is named; what is as wanted already changes nothing. */
export async function changeExporter(
  services: Services,
  actor: Actor,
  id: string,
  wanted: z.output<typeof updateExporter.body>,
): Promise<Exporter> {
  const { orgId } = actor;
  const was = await services.database.withOrg(orgId, (tx) => findExporter(tx, orgId, id));
  const settings = wanted.settings === undefined ? was.settings : settingsOf(was.kind, wanted.settings);
  refuseSecret(was, settings, wanted.secret);
  if (wanted.settings !== undefined) {
    await services.outboundFor(orgId, 'exporter').check('settings.url', String(settings.url));
  }
  return change(services, actor, async (tx, note) => {
    const present = await findExporter(tx, orgId, id);
    const before = { name: present.name, settings: present.settings, enabled: present.state !== 'off' };
    const after = { name: wanted.name ?? before.name, settings, enabled: wanted.enabled ?? before.enabled };
    // Keys of JSON come back from the database in an order of their own.
    const same = before.name === after.name && before.enabled === after.enabled && isSame(before.settings, settings);
    if (same && wanted.secret === undefined) return present;
    const taken = await tx.db
      .selectFrom('exporter')
      .select('id')
      .where('org_id', '=', orgId)
      .where('name', '=', after.name)
      .where('id', '<>', id)
      .executeTakeFirst();
    if (taken) throw sameName();
    await tx.db
      .updateTable('exporter')
      .set({
        name: after.name,
        settings: JSON.stringify(settings),
        enabled: after.enabled,
        ...(wanted.secret !== undefined && {
          secret_sealed: services.secrets.seal(placeOf(orgId, id), Buffer.from(wanted.secret)),
        }),
      })
      .where('org_id', '=', orgId)
      .where('id', '=', id)
      .execute();
    if (after.enabled && !before.enabled) await queueWaiting(services, tx, orgId, id);
    await note(id, 'exporter.changed', {
      kind: was.kind,
      ...(wanted.secret === undefined ? {} : { secret: 'replaced' }),
      before: { host: hostOf(before.settings), enabled: before.enabled },
      after: { host: hostOf(settings), enabled: after.enabled },
    });
    return findExporter(tx, orgId, id);
  });
}

/** Removes an exporter with its deliveries, also those on their way. */
export const removeExporter = (services: Services, actor: Actor, id: string): Promise<null> =>
  change(services, actor, async (tx, note) => {
    const { kind, settings } = await findExporter(tx, actor.orgId, id);
    await tx.db.deleteFrom('exporter').where('org_id', '=', actor.orgId).where('id', '=', id).execute();
    await note(id, 'exporter.removed', { kind, host: hostOf(settings) });
    return null;
  });

/** Finds out whether an exporter is let in. Throws `conflict` where it is turned off. */
export async function tryExporter(
  services: Services,
  actor: Actor,
  id: string,
): Promise<z.output<typeof testCall.response>> {
  const { kind, settings, secret } = await change(services, actor, async (tx, note) => {
    const exporter = await findExporter(tx, actor.orgId, id);
    checkOn(exporter);
    await note(id, 'exporter.tested', { kind: exporter.kind, host: hostOf(exporter.settings) });
    return { ...exporter, secret: await secretOf(services, tx, actor.orgId, id) };
  });
  // There is no delivery that its questions would belong to.
  const sink = createSink(services.outboundFor(actor.orgId, 'exporter'), async () => undefined);
  const { test } = senderFor(kind, settings, secret, sink);
  if (!test) {
    return {
      result: 'unknown',
      says: 'They offer no question that would change nothing. The first delivery shows whether it is let in.',
    };
  }
  try {
    return { result: 'works', says: await test() };
  } catch (error) {
    if (error instanceof NotTaken) return { result: 'refused', says: error.message };
    throw error;
  }
}

/** Sends a snapshot. Throws 404 for those of others, and `conflict` where it is not ready, was sent before, or the exporter is off. */
export const sendSnapshot = (
  services: Services,
  actor: Actor,
  exporterId: string,
  snapshotId: string,
): Promise<ExporterDelivery> =>
  change(services, actor, async (tx, note) => {
    const { orgId } = actor;
    const exporter = await findExporter(tx, orgId, exporterId);
    const { state, name } = await findSnapshot(tx, orgId, snapshotId);
    checkOn(exporter);
    if (state !== 'ready') throw Conflict('The snapshot is not ready yet.');
    const id = newId();
    const added = await tx.db
      .insertInto('exporter_delivery')
      .values({ org_id: orgId, id, exporter_id: exporterId, snapshot_id: snapshotId, asked_by: actor.accountId })
      .onConflict((conflict) => conflict.columns(['org_id', 'exporter_id', 'snapshot_id']).doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!added) throw Conflict('This snapshot was sent there before. Send it again from its delivery.');
    await queue(services, tx, orgId, id);
    await note(exporterId, 'exporter.snapshot_requested', { ...whereOf(exporter), snapshot: snapshotId, name });
    return findDelivery(tx, orgId, exporterId, id);
  });

/** Sends it again now, with all its tries before it. Throws `conflict` while it is on its way, or where the exporter is off. */
export const sendAgain = (
  services: Services,
  actor: Actor,
  exporterId: string,
  id: string,
): Promise<ExporterDelivery> =>
  change(services, actor, async (tx, note) => {
    const { orgId } = actor;
    const delivery = await findDelivery(tx, orgId, exporterId, id);
    const exporter = await findExporter(tx, orgId, exporterId);
    checkOn(exporter);
    const begun = await tx.db
      .updateTable('exporter_delivery')
      .set({
        state: 'pending',
        problem: null,
        tries: 0,
        ended_at: null,
        asked_by: actor.accountId,
        next_at: sql<Date>`now()`,
        asked_at: sql<Date>`now()`,
      })
      .where('org_id', '=', orgId)
      .where('id', '=', id)
      .where('state', '<>', 'pending')
      .returning('id')
      .executeTakeFirst();
    if (!begun) throw Conflict('It is on its way.');
    await tx.db
      .updateTable('exporter_item')
      .set({ state: 'pending', says: '', at: null })
      .where('org_id', '=', orgId)
      .where('delivery_id', '=', id)
      .execute();
    await queue(services, tx, orgId, id);
    await note(exporterId, 'exporter.snapshot_requested', {
      ...whereOf(exporter),
      snapshot: delivery.snapshot.id,
      name: delivery.snapshot.name,
      again: true,
    });
    return findDelivery(tx, orgId, exporterId, id);
  });

/** The secret of an exporter, opened. */
export async function secretOf({ secrets }: Services, { db }: Tx, orgId: string, id: string): Promise<string> {
  const { secret_sealed } = await db
    .selectFrom('exporter')
    .select('secret_sealed')
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return secrets.open(placeOf(orgId, id), secret_sealed).toString();
}

// An address may hold a secret, and a name may be that of a person: the log names the host alone.
export const whereOf = ({ kind, settings }: Pick<Exporter, 'kind' | 'settings'>): { kind: string; host: string } => ({
  kind,
  host: hostOf(settings),
});

const change = <Result>(
  services: Services,
  actor: Actor,
  work: (tx: Tx, note: RecordChange) => Promise<Result>,
): Promise<Result> =>
  services.database.withOrg(actor.orgId, (tx) =>
    work(tx, async (id, action, data) => {
      await record(tx, services.people, actor.orgId, actor, { action, subject: { kind: 'exporter', id }, data });
      tx.afterCommit(() => services.realtime.tell(actor.orgId, 'orgEvidence', {}));
    }),
  );

const queue = ({ jobs }: Services, tx: Tx, orgId: string, deliveryId: string) =>
  jobs.enqueue(tx, 'exporters.deliver', { orgId, deliveryId }, { key: deliveryId });

/** What waited while it was off. */
async function queueWaiting(services: Services, tx: Tx, orgId: string, exporterId: string): Promise<void> {
  const waiting = await tx.db
    .selectFrom('exporter_delivery')
    .select('id')
    .where('org_id', '=', orgId)
    .where('exporter_id', '=', exporterId)
    .where('state', '=', 'pending')
    .execute();
  for (const { id } of waiting) await queue(services, tx, orgId, id);
}

async function checkCount({ db }: Tx, orgId: string): Promise<void> {
  const { count } = await db
    .selectFrom('exporter')
    .where('org_id', '=', orgId)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  if (Number(count) >= exportersMax) throw Conflict(`There are ${exportersMax} already. Remove those nobody uses.`);
}

function settingsOf(kind: ExporterKind, given: unknown): Exporter['settings'] {
  const read = exporterSettings[kind].safeParse(given);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw Invalid(['settings', ...(issue?.path ?? [])].join('.'), issue?.message ?? 'is not right');
}

/** A secret goes nowhere but where it was meant to go when it was given. */
function refuseSecret({ kind, settings }: Exporter, after: Exporter['settings'], secret: string | undefined): void {
  if (kind === 'webhook') {
    if (secret !== undefined) throw Invalid('secret', 'of a webhook is made here');
    return;
  }
  if (secret === undefined && originOf(settings) !== originOf(after)) {
    throw Invalid('secret', 'is needed again for another address');
  }
}

const isSame = (one: Exporter['settings'], other: Exporter['settings']): boolean =>
  Object.keys({ ...one, ...other }).every((key) => JSON.stringify(one[key]) === JSON.stringify(other[key]));

const sameName = () => Conflict('There is an exporter of this name already.');

function checkOn({ state }: Exporter): void {
  if (state === 'off') throw Conflict('The exporter is turned off. Turn it on first.');
}

const originOf = ({ url }: Exporter['settings']): string =>
  URL.canParse(String(url)) ? new URL(String(url)).origin : String(url);
const hostOf = ({ url }: Readonly<Record<string, unknown>>): string => new URL(String(url)).host;
