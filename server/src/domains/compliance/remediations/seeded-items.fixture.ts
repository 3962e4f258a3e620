import { newId } from '#core/ids.ts';
import type { SeededItems } from '../../../architecture/endpoint-case.ts';

declare module '../../../architecture/seeded.ts' {
  interface Seed {
    /** Of the seeded item of LOG-01. */
    remediationId: string;
  }
}

/** Requests only add versions and retests, which the server cannot delete. */
export const seededItems: SeededItems = {
  create: async (server, { org, secondOwner, taskId }) => {
    const remediationId = newId();
    await server.services.database.withOrg(org.id, async ({ db }) => {
      const of = { org_id: org.id, remediation_id: remediationId };
      await db
        .insertInto('remediation')
        .values({
          org_id: org.id,
          id: remediationId,
          control_id: 'LOG-01',
          subject: '2026-01-01',
          period_from: '2026-01-01T00:00:00.000Z',
          period_to: '2026-04-01T00:00:00.000Z',
          run_id: taskId,
          failed_at: '2026-01-02T00:00:00.000Z',
          reasons: ['never_anchored'],
        })
        .execute();
      await db
        .insertInto('remediation_change')
        .values({
          ...of,
          version: 1,
          owner_id: secondOwner.id,
          notes: `${org.name} connects a witness`,
          changed_by: org.owner.id,
          entry_id: newId(),
        })
        .execute();
      await db
        .insertInto('remediation_retest')
        .values({
          ...of,
          id: newId(),
          position: 1,
          result: 'fail',
          tested_at: '2026-01-03T00:00:00.000Z',
          recorded_by: secondOwner.id,
          notes: `${org.name} tested it`,
          entry_id: newId(),
        })
        .execute();
    });
    return { remediationId };
  },
  restore: () => Promise.resolve(),
};
