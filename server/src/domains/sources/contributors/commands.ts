import type { decideContributorMerge } from '@sightline/contract/sources/contributor-merges.ts';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Actor } from '#core/actor.ts';
import { recordAuditEntry } from '#core/audit.ts';
import { Conflict, Invalid, NotFound } from '#core/errors.ts';
import { newId } from '#core/ids.ts';
import { personsWithAccount } from '#core/people.ts';
import type { Services } from '#core/services.ts';
import type { Publication } from '#core/topics.ts';
import type { Tx } from '#database/database.ts';
import { findEnabledRepository, type RepositoryKey } from '../repositories/queries.ts';
import { personGroupsOf, personLinksOf } from './groups.ts';
import { personsLinked } from './topics.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'contributors.mailmap': { orgId: string; repositoryId: string };
  }
}

/** Queues the job that reads the `.mailmap` of a repository when the transaction commits. */
export const queueMailmap = (
  services: Services,
  tx: Tx,
  orgId: string,
  { repositoryId, startAfter }: { repositoryId: string; startAfter?: Date | undefined },
): Promise<void> =>
  services.jobs.enqueue(
    tx,
    'contributors.mailmap',
    { orgId, repositoryId },
    { key: repositoryId, ...(startAfter && { startAfter }) },
  );

type MergeDecision = z.output<typeof decideContributorMerge.body>;

const actions = { merged: 'person.merged', dismissed: 'person.merge_dismissed' } as const;

/** Merges two contributors of a repository, or dismisses the suggestion. Idempotent. */
export const recordMergeDecision = (
  services: Services,
  actor: Actor,
  key: RepositoryKey,
  { contributorIds, decision }: MergeDecision,
): Promise<{ id: string }> =>
  services.database.withOrg(actor.orgId, async (tx) => {
    const { orgId } = actor;
    const [one, other] = [...contributorIds].sort();
    if (one === undefined || other === undefined || one === other) {
      throw Invalid('contributorIds', 'must be two different contributors');
    }
    const names = await contributorNames(tx, orgId, await findEnabledRepository(tx, actor, key), [one, other]);
    if (names.size < 2) throw NotFound('Contributor');
    if ((await personsWithAccount(tx, orgId, [one, other])).size === 2) {
      throw Conflict('Both contributors are members. Members link their accounts themselves.');
    }
    const before = await tx.db
      .selectFrom('contributor_merge')
      .where('org_id', '=', orgId)
      .where('person_id', '=', one)
      .where('other_id', '=', other)
      .select(['id', 'decision'])
      .forUpdate()
      .executeTakeFirst();
    if (before?.decision === decision) return { id: before.id };
    const group = await groupOf(tx, orgId, one, other);
    const row = { decision, decided_by: actor.accountId, decided_at: new Date() };
    const { id } = await tx.db
      .insertInto('contributor_merge')
      .values({ org_id: orgId, id: newId(), person_id: one, other_id: other, ...row })
      .onConflict((conflict) => conflict.columns(['org_id', 'person_id', 'other_id']).doUpdateSet(row))
      .returning('id')
      .executeTakeFirstOrThrow();
    await recordAuditEntry(tx, {
      people: services.people,
      orgId,
      actor,
      entry: {
        action: actions[decision],
        subject: { kind: 'person', id: one },
        data: { other, before: { decision: before?.decision ?? null }, after: { decision } },
        personal: { name: names.get(one) ?? '', other: names.get(other) ?? '' },
      },
    });
    await publishLinked(services, tx, orgId, [...group, ...(await groupOf(tx, orgId, one, other))]);
    return { id };
  });

/** Undoes a decision about two contributors; their links by `.mailmap` remain. */
export const revertMergeDecision = (
  services: Services,
  actor: Actor,
  { mergeId, ...key }: RepositoryKey & { mergeId: string },
): Promise<null> =>
  services.database.withOrg(actor.orgId, async (tx) => {
    const { orgId } = actor;
    const repositoryId = await findEnabledRepository(tx, actor, key);
    const found = await tx.db
      .selectFrom('contributor_merge')
      .where('org_id', '=', orgId)
      .where('id', '=', mergeId)
      .select(['person_id', 'other_id', 'decision'])
      .forUpdate()
      .executeTakeFirst();
    if (!found) throw NotFound('Merge');
    const { person_id: one, other_id: other, decision } = found;
    const names = await contributorNames(tx, orgId, repositoryId, [one, other]);
    const group = await groupOf(tx, orgId, one, other);
    await tx.db.deleteFrom('contributor_merge').where('org_id', '=', orgId).where('id', '=', mergeId).execute();
    await recordAuditEntry(tx, {
      people: services.people,
      orgId,
      actor,
      entry: {
        action: 'person.merge_undone',
        subject: { kind: 'person', id: one },
        data: { other, before: { decision }, after: { decision: null } },
        personal: { name: names.get(one) ?? '', other: names.get(other) ?? '' },
      },
    });
    await publishLinked(services, tx, orgId, group);
    return null;
  });

/** Announces the persons whose group a decision changed; none for the dismissal of a suggestion. */
async function publishLinked(services: Services, tx: Tx, orgId: string, group: readonly string[]): Promise<void> {
  if (group.length > 0)
    await services.topics.publish({ services, tx, orgId }, personsLinked, { persons: [...new Set(group)] });
  tx.afterCommit(() => services.realtime.notifyOrganization(orgId, 'orgRepos', {}));
}

/** The group of two persons across all repositories, or empty if no link joins the two. */
async function groupOf(tx: Tx, orgId: string, one: string, other: string): Promise<readonly string[]> {
  const groups = personGroupsOf(await personLinksOf(tx, orgId, null));
  return groups.get(one)?.includes(other) ? (groups.get(one) ?? []) : [];
}

async function contributorNames(
  tx: Tx,
  orgId: string,
  repositoryId: string,
  persons: readonly string[],
): Promise<Map<string, string>> {
  const rows = await tx.db
    .selectFrom('contributor')
    .where('org_id', '=', orgId)
    .where('repository_id', '=', repositoryId)
    .where('person_id', 'in', [...persons])
    .select(['person_id', 'name'])
    .execute();
  return new Map(rows.map(({ person_id: id, name }) => [id, name]));
}

/** Changes the author of all commits of one person to another person. */
export async function reassignCommits(
  { tx, orgId }: Publication,
  { from, into }: { from: string; into: string },
): Promise<void> {
  await sql`update commit set author_person = ${into} where org_id = ${orgId} and author_person = ${from}`.execute(
    tx.db,
  );
}
