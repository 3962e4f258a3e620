import { newId } from '#core/ids.ts';
import type { Tx } from '#database/database.ts';

/** Two contributors of the seeded repository who are not members, linked by the owner. */
export interface SeededContributorMerge {
  /** The owner contributes, too. */
  ownerPersonId: string;
  otherPersonId: string;
  thirdPersonId: string;
  mergeId: string;
}

export const newContributorMergeIds = (ownerPersonId: string): SeededContributorMerge => ({
  ownerPersonId,
  otherPersonId: newId(),
  thirdPersonId: newId(),
  mergeId: newId(),
});

interface Merge extends SeededContributorMerge {
  orgId: string;
  repositoryId: string;
  owner: string;
  name: string;
}

/** Restores the link and deletes all others. */
export async function insertContributorMerge({ db }: Tx, merge: Merge): Promise<void> {
  const { orgId, repositoryId, otherPersonId, thirdPersonId, mergeId, owner, name } = merge;
  const persons = [otherPersonId, thirdPersonId].sort();
  await db.deleteFrom('contributor_merge').where('org_id', '=', orgId).execute();
  await db
    .insertInto('person')
    .values(persons.map((id) => ({ org_id: orgId, id })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await db
    .insertInto('contributor')
    .values(
      persons.map((person_id, index) => ({
        org_id: orgId,
        repository_id: repositoryId,
        person_id,
        commits: 1,
        name: `${name} Writer`,
        email: `${name}-${index}@code.example`,
        last_commit: '2026-02-01T12:00:00Z',
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const [person_id = '', other_id = ''] = persons;
  await db
    .insertInto('contributor_merge')
    .values({ org_id: orgId, id: mergeId, person_id, other_id, decision: 'merged', decided_by: owner })
    .execute();
}
