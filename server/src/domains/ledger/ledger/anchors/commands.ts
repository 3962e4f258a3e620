import { type Anchor, anchorsMax, type createAnchor, type updateAnchor } from '@sightline/contract/ledger/anchors.ts';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Actor } from '#core/actor.ts';
import { type RecordChange, recordAuditEntry } from '#core/audit.ts';
import { countCost } from '#core/costs.ts';
import { Conflict, Invalid, NotFound } from '#core/errors.ts';
import { newId } from '#core/ids.ts';
import { requireOwner } from '#core/owner-lock.ts';
import type { Services } from '#core/services.ts';
import { newSigningSecret } from '#core/standard-webhooks.ts';
import type { Tx } from '#database/database.ts';
import { forgetUnnamed, requestConfirmationAgain, requestConfirmations } from './addresses.ts';
import { checkSettings } from './kinds.ts';
import { findAnchor } from './queries.ts';
import { placeOf } from './secret-location.ts';

/** Has checkpoints left with somebody from now on, the first at once. Throws `conflict` for a party that is there already. */
export async function addAnchor(
  services: Services,
  actor: Actor,
  wanted: z.output<typeof createAnchor.body>,
): Promise<{ secret: string | null; anchor: Anchor }> {
  const { kind, party, settings, everyHours } = wanted;
  if (wanted.secret !== '' && kind !== 'git') throw Invalid('secret', 'applies only to git repositories');
  await checkSettings(services, actor.orgId, kind, settings);
  return change(services, actor, async (tx, note) => {
    await checkCount(tx, actor.orgId);
    const id = newId();
    const made = kind === 'webhook' ? newSigningSecret() : null;
    const secret = made ?? wanted.secret;
    const added = await tx.db
      .insertInto('anchor')
      .values({
        org_id: actor.orgId,
        id,
        kind,
        party,
        settings: JSON.stringify(settings),
        every_hours: everyHours,
        secret_sealed: secret === '' ? null : services.secrets.seal(placeOf(actor.orgId, id), Buffer.from(secret)),
        created_by: actor.accountId,
      })
      .onConflict((conflict) => conflict.columns(['org_id', 'kind', 'party']).doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!added) throw Conflict('An anchor of this kind and name already exists.');
    await note(id, 'ledger.anchor_added', { kind, ...hostOf(settings), after: { everyHours } });
    if (kind === 'mail') await requestLimited(services, tx, actor.orgId, settings.addresses);
    await publish(services, tx, actor.orgId, id);
    return { secret: made, anchor: await findAnchor(tx, actor.orgId, id) };
  });
}

/** Changes what is named; what is as wanted already changes nothing. */
export const changeAnchor = (
  services: Services,
  actor: Actor,
  id: string,
  wanted: z.output<typeof updateAnchor.body>,
): Promise<Anchor> =>
  change(services, actor, async (tx, note) => {
    const was = await findAnchor(tx, actor.orgId, id);
    if (wanted.secret !== undefined && was.kind !== 'git') throw Invalid('secret', 'applies only to git repositories');
    const before = { everyHours: was.everyHours, enabled: was.state !== 'off' };
    const after = {
      everyHours: wanted.everyHours ?? before.everyHours,
      enabled: wanted.enabled ?? before.enabled,
    };
    if (wanted.secret === undefined && JSON.stringify(after) === JSON.stringify(before)) return was;
    const isNew = (after.enabled && !before.enabled) || wanted.secret !== undefined;
    await tx.db
      .updateTable('anchor')
      .set({
        every_hours: after.everyHours,
        enabled: after.enabled,
        next_at: isNew
          ? sql<Date>`now()`
          : sql<Date>`least(next_at, now() + make_interval(hours => ${after.everyHours}))`,
        ...(isNew && { tries: 0, failing_since: null }),
        ...(wanted.secret !== undefined && {
          secret_sealed: services.secrets.seal(placeOf(actor.orgId, id), Buffer.from(wanted.secret)),
        }),
      })
      .where('org_id', '=', actor.orgId)
      .where('id', '=', id)
      .execute();
    if (isNew && after.enabled) await publish(services, tx, actor.orgId, id);
    const token = wanted.secret === undefined ? {} : { token: 'replaced' };
    await note(id, 'ledger.anchor_changed', { kind: was.kind, ...hostOf(was.settings), ...token, before, after });
    return findAnchor(tx, actor.orgId, id);
  });

