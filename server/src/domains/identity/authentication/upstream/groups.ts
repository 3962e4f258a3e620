import { organizationOfConnection } from '@sightline/contract/identity/saml.ts';
import type { Services } from '#core/services.ts';
import { acceptsLogin } from '#core/session-policy.ts';
import type { IdentityProviderUser } from '#providers/upstream/upstream.ts';
import { findSingleSignOn } from '../../sign-in-policy/queries.ts';
import { groupsReported } from '../topics.ts';

/**
 * Publishes the groups that an identity provider reported at a sign-in: its own SAML provider to the organization, another
 * one to each organization of the account that requires it and accepts the sign-in. No other provider gives roles there.
 */
export async function publishGroups(
  services: Services,
  accountId: string,
  { connection, verifiedEmails, groups }: IdentityProviderUser,
): Promise<void> {
  if (groups === undefined) return;
  const { database, topics } = services;
  const organizations = await database.global((tx) =>
    tx.query<{ id: string }>({
      name: 'sign-in.organizations-of-account',
      text: 'select orgs_of_account($1) as id',
      values: [accountId],
    }),
  );
  const ownOrgId = organizationOfConnection(connection);
  for (const { id: orgId } of organizations) {
    await database.withOrg(orgId, async (tx) => {
      const sso = await findSingleSignOn(tx, orgId);
      const isTrusted = sso ? acceptsLogin({ sso }, { connection, emails: verifiedEmails }) : ownOrgId === orgId;
      if (!isTrusted) return;
      await topics.publish({ services, tx, orgId }, groupsReported, { accountId, groups });
    });
  }
}
