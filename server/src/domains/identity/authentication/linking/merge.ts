import type { RoleId } from '@sightline/contract/core/permissions.ts';
import { sql } from 'kysely';
import { type AccountDoer, inEveryOrganization, recordForAccount, setTenant } from '#core/account-audit.ts';
import { NotFound } from '#core/errors.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { endGrants } from '../../extensions/commands.ts';
import { endSessions } from '../../sessions/commands.ts';
import { enqueueMail } from '../jobs.ts';
import { chooseGithub } from './identities.ts';
import { unite } from './unite.ts';

/**
 * Makes one account part of another, both of which the same person proved just now (docs/decisions/0011). Its identities
 * and its memberships go over; a membership that is there already stays as it is, so that nobody gains a role or comes
 * back from a deactivation, save that an organization never loses its last owner.
 */
export async function mergeAccounts(services: Services, keeps: string, goes: string, doer: AccountDoer): Promise<void> {
  await services.database.global(async (tx) => {
    const accounts = await lockBoth(tx, keeps, goes);
    const [kept, gone] = [accounts.get(keeps), accounts.get(goes)];
    if (keeps === goes || !kept || !gone) throw NotFound('Account');
    await tx.db.updateTable('account_identity').set({ account_id: keeps }).where('account_id', '=', goes).execute();
    await endSessions(services, tx, goes, () => true);
    await inEveryOrganization(tx, goes, undefined, ({ orgId, personId }) =>
      moveMembership(services, tx, { orgId, personId, keeps, goes, doer }),
    );
    await retire(tx, keeps, goes);
    await chooseGithub(tx, keeps);
    const entry = {
      action: 'account.merged',
      data: { merged: goes, into: keeps },
      personal: { before: { email: gone.email }, after: { email: kept.email } },
    } as const;
    await recordForAccount(tx, { people: services.people, accountId: keeps, doer, entry });
    await recordForAccount(tx, { people: services.people, accountId: goes, doer, entry });
    await enqueueMail(services, tx, { kind: 'notice', accountId: keeps, notice: 'account-merged' });
    tx.afterCommit(() => {
      for (const accountId of [keeps, goes]) services.memberships.forget(accountId);
      services.realtime.cut(goes);
    });
  });
}

async function lockBoth({ db }: Tx, keeps: string, goes: string): Promise<Map<string, { email: string }>> {
  const rows = await db
    .selectFrom('account')
    .select(['id', 'email'])
    .where('id', 'in', [keeps, goes])
    .where('email_verified_at', 'is not', null)
    .where('merged_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

interface Move {
  orgId: string;
  personId: string;
  keeps: string;
  goes: string;
  doer: AccountDoer;
}

async function moveMembership(services: Services, tx: Tx, { orgId, personId, keeps, goes, doer }: Move): Promise<void> {
  await tx.db.selectFrom('organization').select('id').where('id', '=', orgId).forNoKeyUpdate().execute();
  const members = await tx.db
    .selectFrom('member')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('account_id', 'in', [keeps, goes])
    .execute();
  const [mine, theirs] = [keeps, goes].map((id) => members.find((member) => member.account_id === id));
  if (!theirs) return;
  const { requestId, address } = doer;
  const signedOut = { accountId: goes, reason: 'account merged' };
  await endGrants(services, tx, orgId, { doer: { accountId: goes, personId, requestId, address }, which: signedOut });
  if (!mine) {
    await tx.db
      .insertInto('member')
      .values({ ...theirs, account_id: keeps })
      .execute();
  } else if (await isLastOwner(tx, orgId, theirs)) {
    await tx.db
      .updateTable('member')
      .set({ role_id: 'rol_owner' satisfies RoleId, status: 'active' })
      .where('org_id', '=', orgId)
      .where('account_id', '=', keeps)
      .execute();
  }
  await tx.db.deleteFrom('member').where('org_id', '=', orgId).where('account_id', '=', goes).execute();
  const person = await tx.db
    .selectFrom('identity')
    .select('person_id')
    .where('org_id', '=', orgId)
    .where('kind', '=', 'account')
    .where('value', '=', keeps)
    .executeTakeFirst();
  if (person) await unite(services, tx, orgId, { from: personId, into: person.person_id });
  else await rename(tx, orgId, goes, keeps);
  tx.afterCommit(() => services.realtime.tell(orgId, 'orgMembers', { accountId: keeps }));
}

async function isLastOwner(tx: Tx, orgId: string, member: { role_id: string; status: string; account_id: string }) {
  if (member.role_id !== 'rol_owner' || member.status !== 'active') return false;
  const other = await tx.db
    .selectFrom('member')
    .select('account_id')
    .where('org_id', '=', orgId)
    .where('role_id', '=', 'rol_owner')
    .where('status', '=', 'active')
    .where('account_id', '<>', member.account_id)
    .limit(1)
    .executeTakeFirst();
  return other === undefined;
}

// The person keeps their past; only the account by which the organization knows them is another.
const rename = (tx: Tx, orgId: string, goes: string, keeps: string) =>
  tx.db
    .updateTable('identity')
    .set({ value: keeps })
    .where('org_id', '=', orgId)
    .where('kind', '=', 'account')
    .where('value', '=', goes)
    .execute();

/** The account stays for what was recorded of it. Without an address of its own and unconfirmed, nothing opens it. */
async function retire(tx: Tx, keeps: string, goes: string): Promise<void> {
  await setTenant(tx, '', '');
  for (const table of ['account_password', 'account_totp', 'account_passkey', 'account_recovery_code'] as const) {
    await tx.db.deleteFrom(table).where('account_id', '=', goes).execute();
  }
  await tx.db.updateTable('account').set({ merged_into: keeps }).where('merged_into', '=', goes).execute();
  await tx.db
    .updateTable('account')
    .set({
      email: `${goes}@merged.invalid`,
      email_verified_at: null,
      merged_into: keeps,
      merged_at: sql`now()`,
      github_login: null,
      github_name: null,
    })
    .where('id', '=', goes)
    .execute();
  await tx.db
    .deleteFrom('oidc_payload')
    .where('uid', '=', goes)
    .where('model', 'in', ['EmailConfirmation', 'PasswordReset'])
    .execute();
}
