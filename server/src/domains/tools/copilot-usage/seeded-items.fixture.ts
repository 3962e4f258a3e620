import { newId } from '#core/ids.ts';
import type { SeededItems } from '../../../architecture/endpoint-case.ts';

export const seededItems: SeededItems = {
  create: () => ({}),
  restore: async (_services, { db }, { orgId, org, installationId }) => {
    const place = { org_id: orgId, installation_id: installationId };
    await db.deleteFrom('copilot_source').where('org_id', '=', orgId).execute();
    await db.deleteFrom('copilot_day').where('org_id', '=', orgId).execute();
    await db
      .insertInto('copilot_source')
      .values({
        ...place,
        state: 'read',
        reason: `Report of ${org.name}`,
        checked_at: new Date('2026-11-02T10:00:00Z'),
      })
      .execute();
    const day = '2026-11-01';
    await db
      .insertInto('copilot_day')
      .values({
        ...place,
        day,
        counts: JSON.stringify({ dailyUsers: 3 }),
        rejected: 0,
        read_at: new Date('2026-11-02T10:00:00Z'),
        entry_id: newId(),
      })
      .execute();
    await db
      .insertInto('copilot_day_part')
      .values({
        ...place,
        day,
        kind: 'model',
        name: `${org.name}-model`,
        feature: 'agent_edit',
        counts: JSON.stringify({ generations: 5 }),
      })
      .execute();
  },
};
