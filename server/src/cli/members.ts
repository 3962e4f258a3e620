import { type RoleId, roleIds, roleNames } from '@sightline/contract/core/permissions.ts';
import { Conflict, Invalid } from '#core/errors.ts';
import type { Services } from '#core/services.ts';
import { joinMember } from '../domains/organization/members/commands.ts';
import { type CliAccount, findAccountByEmail } from './accounts.ts';
import { command } from './command.ts';
import { withServices } from './command-resources.ts';
import { operatorActorFor } from './operator.ts';
import { findOrganization, type Organization, organizationOption } from './organizations.ts';

const words = roleIds.map((id) => id.slice('rol_'.length));

export const addMember = command({
  name: 'member add',
  description: 'Adds a user to an organization without an invitation.',
  options: {
    org: organizationOption,
    email: { valueName: 'ADDRESS', required: true, description: 'The email address of the user.' },
    role: { valueName: 'ROLE', required: true, description: `One of ${words.join(', ')}.` },
  },
  run: async ({ options }) => {
    const roleId = roleIds.find((id) => id === `rol_${options.role}`);
    if (!roleId) throw Invalid('--role', `must be one of ${words.join(', ')}`);
    return withServices(async (services, _keys, ownerUrl) => {
      const account = await findAccountByEmail(services, options.email);
      const organization = await findOrganization(services, ownerUrl, options.org);
      const added = await join(services, organization, account, roleId);
      return {
        json: { member: { organization: organization.id, account: account.id, role: roleId, added } },
        lines: [
          added
            ? `${account.email} is now ${roleNames[roleId]} of ${organization.name}.`
            : `${account.email} is ${roleNames[roleId]} of ${organization.name} already.`,
        ],
      };
    });
  },
});

/**
 * Adds a member. Returns false if the account has this role already. Throws `conflict` for another role or a
 * deactivated member.
 */
async function join(
  services: Services,
  { id: orgId, name }: Organization,
  account: CliAccount,
  roleId: RoleId,
): Promise<boolean> {
  return services.database.withOrg(orgId, async (tx) => {
    if (await joinMember(services, tx, { account: operatorActorFor(account), orgId, roleId })) return true;
    const known = await tx.db
      .selectFrom('member')
      .select(['role_id', 'status'])
      .where('org_id', '=', orgId)
      .where('account_id', '=', account.id)
      .executeTakeFirstOrThrow();
    if (known.status === 'deactivated') throw Conflict(`${account.email} was deactivated in ${name}.`);
    if (known.role_id !== roleId) {
      throw Conflict(
        `${account.email} is already a member of ${name} with the role ${roleNames[known.role_id as RoleId]}.`,
      );
    }
    return false;
  });
}
