import { randomBytes } from 'node:crypto';
import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Secrets } from '#core/secrets.ts';
import type { Tables, Tx } from '#database/database.ts';

/** The connection of an organization, as it is kept. */
export type ConnectionRow = Selectable<Tables['integration']>;

/** What of a connection is no secret. */
const settings = z.object({
  tenant: z.string(),
  /** The API's host that works. */
  baseURL: z.string(),
  /** What was typed; null where the key names the host. */
  typedURL: z.string().nullable(),
  keyEnd: z.string(),
});
export type ConnectionSettings = z.output<typeof settings>;

export const settingsIn = (row: Pick<ConnectionRow, 'settings'>): ConnectionSettings => settings.parse(row.settings);

const problem = z.object({ code: z.string(), message: z.string() }).nullable();

export const problemIn = (row: Pick<ConnectionRow, 'problem'>) => problem.parse(row.problem);

/** The row, also of a connection that was ended; locked where the transaction will change it. */
export const maybeRow = (tx: Tx, orgId: string, lock = false): Promise<ConnectionRow | undefined> =>
  tx.db
    .selectFrom('integration')
    .where('org_id', '=', orgId)
    .where('name', '=', 'checkmarx')
    .selectAll()
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst();

/** Where the secrets of a connection are sealed to. */
export const placeOf = (orgId: string, field: 'secret' | 'hook_secret') => ({
  org: orgId,
  table: 'integration',
  field,
});

export const sealNewHookSecret = (secrets: Secrets, orgId: string): Buffer =>
  secrets.seal(placeOf(orgId, 'hook_secret'), Buffer.from(randomBytes(32).toString('hex')));
