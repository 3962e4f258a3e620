import { sql } from 'kysely';
import type { Actor } from '#core/actor.ts';
import { formatDay } from '#core/day.ts';
import { Conflict, Invalid, NotFound } from '#core/errors.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { moveTicket } from '../../sources/trackers/commands.ts';
import { withdrawWaiversOf } from '../waivers/commands.ts';
import { recomputeAndNotify, recordDecisions, requireTriager, type TriageDecision } from './commands.ts';
import { lockTargets, mergedIntoId, type TriageTarget } from './queries.ts';

/**
 * Merges findings into one: it gets their sources, instances and history, also in later scans, and their URLs redirect
 * to it. Decisions about the remaining finding stay valid; decisions about the others become history.
 */
export function mergeFindingsInto(
  services: Services,
  requester: Actor,
  findingId: string,
  ids: readonly string[],
): Promise<null> {
  const { orgId } = requester;
  return services.database.withOrg(orgId, async (tx) => {
    const actor = await requireTriager(tx, requester);
    const into = (await mergedIntoId(tx, orgId, findingId)) ?? findingId;
    const others = [...new Set(ids)];
    if (others.includes(into)) throw Invalid('ids', 'contains the vulnerability itself');
    const targets = await lockTargets(tx, actor, [into, ...others]);
    const survivor = targets.get(into);
    if (!survivor) throw NotFound('Vulnerability');
    const requested = others.map((id) => targets.get(id));
    const merged = requested.filter((target) => target !== undefined);
    if (merged.length < requested.length) await refuseMissing(tx, orgId, others, targets);
    if (merged.some(({ repositoryId }) => repositoryId !== survivor.repositoryId)) {
      throw Invalid('ids', 'contains a vulnerability of another repository');
    }
    await withdrawWaiversOf(services, tx, actor, merged);
    for (const target of merged) await moveInto(tx, orgId, target, survivor);
    await moveTicket(tx, orgId, { kind: 'finding', ids: merged.map(({ id }) => id) }, into);
    await recordDecisions(services, tx, orgId, {
      actor,
      decisions: merged.map(
        ({ id, title }): TriageDecision => ({ target: survivor, kind: 'merged', other: { id, title } }),
      ),
    });
    await recomputeAndNotify(services, tx, orgId, [survivor, ...merged]);
    return null;
  });
}

/** Throws 409 for a finding that was merged already, which an outdated list may still show, otherwise 404. */
async function refuseMissing(
  tx: Tx,
  orgId: string,
  ids: readonly string[],
  targets: ReadonlyMap<string, TriageTarget>,
) {
  for (const id of ids) {
    if (targets.has(id)) continue;
    if (await mergedIntoId(tx, orgId, id)) throw Conflict('One of these is already merged into another vulnerability.');
    throw NotFound('Vulnerability');
  }
}

async function moveInto({ db }: Tx, orgId: string, { id }: TriageTarget, survivor: TriageTarget): Promise<void> {
  const { id: into, title } = survivor;
  await db
    .insertInto('finding_merged')
    .columns(['org_id', 'id', 'into_id', 'fingerprints', 'introduced'])
    .expression(({ selectFrom }) =>
      selectFrom('finding as f')
        .where('f.org_id', '=', orgId)
        .where('f.id', '=', id)
        .select([
          'f.org_id',
          'f.id',
          sql<string>`${into}::uuid`.as('into_id'),
          sql<
            string[]
          >`array(select s.fingerprint from finding_source s where s.org_id = f.org_id and s.finding_id = f.id)`.as(
            'fingerprints',
          ),
          'f.introduced',
        ]),
    )
    .execute();
  await db
    .updateTable('finding_merged')
    .set({ into_id: into })
    .where('org_id', '=', orgId)
    .where('into_id', '=', id)
    .execute();
  await db
    .updateTable('finding_source')
    .set({
      finding_id: into,
      reason: 'merged_manually',
      explanation: `Manually merged with “${title}” on ${formatDay(new Date())}.`,
      is_split: false,
    })
    .where('org_id', '=', orgId)
    .where('finding_id', '=', id)
    .execute();
  for (const table of ['finding_instance', 'finding_decision', 'finding_waiver'] as const) {
    await db
      .updateTable(table)
      .set({ finding_id: into })
      .where('org_id', '=', orgId)
      .where('finding_id', '=', id)
      .execute();
  }
  await db.deleteFrom('finding_seen').where('org_id', '=', orgId).where('finding_id', '=', id).execute();
}
