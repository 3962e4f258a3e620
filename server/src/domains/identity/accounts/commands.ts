import type { Account } from '@sightline/contract/identity/accounts.ts';
import { sql } from 'kysely';
import { forEachOrganizationOfAccount, recordOwnAccountChange } from '#core/account-audit.ts';
import type { AccountActor } from '#core/actor.ts';
import { recordAuditEntry } from '#core/audit.ts';
import { NotFound } from '#core/errors.ts';
import type { Services } from '#core/services.ts';
import { type AccountDescription, findAccount } from './queries.ts';

type Caller = AccountActor & { orgId: string | undefined };

export interface SignInProfile {
  alias?: string | undefined;
  description?: { email?: string | undefined; displayName?: string | undefined } | undefined;
}

/**
 * Records a completed sign-in: the time, the profile if none is stored yet, and the first visit of an invited member in
 * the organization of the token. The call is idempotent.
 */
export async function registerSignIn(
  services: Services,
  actor: Caller,
  { alias, description }: SignInProfile,
): Promise<Account> {
  const profile: AccountDescription = {
    ...(alias !== undefined && { alias }),
    ...(description?.email !== undefined && { email: description.email }),
    ...(description?.displayName !== undefined && { displayName: description.displayName }),
  };
  const account = await services.database.global(async (tx) => {
    await tx.db
      .updateTable('account')
      .set({ last_login_at: sql`now()`, description: sql`${JSON.stringify(profile)}::jsonb || description` })
      .where('id', '=', actor.accountId)
      .execute();
    return findAccount(tx, actor.accountId);
  });
  if (actor.orgId !== undefined) await recordFirstVisit(services, actor, actor.orgId);
  return account;
}

async function recordFirstVisit(
  { database, memberships, people, realtime }: Services,
  actor: Caller,
  orgId: string,
): Promise<void> {
  const membership = await memberships.find(orgId, actor.accountId);
  if (!membership) return;
  await database.withOrg(orgId, async (tx) => {
    const [arrived] = await tx.db
      .updateTable('member')
      .set({ status: 'active' })
      .where('org_id', '=', orgId)
      .where('account_id', '=', actor.accountId)
      .where('status', '=', 'accepted')
      .returning('account_id')
      .execute();
    if (!arrived) return;
    await recordAuditEntry(tx, {
      people,
      orgId,
      actor: { ...actor, personId: membership.personId },
      entry: {
        action: 'member.activated',
        subject: { kind: 'member', id: actor.accountId },
        data: { before: { status: 'accepted' }, after: { status: 'active' } },
      },
    });
    tx.afterCommit(() => realtime.notifyOrganization(orgId, 'orgMembers', { accountId: actor.accountId }));
  });
}

/**
 * Changes the profile of the account, whose organizations then show the new name. Throws 404 for the ID of another
 * account.
 */
export function updateProfile(services: Services, actor: Caller, profile: ProfileChange): Promise<Account> {
  const { id, ...description } = profile;
  if (id !== undefined && id !== actor.accountId) throw NotFound('Account');
  return services.database.global(async (tx) => {
    const before = await findAccount(tx, actor.accountId);
    await tx.db
      .updateTable('account')
      .set({
        description: sql`description || ${JSON.stringify(description)}::jsonb`,
        ...(description.displayName !== undefined && { name: description.displayName }),
      })
      .where('id', '=', actor.accountId)
      .execute();
    const after = await findAccount(tx, actor.accountId);
    const changed = fieldsOf(before).filter(([field, value]) => after.traits.description[field] !== value);
    if (changed.length === 0) return after;
    const now = after.traits.description;
    await recordOwnAccountChange(tx, services.people, actor, {
      action: 'account.described',
      subject: { kind: 'account', id: actor.accountId },
      personal: {
        before: Object.fromEntries(changed),
        after: Object.fromEntries(changed.map(([field]) => [field, now[field]])),
      },
    });
    const { accountId } = actor;
    await forEachOrganizationOfAccount(tx, accountId, undefined, async ({ orgId }) =>
      tx.afterCommit(() => services.realtime.notifyOrganization(orgId, 'orgMembers', { accountId })),
    );
    return after;
  });
}

type ProfileFields = Account['traits']['description'];
type ProfileChange = { id?: string | undefined } & { [Field in keyof ProfileFields]?: string | undefined };
const fieldsOf = ({ traits }: Account) => Object.entries(traits.description) as [keyof ProfileFields, string][];

export const hideTipsOf = (services: Services, actor: Caller): Promise<Account> =>
  change(services, actor, { hide_tips: true });

export const completeOnboardingOf = (services: Services, actor: Caller): Promise<Account> =>
  change(services, actor, { onboarding_complete: true });

const change = (
  { database }: Services,
  { accountId }: Caller,
  values: { hide_tips: true } | { onboarding_complete: true },
): Promise<Account> =>
  database.global(async (tx) => {
    await tx.db.updateTable('account').set(values).where('id', '=', accountId).execute();
    return findAccount(tx, accountId);
  });
