import { hash } from 'node:crypto';
import { newId } from '#core/ids.ts';
import type { SeededItems } from '../../../architecture/endpoint-case.ts';

declare module '../../../architecture/seeded.ts' {
  interface Seed {
    /** Of the owner. */
    agentSessionId: string;
  }
}

export const seededItems: SeededItems = {
  create: () => ({ agentSessionId: newId() }),
  restore: async (_services, { db }, { orgId, org, agentSessionId, repositoryId }) => {
    await db.deleteFrom('agent_session').where('org_id', '=', orgId).execute();
    const owner = await db
      .selectFrom('identity')
      .select('person_id')
      .where('org_id', '=', orgId)
      .where('kind', '=', 'account')
      .where('value', '=', org.owner.id)
      .executeTakeFirstOrThrow();
    const at = new Date('2026-11-02T10:00:00Z');
    await db
      .insertInto('agent_session')
      .values({
        org_id: orgId,
        id: agentSessionId,
        agent: 'claude-code',
        vendor_session: `session-of-${org.name}`,
        reporter: org.owner.id,
        person_id: owner.person_id,
        repository_id: repositoryId,
        branch: `${org.name}-branch`,
        version: '2.1.0',
        models: ['claude-sonnet-5'],
        first_at: at,
        last_at: at,
        received_at: at,
      })
      .execute();
    await db
      .insertInto('agent_record')
      .values({
        org_id: orgId,
        session_id: agentSessionId,
        digest: hash('sha256', org.name, 'buffer'),
        at,
        signal: 'logs',
        kind: 'prompt',
        fields: JSON.stringify({ tool: `${org.name}-tool`, promptLength: 12, measures: { prompts: 1 } }),
        entry_id: newId(),
      })
      .execute();
    await db
      .insertInto('agent_total')
      .values({
        org_id: orgId,
        session_id: agentSessionId,
        signal: 'logs',
        measure: 'prompts',
        model: '',
        series: Buffer.alloc(0),
        value: 1,
      })
      .execute();
  },
};
