import { SECRET_OVERLAP_HOURS } from '@sightline/contract/delivery/outgoing-webhooks.ts';
import {
  type AuditStream,
  type AuditStreamFailure,
  auditStreamsMax,
  type createAuditStream,
  type updateAuditStream,
} from '@sightline/contract/organization/audit-streams.ts';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Actor } from '#core/actor.ts';
import { type RecordChange, recordAuditEntry } from '#core/audit.ts';
import { Conflict, Invalid } from '#core/errors.ts';
import { newId } from '#core/ids.ts';
import { requireOwner } from '#core/owner-lock.ts';
import type { Services } from '#core/services.ts';
import { newSigningSecret } from '#core/standard-webhooks.ts';
import type { Tx } from '#database/database.ts';
import { findEntry } from '../audit/queries.ts';
import { readTarget, tryBatch } from './delivery.ts';
import { checkSettings, hostOf, parseSettings } from './kinds.ts';
import { findStream } from './queries.ts';
import { sealedPlaceOf } from './sealed.ts';

/** Adds a destination. Throws `conflict` for a name that is there already. */
export async function createStream(
  services: Services,
  actor: Actor,
  { kind, name, settings, secret: given, startFrom }: z.output<typeof createAuditStream.body>,
): Promise<{ secret: string | null; stream: AuditStream }> {
  if (kind === 's3' && given === '') throw Invalid('secret', 'is needed');
  if (kind !== 's3' && given !== '') throw Invalid('secret', 'applies only to S3-compatible storage');
  await checkSettings(services.outboundFor(actor.orgId, 'audit-stream'), kind, settings);
  return changeStreams(services, actor, async (tx, note) => {
    await checkCount(tx, actor.orgId);
    const id = newId();
    const made = kind === 'https' ? newSigningSecret() : null;
    const secret = made ?? given;
    const added = await tx.db
      .insertInto('audit_stream')
      .values({
        org_id: actor.orgId,
        id,
        kind,
        name,
        settings: JSON.stringify(settings),
        created_by: actor.accountId,
        ...(await startOf(tx, actor.orgId, startFrom)),
        secret_sealed:
          secret === '' ? null : services.secrets.seal(sealedPlaceOf(actor.orgId, id), Buffer.from(secret)),
      })
      .onConflict((conflict) => conflict.columns(['org_id', 'name']).doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!added) throw nameTaken();
    await note(id, 'audit_stream.created', { kind, host: hostOf(kind, settings), startFrom });
    await queueDelivery(services, tx, actor.orgId, id);
    return { secret: made, stream: await findStream(tx, actor.orgId, id) };
  });
}

/** Before the first entry of the ledger, or behind the last one that has its place. */
async function startOf(tx: Tx, orgId: string, startFrom: 'now' | 'beginning') {
  const beginning = { epoch: 0, leaf_index: -1 };
  if (startFrom === 'beginning') return beginning;
  const [head] = await tx.query<{ epoch: number; leaf_index: number }>({
    name: 'audit-streams.head',
    text: `select epoch, size - 1 as leaf_index from ledger_log where org_id = $1 and closed_at is null order by epoch desc limit 1`,
    values: [orgId],
  });
  return head ?? beginning;
}

/** Changes what is named; what is as wanted already changes nothing. */
export async function updateStream(
  services: Services,
  actor: Actor,
  id: string,
  wanted: z.output<typeof updateAuditStream.body>,
): Promise<AuditStream> {
  const { orgId } = actor;
  const was = await services.database.withOrg(orgId, (tx) => findStream(tx, orgId, id));
  if (wanted.secret !== undefined && was.kind !== 's3')
    throw Invalid('secret', 'applies only to S3-compatible storage');
  if (wanted.settings !== undefined)
    await checkSettings(services.outboundFor(actor.orgId, 'audit-stream'), was.kind, wanted.settings);
  return changeStreams(services, actor, async (tx, note) => {
    const present = await findStream(tx, orgId, id);
    const { kind } = present;
    const settings = wanted.settings === undefined ? present.settings : parseSettings(kind, wanted.settings);
    const before = { host: hostOf(kind, present.settings), enabled: present.state !== 'paused' };
    const after = { host: hostOf(kind, settings), enabled: wanted.enabled ?? before.enabled };
    if (kind === 's3' && wanted.secret === undefined && before.host !== after.host) {
      throw Invalid('secret', 'is required again for a different URL');
    }
    const name = wanted.name ?? present.name;
    const isSame = after.enabled === before.enabled && name === present.name && isEqual(settings, present.settings);
    if (isSame && wanted.secret === undefined) return present;
    await checkName(tx, orgId, id, name);
    await tx.db
      .updateTable('audit_stream')
      .set({
        name,
        settings: JSON.stringify(settings),
        enabled: after.enabled,
        // Whatever was corrected is tried at once.
        tries: 0,
        next_at: sql<Date>`now()`,
        ...(wanted.secret !== undefined && {
          secret_sealed: services.secrets.seal(sealedPlaceOf(orgId, id), Buffer.from(wanted.secret)),
        }),
      })
      .where('org_id', '=', orgId)
      .where('id', '=', id)
      .execute();
    if (after.enabled) await queueDelivery(services, tx, orgId, id);
    const secret = wanted.secret === undefined ? {} : { secret: 'replaced' };
    await note(id, 'audit_stream.updated', { kind, host: after.host, ...secret, before, after });
    return findStream(tx, orgId, id);
  });
}

