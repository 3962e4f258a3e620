import { sql } from 'kysely';
import { newId } from '#core/ids.ts';
import type { Tx } from '#database/database.ts';
import type { UpstreamPerson } from '#providers/upstream/upstream.ts';

// Somebody an upstream knows and we do not yet: kept until they proved the address they want to be known by.
const model = 'PendingIdentity';
const hours = 24;

export interface PendingUpstreamLogin {
  id: string;
  person: UpstreamPerson;
}

/** Keeps whoever came from an upstream for the rest of a sign-in; a second one takes the place of the first. */
export async function keepPending({ db }: Tx, interaction: string, person: UpstreamPerson): Promise<string> {
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

export const pendingOf = (tx: Tx, interaction: string): Promise<PendingUpstreamLogin | undefined> =>
  find(tx, 'uid', interaction);

export const pendingById = (tx: Tx, id: string): Promise<PendingUpstreamLogin | undefined> => find(tx, 'id', id);

/** Takes somebody out of waiting; undefined when they waited too long, or were taken already. */
export async function takePending(tx: Tx, id: string): Promise<UpstreamPerson | undefined> {
  const pending = await find(tx, 'id', id);
  if (!pending) return undefined;
  const { numDeletedRows } = await tx.db
    .deleteFrom('oidc_payload')
    .where('model', '=', model)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return numDeletedRows === 1n ? pending.person : undefined;
}

async function find({ db }: Tx, column: 'id' | 'uid', value: string): Promise<PendingUpstreamLogin | undefined> {
  const row = await db
    .selectFrom('oidc_payload')
    .select(['id', 'payload'])
    .where('model', '=', model)
    .where(column, '=', value)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
  return row && { id: row.id, person: row.payload as unknown as UpstreamPerson };
}
