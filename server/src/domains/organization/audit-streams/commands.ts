import type {
  AuditStream,
  AuditStreamFailure,
  createAuditStream,
  updateAuditStream,
} from '@sightline/contract/organization/audit-streams.ts';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Actor } from '#core/actor.ts';
import { recordAuditEntry } from '#core/audit.ts';
import { Conflict, Invalid, NotFound } from '#core/errors.ts';
import { newId } from '#core/ids.ts';
import { requireOwner } from '#core/owner-lock.ts';
import type { Services } from '#core/services.ts';
import { newSigningSecret } from '#core/standard-webhooks.ts';
import type { Publication } from '#core/topics.ts';
import type { Tx } from '#database/database.ts';
import {
  changeDestination,
  deleteDestination,
  requireCapacity,
  rotateSigningSecret,
  sealSecret,
} from '../../delivery/destinations/commands.ts';
import { isSameSettings } from '../../delivery/destinations/queries.ts';
import { findAuditEntry } from '../audit/queries.ts';
import { readTarget, tryBatch } from './delivery.ts';
import { checkSettings, hostOf, parseKindSettings } from './kinds.ts';
import { findStream } from './queries.ts';
import { auditStreams } from './stream-type.ts';

/** Adds a destination. Throws `conflict` for a name in use. */
export async function createStream(
  services: Services,
  actor: Actor,
  { kind, name, settings, secret: given, startFrom }: z.output<typeof createAuditStream.body>,
): Promise<{ secret: string | null; stream: AuditStream }> {
  if (kind === 's3' && given === '') throw Invalid('secret', 'is needed');
  if (kind !== 's3' && given !== '') throw Invalid('secret', 'applies only to S3-compatible storage');
  await checkSettings(services.outboundFor(actor.orgId, 'audit-stream'), kind, settings);
  return changeDestination(services, actor, auditStreams, async (tx, recordChange) => {
    await requireCapacity(tx, actor.orgId, auditStreams);
    const id = newId();
    const signingSecret = kind === 'https' ? newSigningSecret() : null;
    const secret = signingSecret ?? given;
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
        secret_sealed: secret === '' ? null : sealSecret(services, auditStreams, { orgId: actor.orgId, id }, secret),
      })
      .onConflict((conflict) => conflict.columns(['org_id', 'name']).doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!added) throw nameTaken();
    await recordChange(id, 'audit_stream.created', { kind, host: hostOf(kind, settings), startFrom });
    await queueDelivery(services, tx, actor.orgId, id);
    return { secret: signingSecret, stream: await findStream(tx, actor.orgId, id) };
  });
}

/** The cursor before the first entry of the ledger, or at the last entry of the present epoch. */
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

/** Changes the given fields. If they equal the present ones, nothing is changed or recorded. */
export async function updateStream(
  services: Services,
  actor: Actor,
  id: string,
  changes: z.output<typeof updateAuditStream.body>,
): Promise<AuditStream> {
  const { orgId } = actor;
  const was = await services.database.withOrg(orgId, (tx) => findStream(tx, orgId, id));
  if (changes.secret !== undefined && was.kind !== 's3')
    throw Invalid('secret', 'applies only to S3-compatible storage');
  if (changes.settings !== undefined)
    await checkSettings(services.outboundFor(actor.orgId, 'audit-stream'), was.kind, changes.settings);
  return changeDestination(services, actor, auditStreams, async (tx, recordChange) => {
    const present = await findStream(tx, orgId, id);
    const { kind } = present;
    const settings = changes.settings === undefined ? present.settings : parseKindSettings(kind, changes.settings);
    const before = { host: hostOf(kind, present.settings), enabled: present.state !== 'paused' };
    const after = { host: hostOf(kind, settings), enabled: changes.enabled ?? before.enabled };
    if (kind === 's3' && changes.secret === undefined && before.host !== after.host) {
      throw Invalid('secret', 'is required again for a different URL');
    }
    const name = changes.name ?? present.name;
    const isSame =
      after.enabled === before.enabled && name === present.name && isSameSettings(settings, present.settings);
    if (isSame && changes.secret === undefined) return present;
    await checkName(tx, orgId, id, name);
    await tx.db
      .updateTable('audit_stream')
      .set({
        name,
        settings: JSON.stringify(settings),
        enabled: after.enabled,
        // A correction is tried at once.
        tries: 0,
        next_at: sql<Date>`now()`,
        ...(changes.secret !== undefined && {
          secret_sealed: sealSecret(services, auditStreams, { orgId, id }, changes.secret),
        }),
      })
      .where('org_id', '=', orgId)
      .where('id', '=', id)
      .execute();
    if (after.enabled) await queueDelivery(services, tx, orgId, id);
    const secret = changes.secret === undefined ? {} : { secret: 'replaced' };
    await recordChange(id, 'audit_stream.updated', { kind, host: after.host, ...secret, before, after });
    return findStream(tx, orgId, id);
  });
}

export const deleteStream = (services: Services, actor: Actor, id: string): Promise<null> =>
  changeDestination(services, actor, auditStreams, async (tx, recordChange) => {
    const { kind, settings, behind } = await findStream(tx, actor.orgId, id);
    await deleteDestination(tx, auditStreams, actor.orgId, id);
    await recordChange(id, 'audit_stream.deleted', { kind, host: hostOf(kind, settings), undelivered: behind });
    return null;
  });

/** Replaces the signing secret. The previous one also signs for a day. Throws `conflict` for kinds that do not sign. */
export const rotateSecret = (
  services: Services,
  actor: Actor,
  id: string,
): Promise<{ secret: string; stream: AuditStream }> =>
  changeDestination(services, actor, auditStreams, async (tx, recordChange) => {
    const { kind, settings } = await findStream(tx, actor.orgId, id);
    if (kind !== 'https') throw Conflict('Only HTTPS destinations have a signing secret.');
    const secret = await rotateSigningSecret(services, tx, auditStreams, { orgId: actor.orgId, id });
    await recordChange(id, 'audit_stream.secret_rotated', { kind, host: hostOf(kind, settings) });
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
      actor,
      entry: {
        action: 'audit_stream.tested',
        subject: { kind: 'audit_stream', id },
        data: { kind, host: hostOf(kind, settings) },
      },
    });
    return { target: await readTarget(services, tx, orgId, id), entry: await findAuditEntry(tx, orgId, entryId) };
  });
  const position = { epoch: 0, leafIndex: 0 };
  const { failure } = await tryBatch(services, orgId, target, [{ orgId, position, entry, isTest: true }]);
  return { failure };
}

/** Retries a failing stream now, for an operator. Throws 404 for a stream that is paused or not failing. */
export async function retryFailingStream({ services, tx, orgId }: Publication, id: string): Promise<void> {
  const failing = await tx.db
    .updateTable('audit_stream')
    .set({ tries: 0, next_at: sql<Date>`now()` })
    .where('org_id', '=', orgId)
    .where((eb) => eb(eb.cast<string>('id', 'text'), '=', id))
    .where('enabled', '=', true)
    .where('failing_since', 'is not', null)
    .returning('id')
    .executeTakeFirst();
  if (!failing) throw NotFound('Failing audit log stream');
  await queueDelivery(services, tx, orgId, id);
}

const queueDelivery = ({ jobs }: Services, tx: Tx, orgId: string, streamId: string) =>
  jobs.enqueue(tx, 'audit-streams.deliver', { orgId, streamId }, { key: streamId });

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