export const deleteStream = (services: Services, actor: Actor, id: string): Promise<null> =>
  changeStreams(services, actor, async (tx, note) => {
    const { kind, settings, behind } = await findStream(tx, actor.orgId, id);
    await tx.db.deleteFrom('audit_stream').where('org_id', '=', actor.orgId).where('id', '=', id).execute();
    await note(id, 'audit_stream.deleted', { kind, host: hostOf(kind, settings), undelivered: behind });
    return null;
  });

/** Makes another signing secret; the previous one signs beside it for a day. Throws `conflict` for kinds that do not sign. */
export const rotateSecret = (
  services: Services,
  actor: Actor,
  id: string,
): Promise<{ secret: string; stream: AuditStream }> =>
  changeStreams(services, actor, async (tx, note) => {
    const { kind, settings } = await findStream(tx, actor.orgId, id);
    if (kind !== 'https') throw Conflict('Only HTTPS destinations have a signing secret.');
    const secret = newSigningSecret();
    await tx.db
      .updateTable('audit_stream')
      .set({
        secret_sealed: services.secrets.seal(sealedPlaceOf(actor.orgId, id), Buffer.from(secret)),
        previous_secret_sealed: sql.ref('secret_sealed'),
        previous_until: sql<Date>`now() + make_interval(hours => ${SECRET_OVERLAP_HOURS})`,
      })
      .where('org_id', '=', actor.orgId)
      .where('id', '=', id)
      .execute();
    await note(id, 'audit_stream.secret_rotated', { kind, host: hostOf(kind, settings) });
    return { secret, stream: await findStream(tx, actor.orgId, id) };
  });

/** Sends the entry of this test, apart from all others, and reports why it was not accepted. Moves no cursor. */
export async function testStream(
  services: Services,
  actor: Actor,
  id: string,
): Promise<{ failure: AuditStreamFailure | null }> {
  const { orgId } = actor;
  const { target, entry } = await services.database.withOrg(orgId, async (tx) => {
    await requireOwner(tx, actor);
    const { kind, settings } = await findStream(tx, orgId, id);
    const entryId = await recordAuditEntry(tx, {
      people: services.people,
      orgId,
      doer: actor,
      entry: {
        action: 'audit_stream.tested',
        subject: { kind: 'audit_stream', id },
        data: { kind, host: hostOf(kind, settings) },
      },
    });
    return { target: await readTarget(services, tx, orgId, id), entry: await findEntry(tx, orgId, entryId) };
  });
  const position = { epoch: 0, leafIndex: 0 };
  const { failure } = await tryBatch(services, orgId, target, [{ orgId, position, entry, isTest: true }]);
  return { failure };
}

/** A change by an owner. */
const changeStreams = <Result>(
  services: Services,
  actor: Actor,
  work: (tx: Tx, note: RecordChange) => Promise<Result>,
): Promise<Result> =>
  services.database.withOrg(actor.orgId, async (tx) => {
    await requireOwner(tx, actor);
    return work(tx, async (id, action, data) => {
      await recordAuditEntry(tx, {
        people: services.people,
        orgId: actor.orgId,
        doer: actor,
        entry: { action, subject: { kind: 'audit_stream', id }, data },
      });
    });
  });

const queueDelivery = ({ jobs }: Services, tx: Tx, orgId: string, streamId: string) =>
  jobs.enqueue(tx, 'audit-streams.deliver', { orgId, streamId }, { key: streamId });

async function checkCount({ db }: Tx, orgId: string): Promise<void> {
  const { count } = await db
    .selectFrom('audit_stream')
    .where('org_id', '=', orgId)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  if (Number(count) >= auditStreamsMax) {
    throw Conflict(`The limit of ${auditStreamsMax} audit log streams is reached. Delete an unused one.`);
  }
}

async function checkName({ db }: Tx, orgId: string, id: string, name: string): Promise<void> {
  const taken = await db
    .selectFrom('audit_stream')
    .select('id')
    .where('org_id', '=', orgId)
    .where('name', '=', name)
    .where('id', '<>', id)
    .executeTakeFirst();
  if (taken) throw nameTaken();
}

const nameTaken = () => Conflict('An audit log stream with this name already exists. Choose another name.');

// Keys of JSON come back from the database in an order of their own.
const isEqual = (one: Readonly<Record<string, unknown>>, other: Readonly<Record<string, unknown>>): boolean =>
  Object.keys({ ...one, ...other }).every((key) => one[key] === other[key]);
