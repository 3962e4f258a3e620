import { sql } from 'kysely';
import { newId } from '#core/ids.ts';
import type { Tx } from '#database/database.ts';
import type { IdentityProviderUser } from '#providers/upstream/upstream.ts';

// A person who signed in externally without an account here, stored until they prove an email address.
const model = 'PendingIdentity';
const hours = 24;

export interface PendingUpstreamLogin {
  id: string;
  person: IdentityProviderUser;
}

/** Stores the pending external login of a sign-in; a second one replaces the first. */
export async function storePendingLogin(
  { db }: Tx,
  interaction: string,
  person: IdentityProviderUser,
): Promise<string> {
  const id = newId();
  await db.deleteFrom('oidc_payload').where('model', '=', model).where('uid', '=', interaction).execute();
  await db
    .insertInto('oidc_payload')
    .values({
      model,
      id,
      uid: interaction,
      payload: JSON.stringify(person),
      expires_at: sql<Date>`now() + make_interval(hours => ${hours})`,
    })
    .execute();
  return id;
}

export const findPendingLogin = (tx: Tx, interaction: string): Promise<PendingUpstreamLogin | undefined> =>
  findPending(tx, 'uid', interaction);

export const findPendingLoginById = (tx: Tx, id: string): Promise<PendingUpstreamLogin | undefined> =>
  findPending(tx, 'id', id);

/** Consumes a pending external login; undefined if it expired or was already used. */
export async function consumePendingLogin(tx: Tx, id: string): Promise<IdentityProviderUser | undefined> {
  const pending = await findPending(tx, 'id', id);
  if (!pending) return undefined;
  const { numDeletedRows } = await tx.db
    .deleteFrom('oidc_payload')
    .where('model', '=', model)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return numDeletedRows === 1n ? pending.person : undefined;
}

async function findPending({ db }: Tx, column: 'id' | 'uid', value: string): Promise<PendingUpstreamLogin | undefined> {
  const row = await db
    .selectFrom('oidc_payload')
    .select(['id', 'payload'])
    .where('model', '=', model)
    .where(column, '=', value)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
  return row && { id: row.id, person: row.payload as unknown as IdentityProviderUser };
}
