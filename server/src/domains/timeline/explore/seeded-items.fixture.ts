import { newId } from '#core/ids.ts';
import type { SeededItems } from '../../../architecture/endpoint-case.ts';

declare module '../../../architecture/seeded.ts' {
  interface Seed {
    /** Saved and shared by the owner. */
    viewId: string;
  }
}

export const seededItems: SeededItems = {
  create: () => ({ viewId: newId() }),
  restore: async (_services, { db }, { orgId, org, viewId }) => {
    await db.deleteFrom('saved_view').where('org_id', '=', orgId).execute();
    await db
      .insertInto('saved_view')
      .values({
        org_id: orgId,
        id: viewId,
        account_id: org.owner.id,
        name: `What ${org.name} commits`,
        query: 'kind:commit',
        context: null,
        shared: true,
      })
      .execute();
  },
};
