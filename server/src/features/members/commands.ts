import type { RoleId } from '@sightline/contract/permissions.ts';
import type { AccountActor } from '#core/actor.ts';
import { record } from '#core/audit.ts';
import type { Plain } from '#core/ledger.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';

/**
 * Makes an account an accepted member, with its person, audit entry and news. False, and nothing done, where it is one
 * already. `data` goes into the audit entry.
 */
export async function joinMember(
  services: Services,
  tx: Tx,
  account: AccountActor & { operator?: string },
  { orgId, roleId }: { orgId: string; roleId: RoleId },
  data: { readonly [key: string]: Plain } = {},
): Promise<boolean> {
  const { people, memberships, realtime } = services;
  const { accountId, email } = account;
  const made = await tx.db
    .insertInto('member')
    .values({ org_id: orgId, account_id: accountId, role_id: roleId, status: 'accepted' })
    .onConflict((conflict) => conflict.columns(['org_id', 'account_id']).doNothing())
    .executeTakeFirst();
  if (made.numInsertedOrUpdatedRows !== 1n) return false;
  const personId = await personOfAccount(services, tx, orgId, accountId);
  await record(
    tx,
    people,
    orgId,
    { ...account, personId },
    {
      action: 'member.joined',
      subject: { kind: 'member', id: accountId },
      data: { role: roleId, ...data },
      personal: { email },
    },
  );
  tx.afterCommit(() => {
    memberships.forget(accountId);
    realtime.tell(orgId, 'orgMembers', { accountId });
  });
  return true;
}

/** The person of an account in an organisation, made if it had none; an address known from commits decides who it is. */
export async function personOfAccount({ people }: Services, tx: Tx, orgId: string, accountId: string): Promise<string> {
  const { email, name, picture } = await tx.db
    .selectFrom('account')
    .select(['email', 'name', 'picture'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  const names = [{ kind: 'account', value: accountId } as const, { kind: 'email', value: email } as const];
  const [person] = await people.resolve(tx, orgId, [{ names, display: name, picture, source: 'sightline' }]);
  if (person === undefined) throw new Error('people.resolve answers one person for each claim');
  return person;
}
