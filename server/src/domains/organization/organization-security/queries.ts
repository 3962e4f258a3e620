import type {
  OrganizationDomain,
  OrganizationSecurity,
} from '@sightline/contract/organization/organization-security.ts';
import { sql } from 'kysely';
import type { Actor } from '#core/actor.ts';
import type { Tx } from '#database/database.ts';
import { listBreakGlassOwners } from '../../identity/sign-in-policy/queries.ts';

/** The security settings of an organization for its members. */
export interface SecurityRules {
  requireSecondFactor: boolean;
  idleMinutes: number | null;
  sessionHours: number | null;
  allowedNetworks: readonly string[];
  ssoConnection: string | null;
}

/** The security settings of the organization, and the number of members without a second factor. */
export async function findOrganizationSecurity(
  tx: Tx,
  { orgId, address }: Pick<Actor, 'orgId' | 'address'>,
): Promise<OrganizationSecurity> {
  const { allowedNetworks, ...rules } = await findSecurityRules(tx, orgId);
  const members = await tx.db
    .selectFrom('member as m')
    .select(sql<number>`count(*)::int`.as('without'))
    .where('m.org_id', '=', orgId)
    .where('m.status', '<>', 'deactivated')
    .where(sql<boolean>`not exists (select from account_totp t where t.account_id = m.account_id)`)
    .where(sql<boolean>`not exists (select from account_passkey p where p.account_id = m.account_id)`)
    .executeTakeFirstOrThrow();
  return {
    ...rules,
    allowedNetworks: [...allowedNetworks],
    domains: await listDomains(tx, orgId),
    breakGlassOwners: await listBreakGlassOwners(tx, orgId),
    membersWithout: members.without,
    yourAddress: address ?? null,
  };
}

export async function findSecurityRules({ db }: Tx, orgId: string): Promise<SecurityRules> {
  return db
    .selectFrom('organization')
    .select([
      'require_second_factor as requireSecondFactor',
      'idle_minutes as idleMinutes',
      'session_hours as sessionHours',
      'allowed_networks as allowedNetworks',
      'sso_connection as ssoConnection',
    ])
    .where('id', '=', orgId)
    .executeTakeFirstOrThrow();
}

export const txtRecordNameOf = (domain: string): string => `_sightline.${domain}`;
export const txtRecordValueOf = (token: string): string => `sightline-verification=${token}`;

async function listDomains({ db }: Tx, orgId: string): Promise<OrganizationDomain[]> {
  const rows = await db
    .selectFrom('organization_domain')
    .select(['domain', 'token', 'verified_at', 'verified_by'])
    .where('org_id', '=', orgId)
    .orderBy('domain')
    .execute();
  return rows.map(({ domain, token, verified_at, verified_by }) => ({
    domain,
    verifiedAt: verified_at?.toISOString() ?? null,
    verifiedBy: verified_by as OrganizationDomain['verifiedBy'],
    record: { name: txtRecordNameOf(domain), value: txtRecordValueOf(token) },
  }));
}
