import { sql } from 'kysely';
import type { Actor } from '#core/actor.ts';
import { Conflict, NotFound } from '#core/errors.ts';
import { newId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { presentTriager } from './commands.ts';
import { dayOf } from './day.ts';
import { type Decision, note, settle } from './decisions.ts';
import { survivorOf } from './queries.ts';
import { lockTargets, type Target } from './targets.ts';

/**
 * Makes some sources of a finding a finding of their own, open, and keeps both apart: no scan puts them together again. A
 * finding that had been merged into this one comes back under its old address.
 */
export function split(
  services: Services,
  given: Actor,
  findingId: string,
  sources: readonly string[],
): Promise<{ id: string }> {
  const { orgId } = given;
  return services.database.withOrg(orgId, async (tx) => {
    const actor = await presentTriager(tx, given);
    const from = (await survivorOf(tx, orgId, findingId)) ?? findingId;
    const target = (await lockTargets(tx, actor, [from])).get(from);
    if (!target) throw NotFound('That vulnerability');
    const kept = await tx.db
      .selectFrom('finding_source')
      .select('fingerprint')
      .where('org_id', '=', orgId)
      .where('finding_id', '=', from)
      .execute();
    const going = kept.map((row) => row.fingerprint).filter((fingerprint) => sources.includes(fingerprint));
    if (going.length < new Set(sources).size) throw NotFound('One of these sources');
    if (going.length === kept.length) throw Conflict('One source has to stay: there would be nothing left to split.');
    const back = await mergedBefore(tx, orgId, from, going);
    const id = back?.id ?? newId();
    await moveOut(tx, orgId, target, id, going);
    const fresh = { ...target, id };
    const decisions: Decision[] = [
      { target, kind: 'split', other: { id, title: target.title } },
      { target: fresh, kind: 'split', other: { id: from, title: target.title } },
    ];
    await note(services, tx, orgId, actor, decisions);
    await settle(services, tx, orgId, [target, fresh]);
    if (back) await giveBack(tx, orgId, back);
    return { id };
  });
}

interface Merged {
  id: string;
  introduced: unknown;
}

/** The finding that these sources were before it was merged into this one. */
const mergedBefore = ({ db }: Tx, orgId: string, into: string, fingerprints: readonly string[]) =>
  db
    .selectFrom('finding_merged')
    .select(['id', 'introduced'])
    .where('org_id', '=', orgId)
    .where('into_id', '=', into)
    .where(sql<boolean>`fingerprints && ${fingerprints}::uuid[]`)
    .orderBy('merged_at', 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();

async function moveOut({ db }: Tx, orgId: string, target: Target, id: string, fingerprints: readonly string[]) {
  await db
    .updateTable('finding_source')
    .set({
      finding_id: id,
      reason: 'split by hand',
      explanation: `Split from “${target.title}” by hand on ${dayOf(new Date())}.`,
      apart: true,
    })
    .where('org_id', '=', orgId)
    .where('repository_id', '=', target.repositoryId)
    .where('fingerprint', 'in', [...fingerprints])
    .execute();
  await db
    .updateTable('finding_source')
    .set({ apart: true })
    .where('org_id', '=', orgId)
    .where('finding_id', '=', target.id)
    .execute();
  await db
    .updateTable('finding_instance')
    .set({ finding_id: id })
    .where('org_id', '=', orgId)
    .where('finding_id', '=', target.id)
    .where('fingerprint', 'in', [...fingerprints])
    .execute();
}

async function giveBack({ db }: Tx, orgId: string, { id, introduced }: Merged): Promise<void> {
  await db.deleteFrom('finding_merged').where('org_id', '=', orgId).where('id', '=', id).execute();
  if (introduced === null) return;
  await db
    .updateTable('finding')
    .set({ introduced: JSON.stringify(introduced) })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .execute();
}
