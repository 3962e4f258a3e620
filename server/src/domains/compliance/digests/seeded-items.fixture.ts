import type { SeededItems } from '../../../architecture/endpoint-case.ts';

const long = new Date('2026-01-01T00:00:00Z');

/** The organization and its repositories existed in past weeks, so that their digests can be requested. */
export const seededItems: SeededItems = {
  create: () => ({}),
  restore: async (_services, { db }, { orgId }) => {
    await db.updateTable('organization').set({ created_at: long }).where('id', '=', orgId).execute();
    await db.updateTable('repository').set({ created_at: long }).where('org_id', '=', orgId).execute();
  },
};
