import { recordAuditEntry } from '#core/audit.ts';
import { listBreakGlassOwners } from '../domains/identity/sign-in-policy/queries.ts';
import {
  insertDomain,
  markDomainVerified,
  normalizeDomain,
} from '../domains/organization/organization-security/domains.ts';
import { findSecurityRules } from '../domains/organization/organization-security/queries.ts';
import { command } from './command.ts';
import { withServices } from './command-resources.ts';
import { operatorActor } from './operator.ts';
import { findOrganization } from './organizations.ts';

export const verifyOrganizationDomain = command({
  name: 'org verify-domain',
  description: 'Marks a domain of an organization as verified without a TXT record.',
  valueName: ['SLUG|ID', 'DOMAIN'],
  options: {},
  run: ({ words: [given = '', text = ''] }) =>
    withServices(async (services, _keys, ownerUrl) => {
      const { id, name } = await findOrganization(services, ownerUrl, given);
      const domain = normalizeDomain(text);
      await services.database.withOrg(id, async (tx) => {
        await insertDomain(tx, id, domain);
        await markDomainVerified(services, tx, id, { actor: operatorActor(), domain, by: 'operator' });
      });
      return { json: { domain, organization: id }, lines: [`${domain} is a verified domain of ${name}.`] };
    }),
});

export const resetOrganizationSecurity = command({
  name: 'org reset-security',
  description: 'Disables single sign-on and network restrictions of an organization after a lockout.',
  valueName: ['SLUG|ID'],
  options: {},
  run: ({ words: [given = ''] }) =>
    withServices(async (services, _keys, ownerUrl) => {
      const { id, name } = await findOrganization(services, ownerUrl, given);
      await services.database.withOrg(id, async (tx) => {
        const { ssoConnection, allowedNetworks, idleMinutes, sessionHours } = await findSecurityRules(tx, id);
        const owners = (await listBreakGlassOwners(tx, id)).map((owner) => owner.id);
        await tx.db
          .updateTable('organization')
          .set({ sso_connection: null, allowed_networks: [] })
          .where('id', '=', id)
          .execute();
        const subject = { kind: 'organization', id } as const;
        if (ssoConnection !== null) {
          const data = { before: { connection: ssoConnection, owners }, after: { connection: null, owners } };
          await recordAuditEntry(tx, {
            people: services.people,
            orgId: id,
            actor: operatorActor(),
            entry: { action: 'organization.sso_changed', subject, data },
          });
        }
        if (allowedNetworks.length > 0) {
          const limits = { idleMinutes, sessionHours };
          const data = { before: { ...limits, allowedNetworks }, after: { ...limits, allowedNetworks: [] } };
          const action = 'organization.session_policy_changed';
          await recordAuditEntry(tx, {
            people: services.people,
            orgId: id,
            actor: operatorActor(),
            entry: { action, subject, data },
          });
        }
      });
      return {
        json: { organization: id },
        lines: [`Members of ${name} can sign in from all networks with all sign-in methods.`],
      };
    }),
});
