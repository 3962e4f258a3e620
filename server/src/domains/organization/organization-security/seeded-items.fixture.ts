import { newId } from '#core/ids.ts';
import type { SeededItems } from '../../../architecture/endpoint-case.ts';
import { insertDomain } from './domains.ts';

declare module '../../../architecture/seeded.ts' {
  interface Seed {
    /** Unverified. */
    domain: string;
  }
}

export const seededItems: SeededItems = {
  create: () => ({ domain: `${newId()}.example` }),
  restore: async (_services, tx, { orgId, domain }) => {
    await tx.db.deleteFrom('organization_domain').where('org_id', '=', orgId).execute();
    await insertDomain(tx, orgId, domain);
  },
};
