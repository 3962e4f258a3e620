import { randomBytes } from 'node:crypto';
import type { Organization } from '@sightline/contract/organizations.ts';
import type { AccountActor } from '#core/actor.ts';
import { record } from '#core/audit.ts';
import { Forbidden } from '#core/errors.ts';
import { newId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { countOwned, findOrganization } from './queries.ts';

/** Enough for anybody who works; a bound for whoever scripts it. */
const mostOwned = 20;

/** Throws 403 with the reason where the account may not create an organisation. */
export async function checkMaySetUp({ database }: Services, actor: AccountActor): Promise<void> {
  const account = await database.global(({ db }) =>
    db.selectFrom('account').select('email_verified_at').where('id', '=', actor.accountId).executeTakeFirst(),
  );
  if (!account?.email_verified_at) throw Forbidden('Confirm your email address first, then create an organisation.');
  const owned = await database.withAccount({ id: actor.accountId, email: actor.email }, (tx) =>
    countOwned(tx, actor.accountId),
  );
  if (owned >= mostOwned)
    throw Forbidden(`You own ${owned} organisations already, which is as many as one account may.`);
}

/** Creates an organisation with the asking account as its active owner. */
export async function setUpOrganization(
  services: Services,
  actor: AccountActor,
  displayName: string,
): Promise<Organization> {
  await checkMaySetUp(services, actor);
  const id = newId();
  return services.database.withOrg(id, async (tx) => {
    await insertOrganization(tx, id, displayName, actor.accountId);
    await tx.db
      .insertInto('member')
      .values({ org_id: id, account_id: actor.accountId, role_id: 'rol_owner', status: 'active' })
      .execute();
    const personId = await personOf(services, tx, id, actor.accountId);
    await record(
      tx,
      services.people,
      id,
      { ...actor, personId },
      { action: 'organization.created', subject: { kind: 'organization', id }, data: { name: displayName } },
    );
    tx.afterCommit(() => services.memberships.forget(actor.accountId));
    return findOrganization(tx, { orgId: id, roleId: 'rol_owner' });
  });
}

async function insertOrganization(tx: Tx, id: string, name: string, createdBy: string): Promise<void> {
  const slug = slugOf(name);
  const values = { id, name, slug, display_name: name, created_by: createdBy };
  const made = await tx.db
    .insertInto('organization')
    .values(values)
    .onConflict((conflict) => conflict.column('slug').doNothing())
    .executeTakeFirst();
  if (made.numInsertedOrUpdatedRows === 1n) return;
  await tx.db
    .insertInto('organization')
    .values({ ...values, slug: `${slug}-${randomBytes(4).toString('hex')}` })
    .execute();
}

const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '') || 'organization';

async function personOf({ people }: Services, tx: Tx, orgId: string, accountId: string): Promise<string> {
  const account = await tx.db
    .selectFrom('account')
    .select(['email', 'name', 'picture'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  const names = [{ kind: 'account', value: accountId } as const, { kind: 'email', value: account.email } as const];
  const [person] = await people.resolve(tx, orgId, [
    { names, display: account.name, picture: account.picture, source: 'sightline' },
  ]);
  if (person === undefined) throw new Error('people.resolve answers one person for each claim');
  return person;
}
