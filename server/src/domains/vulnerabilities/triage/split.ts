import { sql } from 'kysely';
import type { Actor } from '#core/actor.ts';
import { dayOf } from '#core/day.ts';
import { Conflict, NotFound } from '#core/errors.ts';
import { newId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { presentTriager } from './commands.ts';
import type { TriageDecision } from './decision.ts';
import { note, settle } from './decisions.ts';
import { survivorOf } from './queries.ts';
import { lockTargets, type TriageTarget } from './targets.ts';

/**
 * Makes some sources of a finding a finding of their own, open, and keeps both is_split: no scan puts them together again. A
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
    if (!target) throw NotFound('Vulnerability');
    const all = await sourcesOf(tx, orgId, from);
    const chosen = all.filter(({ fingerprint }) => sources.includes(fingerprint));
    if (chosen.length < new Set(sources).size) throw NotFound('One of these sources');
    if (chosen.length === all.length) throw Conflict('At least one source must remain.');
    const back = await mergedBefore(tx, orgId, from, chosen.map(fingerprintOf));
    const id = back?.id ?? newId();
    const going = [...chosen, ...pastOf(all, chosen, back?.fingerprints ?? [])];
    await moveOut(tx, orgId, { target, id, fingerprints: going.map(fingerprintOf) });
    const fresh = { ...target, id };
    const decisions: TriageDecision[] = [
      { target, kind: 'split', other: { id, title: target.title } },
      { target: fresh, kind: 'split', other: { id: from, title: target.title } },
    ];
    await note(services, tx, orgId, { doer: actor, decisions });
    await settle(services, tx, orgId, [target, fresh]);
    if (back) await giveBack(tx, orgId, back);
    return { id };
  });
}

interface SplitSource {
  fingerprint: string;
  tool: string;
  rule_id: string;
  /** Some scan still sees it; else it is where the result was before it moved. */
  stands: boolean;
}

const fingerprintOf = ({ fingerprint }: SplitSource) => fingerprint;

const sourcesOf = ({ db }: Tx, orgId: string, findingId: string): Promise<SplitSource[]> =>
  db
    .selectFrom('finding_source as s')
    .where('s.org_id', '=', orgId)
    .where('s.finding_id', '=', findingId)
    .select(['s.fingerprint', 's.tool', 's.rule_id'])
    .select(
      sql<boolean>`exists (select from finding_instance i where i.org_id = s.org_id and i.finding_id = s.finding_id
        and i.fingerprint = s.fingerprint and i.state <> 'fixed')`.as('stands'),
    )
    .execute();

/** What no scan sees any more goes with what it turned into: by its former finding, or as the only one of its rule. */
function pastOf(all: readonly SplitSource[], chosen: readonly SplitSource[], former: readonly string[]): SplitSource[] {
  const staying = all.filter((source) => !chosen.includes(source));
  if (!staying.some(({ stands }) => stands)) return [];
  const isSame = (one: SplitSource) => (other: SplitSource) => other.tool === one.tool && other.rule_id === one.rule_id;
  return staying.filter(
    (source) =>
      !source.stands &&
      (former.includes(source.fingerprint) ||
        (chosen.some(isSame(source)) && !staying.some((other) => other.stands && isSame(source)(other)))),
  );
}

interface MergedFinding {
  id: string;
  introduced: unknown;
}

/** The finding that these sources were before it was merged into this one. */
const mergedBefore = ({ db }: Tx, orgId: string, into: string, fingerprints: readonly string[]) =>
  db
    .selectFrom('finding_merged')
    .select(['id', 'introduced', 'fingerprints'])
    .where('org_id', '=', orgId)
    .where('into_id', '=', into)
    .where(sql<boolean>`fingerprints && ${fingerprints}::uuid[]`)
    .orderBy('merged_at', 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();

async function moveOut(
  { db }: Tx,
  orgId: string,
  { target, id, fingerprints }: { target: TriageTarget; id: string; fingerprints: readonly string[] },
) {
  await db
    .updateTable('finding_source')
    .set({
      finding_id: id,
      reason: 'split_manually',
      explanation: `Manually split from “${target.title}” on ${dayOf(new Date())}.`,
      is_split: true,
    })
    .where('org_id', '=', orgId)
    .where('repository_id', '=', target.repositoryId)
    .where('fingerprint', 'in', [...fingerprints])
    .execute();
  await db
    .updateTable('finding_source')
    .set({ is_split: true })
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

async function giveBack({ db }: Tx, orgId: string, { id, introduced }: MergedFinding): Promise<void> {
  await db.deleteFrom('finding_merged').where('org_id', '=', orgId).where('id', '=', id).execute();
  if (introduced === null) return;
  await db
    .updateTable('finding')
    .set({ introduced: JSON.stringify(introduced) })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .execute();
}
