import { newId } from '#core/ids.ts';
import type { SeededItems } from '../../../architecture/endpoint-case.ts';

declare module '../../../architecture/seeded.ts' {
  interface Seed {
    /** The owner contributes, too. */
    ownerPersonId: string;
    otherPersonId: string;
    thirdPersonId: string;
    mergeId: string;
  }
}

/** Two contributors of the seeded repository who are not members, linked by the owner. */
export const seededItems: SeededItems = {
  create: async (server, { org }) => ({
    ownerPersonId: await server.personOf(org.id, org.owner),
    otherPersonId: newId(),
    thirdPersonId: newId(),
    mergeId: newId(),
  }),
  restore: async (_services, { db }, { orgId, org, repositoryId, otherPersonId, thirdPersonId, mergeId }) => {
    const { name, owner } = org;
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
      .values({ org_id: orgId, id: mergeId, person_id, other_id, decision: 'merged', decided_by: owner.id })
      .execute();
  },
};
