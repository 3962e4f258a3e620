import { newAccessKey } from '#core/access-keys.ts';
import { newId } from '#core/ids.ts';
import type { SeededItems } from '../../../architecture/endpoint-case.ts';

declare module '../../../architecture/seeded.ts' {
  interface Seed {
    /** Of the owner. */
    personalKeyId: string;
  }
}

export const seededItems: SeededItems = {
  create: () => ({ personalKeyId: newId() }),
  restore: async (_services, { db }, { orgId, org, personalKeyId }) => {
    const { hash } = newAccessKey(orgId);
    await db.deleteFrom('access_key').where('org_id', '=', orgId).where('account_id', 'is not', null).execute();
    await db
      .insertInto('access_key')
      .values({
        org_id: orgId,
        id: personalKeyId,
        name: `Laptop of ${org.name}`,
        use: 'telemetry',
        account_id: org.owner.id,
        hash,
        key_end: 'Qa7x',
        created_by: org.owner.id,
      })
      .execute();
  },
};
