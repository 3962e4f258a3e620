import { type RoleId, roleIds, roleNames } from '@sightline/contract/permissions.ts';
import { record } from '#core/audit.ts';
import { Conflict, Invalid } from '#core/errors.ts';
import type { Services } from '#core/services.ts';
import { type Account, findByEmail } from './accounts.ts';
import { command } from './command.ts';
import { withServices } from './open.ts';
import { operatorFor } from './operator.ts';
import { findOrganization, type Organization } from './organizations.ts';

const words = roleIds.map((id) => id.slice('rol_'.length));

export const addMember = command({
  name: 'member add',
  says: 'Makes a user a member of an organisation, without an invitation.',
  options: {
    org: { takes: 'SLUG|ID', required: true, says: 'The organisation.' },
    email: { takes: 'ADDRESS', required: true, says: 'The email address of the user.' },
    role: { takes: 'ROLE', required: true, says: `One of ${words.join(', ')}.` },
  },
  run: async ({ options }) => {
    const roleId = roleIds.find((id) => id === `rol_${options.role}`);
    if (!roleId) throw Invalid('--role', `must be one of ${words.join(', ')}`);
    return withServices(async (services, _keys, ownerUrl) => {
      const account = await findByEmail(services, options.email);
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

/** False when the account has this role already; throws `conflict` when it has another one, or was deactivated. */
async function join(
  { database, people, memberships, realtime }: Services,
  { id: orgId, name }: Organization,
  account: Account,
  roleId: RoleId,
): Promise<boolean> {
  return database.withOrg(orgId, async (tx) => {
    const made = await tx.db
      .insertInto('member')
      .values({ org_id: orgId, account_id: account.id, role_id: roleId, status: 'accepted' })
      .onConflict((conflict) => conflict.columns(['org_id', 'account_id']).doNothing())
      .executeTakeFirst();
    if (made.numInsertedOrUpdatedRows !== 1n) {
      const known = await tx.db
        .selectFrom('member')
        .select(['role_id', 'status'])
        .where('org_id', '=', orgId)
        .where('account_id', '=', account.id)
        .executeTakeFirstOrThrow();
      if (known.status === 'deactivated') throw Conflict(`${account.email} was deactivated in ${name}.`);
      if (known.role_id !== roleId) {
        throw Conflict(
          `${account.email} is a member of ${name} in another role, ${roleNames[known.role_id as RoleId]}.`,
        );
      }
      return false;
    }
    const names = [{ kind: 'account', value: account.id } as const, { kind: 'email', value: account.email } as const];
    const claim = { names, display: account.name, picture: null, source: 'sightline' };
    const [personId = ''] = await people.resolve(tx, orgId, [claim]);
    await record(
      tx,
      people,
      orgId,
      { ...operatorFor(account), personId },
      {
        action: 'member.joined',
        subject: { kind: 'member', id: account.id },
        data: { role: roleId },
        personal: { email: account.email },
      },
    );
    tx.afterCommit(() => {
      memberships.forget(account.id);
      realtime.tell(orgId, 'orgMembers', { accountId: account.id });
    });
    return true;
  });
}
