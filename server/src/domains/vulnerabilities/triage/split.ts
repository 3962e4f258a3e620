import { sql } from 'kysely';
import type { Actor } from '#core/actor.ts';
import { formatDay } from '#core/day.ts';
import { Conflict, NotFound } from '#core/errors.ts';
import { newId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { recomputeAndNotify, recordDecisions, requireTriager, type TriageDecision } from './commands.ts';
import { lockTargets, mergedIntoId, type TriageTarget } from './queries.ts';

/**
 * Moves sources of a finding to an open finding of their own and marks both as split: no scan groups them again. A
 * finding that was merged into this one returns under its old ID.
 */
export function splitFindingSources(
  services: Services,
  requester: Actor,
  findingId: string,
  sources: readonly string[],
): Promise<{ id: string }> {
  const { orgId } = requester;
  return services.database.withOrg(orgId, async (tx) => {
    const actor = await requireTriager(tx, requester);
    const from = (await mergedIntoId(tx, orgId, findingId)) ?? findingId;
    const target = (await lockTargets(tx, actor, [from])).get(from);
    if (!target) throw NotFound('Vulnerability');
    const all = await sourcesOf(tx, orgId, from);
    const chosen = all.filter(({ fingerprint }) => sources.includes(fingerprint));
    if (chosen.length < new Set(sources).size) throw NotFound('One of these sources');
    if (chosen.length === all.length) throw Conflict('At least one source must remain.');
    const restored = await mergedBefore(tx, orgId, from, chosen.map(fingerprintOf));
    const id = restored?.id ?? newId();
    const moving = [...chosen, ...staleSourcesOf(all, chosen, restored?.fingerprints ?? [])];
    await moveOut(tx, orgId, { target, id, fingerprints: moving.map(fingerprintOf) });
    const fresh = { ...target, id };
    const decisions: TriageDecision[] = [
      { target, kind: 'split', other: { id, title: target.title } },
      { target: fresh, kind: 'split', other: { id: from, title: target.title } },
    ];
    await recordDecisions(services, tx, orgId, { actor, decisions });
    await recomputeAndNotify(services, tx, orgId, [target, fresh]);
    if (restored) await restoreMergedFinding(tx, orgId, restored);
    return { id };
  });
}

interface SplitSource {
  fingerprint: string;
  tool: string;
  rule_id: string;
  /** Whether a scan still reports it; otherwise it is the location of a result before it moved. */
  isStillReported: boolean;
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
        and i.fingerprint = s.fingerprint and i.state <> 'fixed')`.as('isStillReported'),
    )
    .execute();

/**
 * Returns the stale sources that follow the chosen ones: sources of the restored finding, and sources whose rule only
 * the chosen ones have.
 */
function staleSourcesOf(
  all: readonly SplitSource[],
  chosen: readonly SplitSource[],
  former: readonly string[],
): SplitSource[] {
  const remaining = all.filter((source) => !chosen.includes(source));
  if (!remaining.some(({ isStillReported }) => isStillReported)) return [];
  const isSame = (one: SplitSource) => (other: SplitSource) => other.tool === one.tool && other.rule_id === one.rule_id;
  return remaining.filter(
    (source) =>
      !source.isStillReported &&
      (former.includes(source.fingerprint) ||
        (chosen.some(isSame(source)) && !remaining.some((other) => other.isStillReported && isSame(source)(other)))),
  );
}

interface MergedFinding {
  id: string;
  introduced: unknown;
}

/** Finds the merged finding that these sources belonged to. */
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
      explanation: `Manually split from “${target.title}” on ${formatDay(new Date())}.`,
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

async function restoreMergedFinding({ db }: Tx, orgId: string, { id, introduced }: MergedFinding): Promise<void> {
  await db.deleteFrom('finding_merged').where('org_id', '=', orgId).where('id', '=', id).execute();
  if (introduced === null) return;
  await db
    .updateTable('finding')
    .set({ introduced: JSON.stringify(introduced) })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .execute();
}
