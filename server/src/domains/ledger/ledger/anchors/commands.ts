import type { Anchor, createAnchor, updateAnchor } from '@sightline/contract/ledger/anchors.ts';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Actor } from '#core/actor.ts';
import { countCost } from '#core/costs.ts';
import { Conflict, Invalid, NotFound } from '#core/errors.ts';
import { newId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import { newSigningSecret } from '#core/standard-webhooks.ts';
import type { Tx } from '#database/database.ts';
import {
  changeDestination,
  deleteDestination,
  requireCapacity,
  sealSecret,
} from '../../../delivery/destinations/commands.ts';
import { deleteUnusedAddresses, requestConfirmations, resendLink } from './addresses.ts';
import { anchors } from './anchor-type.ts';
import { checkSettings } from './kinds.ts';
import { findAnchor } from './queries.ts';

/** Adds an anchor and publishes the first checkpoint to it. Throws `conflict` for a name of this kind that is in use. */
export async function addAnchor(
  services: Services,
  actor: Actor,
  { kind, party, settings, everyHours, secret: given }: z.output<typeof createAnchor.body>,
): Promise<{ secret: string | null; anchor: Anchor }> {
  if (given !== '' && kind !== 'git') throw Invalid('secret', 'applies only to git repositories');
  await checkSettings(services, actor.orgId, kind, settings);
  return changeDestination(services, actor, anchors, async (tx, recordChange) => {
    await requireCapacity(tx, actor.orgId, anchors);
    const id = newId();
    const signingSecret = kind === 'webhook' ? newSigningSecret() : null;
    const secret = signingSecret ?? given;
    const added = await tx.db
      .insertInto('anchor')
      .values({
        org_id: actor.orgId,
        id,
        kind,
        party,
        settings: JSON.stringify(settings),
        every_hours: everyHours,
        secret_sealed: secret === '' ? null : sealSecret(services, anchors, { orgId: actor.orgId, id }, secret),
        created_by: actor.accountId,
      })
      .onConflict((conflict) => conflict.columns(['org_id', 'kind', 'party']).doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!added) throw Conflict('An anchor of this kind and name already exists.');
    await recordChange(id, 'ledger.anchor_added', { kind, ...hostOf(settings), after: { everyHours } });
    if (kind === 'mail') await requestWithinLimit(services, tx, actor.orgId, settings.addresses);
    await queuePublication(services, tx, actor.orgId, id);
    return { secret: signingSecret, anchor: await findAnchor(tx, actor.orgId, id) };
  });
}

/** Changes the given fields. If they equal the present ones, nothing is changed or recorded. */
export const changeAnchor = (
  services: Services,
  actor: Actor,
  id: string,
  changes: z.output<typeof updateAnchor.body>,
): Promise<Anchor> =>
  changeDestination(services, actor, anchors, async (tx, recordChange) => {
    const was = await findAnchor(tx, actor.orgId, id);
    if (changes.secret !== undefined && was.kind !== 'git') throw Invalid('secret', 'applies only to git repositories');
    const before = { everyHours: was.everyHours, enabled: was.state !== 'off' };
    const after = {
      everyHours: changes.everyHours ?? before.everyHours,
      enabled: changes.enabled ?? before.enabled,
    };
    if (changes.secret === undefined && JSON.stringify(after) === JSON.stringify(before)) return was;
    const publishesNow = (after.enabled && !before.enabled) || changes.secret !== undefined;
    await tx.db
      .updateTable('anchor')
      .set({
        every_hours: after.everyHours,
        enabled: after.enabled,
        next_at: publishesNow
          ? sql<Date>`now()`
          : sql<Date>`least(next_at, now() + make_interval(hours => ${after.everyHours}))`,
        ...(publishesNow && { tries: 0, failing_since: null }),
        ...(changes.secret !== undefined && {
          secret_sealed: sealSecret(services, anchors, { orgId: actor.orgId, id }, changes.secret),
        }),
      })
      .where('org_id', '=', actor.orgId)
      .where('id', '=', id)
      .execute();
    if (publishesNow && after.enabled) await queuePublication(services, tx, actor.orgId, id);
    const token = changes.secret === undefined ? {} : { token: 'replaced' };
    await recordChange(id, 'ledger.anchor_changed', {
      kind: was.kind,
      ...hostOf(was.settings),
      ...token,
      before,
      after,
    });
    return findAnchor(tx, actor.orgId, id);
  });

/** Removes an anchor. Its receipts stay. */
export const removeAnchor = (services: Services, actor: Actor, id: string): Promise<null> =>
  changeDestination(services, actor, anchors, async (tx, recordChange) => {
    const { kind, settings } = await findAnchor(tx, actor.orgId, id);
    await deleteDestination(tx, anchors, actor.orgId, id);
    if (kind === 'mail') await deleteUnusedAddresses(tx, actor.orgId);
    await recordChange(id, 'ledger.anchor_removed', { kind, ...hostOf(settings) });
    return null;
  });

/** Queues the publication of a checkpoint. Throws `conflict` if the anchor is off. */
export const publishNow = (services: Services, actor: Actor, id: string): Promise<Anchor> =>
  changeDestination(services, actor, anchors, async (tx, recordChange) => {
    const anchor = await findAnchor(tx, actor.orgId, id);
    if (anchor.state === 'off') throw Conflict('This anchor is disabled. Enable it first.');
    await queuePublication(services, tx, actor.orgId, id);
    await recordChange(id, 'ledger.anchor_requested', { kind: anchor.kind, ...hostOf(anchor.settings) });
    return anchor;
  });

/** Sends another link to an unconfirmed address of an anchor. Throws 404 for any other address. */
export const resendConfirmation = (services: Services, actor: Actor, id: string, address: string): Promise<Anchor> =>
  changeDestination(services, actor, anchors, async (tx, recordChange) => {
    const anchor = await findAnchor(tx, actor.orgId, id);
    if (!anchor.unconfirmed.includes(address.toLowerCase())) throw NotFound('Unconfirmed address');
    await countCost(services, tx, 'confirmation', actor.orgId);
    if (!(await resendLink(services, tx, actor.orgId, address))) throw NotFound('Unconfirmed address');
    await recordChange(id, 'ledger.anchor_address_requested', { kind: anchor.kind });
    return anchor;
  });

async function requestWithinLimit(
  services: Services,
  tx: Tx,
  orgId: string,
  addresses: readonly string[],
): Promise<void> {
  if (addresses.length === 0) return;
  await countCost(services, tx, 'confirmation', orgId);
  await requestConfirmations(services, tx, orgId, addresses);
}

/** Queues the publication of a checkpoint, within the limit of an organization for publications on demand. */
async function queuePublication(services: Services, tx: Tx, orgId: string, anchorId: string): Promise<void> {
  await countCost(services, tx, 'checkpoint', orgId);
  await services.jobs.enqueue(tx, 'ledger.publish', { orgId, anchorId }, { key: anchorId });
}

/** For the audit log: a URL may contain a secret, and the name of an anchor may be that of a person. */
function hostOf(settings: object): { host?: string } {
  const { url } = settings as { url?: unknown };
  return typeof url === 'string' && URL.canParse(url) ? { host: new URL(url).host } : {};
}
