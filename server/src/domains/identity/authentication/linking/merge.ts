import type { RoleId } from '@sightline/contract/core/permissions.ts';
import { sql } from 'kysely';
import {
  type AccountAuditActor,
  forEachOrganizationOfAccount,
  recordAccountChange,
  setTenant,
} from '#core/account-audit.ts';
import { NotFound } from '#core/errors.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { endGrants } from '../../extensions/commands.ts';
import { endSessions } from '../../sessions/commands.ts';
import { enqueueMail } from '../jobs.ts';
import { refreshGithubProfile } from './identities.ts';
import { unitePersons } from './unite-persons.ts';

/**
 * Merges one account into another after the same person authenticated to both (docs/decisions/0011). Identities and
 * memberships move. An existing membership of the target remains unchanged, so that nothing grants a role or reverses a
 * deactivation. The exception: an organization never loses its last Account Owner.
 */
export async function mergeAccounts(
  services: Services,
  into: string,
  from: string,
  actor: AccountAuditActor,
): Promise<void> {
  await services.database.global(async (tx) => {
    const accounts = await lockBoth(tx, into, from);
    const [target, source] = [accounts.get(into), accounts.get(from)];
    if (into === from || !target || !source) throw NotFound('Account');
    await tx.db.updateTable('account_identity').set({ account_id: into }).where('account_id', '=', from).execute();
    await endSessions(services, tx, from, () => true);
    await forEachOrganizationOfAccount(tx, from, undefined, ({ orgId, personId }) =>
      moveMembership(services, tx, { orgId, personId, into, from, actor }),
    );
    await retire(tx, into, from);
    await refreshGithubProfile(tx, into);
    const entry = {
      action: 'account.merged',
      data: { merged: from, into },
      personal: { before: { email: source.email }, after: { email: target.email } },
    } as const;
    await recordAccountChange(tx, { people: services.people, accountId: into, actor, entry });
    await recordAccountChange(tx, { people: services.people, accountId: from, actor, entry });
    await enqueueMail(services, tx, { kind: 'notice', accountId: into, notice: 'account-merged' });
    tx.afterCommit(() => {
      for (const accountId of [into, from]) services.memberships.forget(accountId);
      services.realtime.cut(from);
    });
  });
}

async function lockBoth({ db }: Tx, into: string, from: string): Promise<Map<string, { email: string }>> {
  const rows = await db
    .selectFrom('account')
    .select(['id', 'email'])
    .where('id', 'in', [into, from])
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
  into: string;
  from: string;
  actor: AccountAuditActor;
}

async function moveMembership(services: Services, tx: Tx, { orgId, personId, into, from, actor }: Move): Promise<void> {
  await tx.db.selectFrom('organization').select('id').where('id', '=', orgId).forNoKeyUpdate().execute();
  const members = await tx.db
    .selectFrom('member')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('account_id', 'in', [into, from])
    .execute();
  const [targetRow, sourceRow] = [into, from].map((id) => members.find((member) => member.account_id === id));
  if (!sourceRow) return;
  const { requestId, address } = actor;
  const signedOut = { accountId: from, reason: 'account merged' };
  await endGrants(services, tx, orgId, { actor: { accountId: from, personId, requestId, address }, which: signedOut });
  if (!targetRow) {
    await tx.db
      .insertInto('member')
      .values({ ...sourceRow, account_id: into })
      .execute();
  } else if (await isLastOwner(tx, orgId, sourceRow)) {
    await tx.db
      .updateTable('member')
      .set({ role_id: 'rol_owner' satisfies RoleId, status: 'active' })
      .where('org_id', '=', orgId)
      .where('account_id', '=', into)
      .execute();
  }
  await tx.db.deleteFrom('member').where('org_id', '=', orgId).where('account_id', '=', from).execute();
  const person = await tx.db
    .selectFrom('identity')
    .select('person_id')
    .where('org_id', '=', orgId)
    .where('kind', '=', 'account')
    .where('value', '=', into)
    .executeTakeFirst();
  if (person) await unitePersons(services, tx, orgId, { from: personId, into: person.person_id });
  else await rename(tx, orgId, from, into);
  tx.afterCommit(() => services.realtime.notifyOrganization(orgId, 'orgMembers', { accountId: into }));
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

// The person and its past remain; only the account ID of the person changes.
const rename = (tx: Tx, orgId: string, from: string, into: string) =>
  tx.db
    .updateTable('identity')
    .set({ value: into })
    .where('org_id', '=', orgId)
    .where('kind', '=', 'account')
    .where('value', '=', from)
    .execute();

/** Keeps the account for its records. It has no email address and is unconfirmed, so that no sign-in can open it. */
async function retire(tx: Tx, into: string, from: string): Promise<void> {
  await setTenant(tx, '', '');
  for (const table of ['account_password', 'account_totp', 'account_passkey', 'account_recovery_code'] as const) {
    await tx.db.deleteFrom(table).where('account_id', '=', from).execute();
  }
  await tx.db.updateTable('account').set({ merged_into: into }).where('merged_into', '=', from).execute();
  await tx.db
    .updateTable('account')
    .set({
      email: `${from}@merged.invalid`,
      email_verified_at: null,
      merged_into: into,
      merged_at: sql`now()`,
      github_login: null,
      github_name: null,
    })
    .where('id', '=', from)
    .execute();
  await tx.db
    .deleteFrom('oidc_payload')
    .where('uid', '=', from)
    .where('model', 'in', ['EmailConfirmation', 'PasswordReset'])
    .execute();
}
