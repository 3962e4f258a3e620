import { newId } from '#core/ids.ts';
import type { SeededItems } from '../../../architecture/endpoint-case.ts';

/** An agent of the change, whose only session is of the owner. */
export const seededItems: SeededItems = {
  create: () => ({}),
  restore: async (_services, { db }, { orgId, org, changeId, repositoryId }) => {
    for (const table of ['reconciled_agent', 'agent_join'] as const) {
      await db.deleteFrom(table).where('org_id', '=', orgId).execute();
    }
    const { person_id: person } = await db
      .selectFrom('identity')
      .select('person_id')
      .where('org_id', '=', orgId)
      .where('kind', '=', 'account')
      .where('value', '=', org.owner.id)
      .executeTakeFirstOrThrow();
    const at = new Date('2026-11-02T10:00:00Z');
    const ofAgent = {
      org_id: orgId,
      change_id: changeId,
      agent: `Agent of ${org.name}`,
      models: [`${org.name}-model`],
    };
    await db
      .insertInto('reconciled_agent')
      .values({
        ...ofAgent,
        repository_id: repositoryId,
        merged_at: at,
        status: 'declared_and_observed',
        persons: [person],
      })
      .execute();
    await db
      .insertInto('agent_join')
      .values({
        ...ofAgent,
        session_id: newId(),
        person_id: person,
        joins: ['branch'],
        confidence: 'medium',
        cost: 0.5,
        first_at: at,
        last_at: at,
      })
      .execute();
  },
};
