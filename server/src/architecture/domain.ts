import { newId } from '#core/ids.ts';
import type { Tx } from '#database/database.ts';
import { insertDomain } from '../domains/organization/organization-security/domains.ts';

/** An unverified domain. */
export interface SeededDomain {
  domain: string;
}

export const newDomainName = (): SeededDomain => ({ domain: `${newId()}.example` });

/** Restores the domain and deletes all others. */
export async function resetDomains(tx: Tx, { orgId, domain }: SeededDomain & { orgId: string }): Promise<void> {
  await tx.db.deleteFrom('organization_domain').where('org_id', '=', orgId).execute();
  await insertDomain(tx, orgId, domain);
}