/** Leaves nothing there any more. What was left stays on record. */
export const removeAnchor = (services: Services, actor: Actor, id: string): Promise<null> =>
  change(services, actor, async (tx, note) => {
    const { kind, settings } = await findAnchor(tx, actor.orgId, id);
    await tx.db.deleteFrom('anchor').where('org_id', '=', actor.orgId).where('id', '=', id).execute();
    if (kind === 'mail') await forgetUnnamed(tx, actor.orgId);
    await note(id, 'ledger.anchor_removed', { kind, ...hostOf(settings) });
    return null;
  });

/** Leaves a checkpoint there as soon as a job can. Throws `conflict` where it is off. */
export const leaveThereNow = (services: Services, actor: Actor, id: string): Promise<Anchor> =>
  change(services, actor, async (tx, note) => {
    const anchor = await findAnchor(tx, actor.orgId, id);
    if (anchor.state === 'off') throw Conflict('This anchor is disabled. Enable it first.');
    await publish(services, tx, actor.orgId, id);
    await note(id, 'ledger.anchor_requested', { kind: anchor.kind, ...hostOf(anchor.settings) });
    return anchor;
  });

/** Mails another link to an address that has not confirmed. Throws 404 for an address that is not named there or is confirmed. */
export const requestAddressAgain = (services: Services, actor: Actor, id: string, address: string): Promise<Anchor> =>
  change(services, actor, async (tx, note) => {
    const anchor = await findAnchor(tx, actor.orgId, id);
    if (!anchor.unconfirmed.includes(address.toLowerCase())) throw NotFound('Unconfirmed address');
    await countCost(services, tx, 'confirmation', actor.orgId);
    if (!(await requestConfirmationAgain(services, tx, actor.orgId, address))) throw NotFound('Unconfirmed address');
    await note(id, 'ledger.anchor_address_requested', { kind: anchor.kind });
    return anchor;
  });

async function requestLimited(services: Services, tx: Tx, orgId: string, addresses: readonly string[]): Promise<void> {
  if (addresses.length === 0) return;
  await countCost(services, tx, 'confirmation', orgId);
  await requestConfirmations(services, tx, orgId, addresses);
}

/** Has a checkpoint published by a job, within what an organization may have published on demand. */
async function publish(services: Services, tx: Tx, orgId: string, anchorId: string): Promise<void> {
  await countCost(services, tx, 'checkpoint', orgId);
  await services.jobs.enqueue(tx, 'ledger.leave', { orgId, anchorId }, { key: anchorId });
}

/** A change by an owner, and the way to tell the audit log of it. */
const change = <Result>(
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
        entry: { action, subject: { kind: 'ledger', id }, data },
      });
      tx.afterCommit(() => services.realtime.tell(actor.orgId, 'orgLedger', {}));
    });
  });

async function checkCount({ db }: Tx, orgId: string): Promise<void> {
  const { count } = await db
    .selectFrom('anchor')
    .where('org_id', '=', orgId)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  if (Number(count) >= anchorsMax) throw Conflict(`The limit of ${anchorsMax} anchors is reached. Remove unused ones.`);
}

/** The address itself may hold a secret, and a name may be that of a person: neither is for the ledger. */
function hostOf(settings: object): { host?: string } {
  const { url } = settings as { url?: unknown };
  return typeof url === 'string' && URL.canParse(url) ? { host: new URL(url).host } : {};
}
