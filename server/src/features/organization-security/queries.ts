import type { OrganizationSecurity } from '@sightline/contract/organization-security.ts';
import { sql } from 'kysely';
import type { Actor } from '#core/actor.ts';
import type { SessionPolicy } from '#core/session-policy.ts';
import type { Database, Tx } from '#database/database.ts';

export type SecurityRules = SessionPolicy & { requireSecondFactor: boolean };

/** What the organization asks of its members, and how many of them have no second factor. */
export async function findOrganizationSecurity(
  tx: Tx,
  { orgId, address }: Pick<Actor, 'orgId' | 'address'>,
): Promise<OrganizationSecurity> {
  const { allowedNetworks, ...rules } = await findRules(tx, orgId);
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
    membersWithout: members.without,
    yourAddress: address ?? null,
  };
}

export async function findRules({ db }: Tx, orgId: string): Promise<SecurityRules> {
  return db
    .selectFrom('organization')
    .select([
      'require_second_factor as requireSecondFactor',
      'idle_minutes as idleMinutes',
      'session_hours as sessionHours',
      'allowed_networks as allowedNetworks',
    ])
    .where('id', '=', orgId)
    .executeTakeFirstOrThrow();
}

/** What an organization asks of the sessions of its members; undefined for one that is not there. */
export const findSessionPolicy = ({ withOrg }: Database, orgId: string): Promise<SessionPolicy | undefined> =>
  withOrg(orgId, ({ db }) =>
    db
      .selectFrom('organization')
      .select(['idle_minutes as idleMinutes', 'session_hours as sessionHours', 'allowed_networks as allowedNetworks'])
      .where('id', '=', orgId)
      .executeTakeFirst(),
  );
