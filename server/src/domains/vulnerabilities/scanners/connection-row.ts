import { randomBytes } from 'node:crypto';
import type { ScannerName } from '@sightline/contract/core/scan-sources.ts';
import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Secrets } from '#core/secrets.ts';
import type { Tables, Tx } from '#database/database.ts';

/** A scanner of an organization. */
export interface ScannerOf {
  orgId: string;
  scanner: ScannerName;
}

/** The stored connection of an organization. */
export type ConnectionRow = Selectable<Tables['integration']>;

/** The settings of a connection that are not secret. */
const settings = z.object({
  /** Empty for scanners without accounts. */
  tenant: z.string(),
  /** The working host of the API. */
  baseURL: z.string(),
  /** The host that the owner entered; null if the key names the host. */
  typedURL: z.string().nullable(),
  keyEnd: z.string(),
});
export type ConnectionSettings = z.output<typeof settings>;

export const parseConnectionSettings = (row: Pick<ConnectionRow, 'settings'>): ConnectionSettings =>
  settings.parse(row.settings);

const problem = z.object({ code: z.string(), message: z.string() }).nullable();

export const parseConnectionProblem = (row: Pick<ConnectionRow, 'problem'>) => problem.parse(row.problem);

/** Returns the row of the connection, also if disconnected; `lock` locks it for a change in this transaction. */
export const maybeConnectionRow = (
  tx: Tx,
  orgId: string,
  scanner: ScannerName,
  lock = false,
): Promise<ConnectionRow | undefined> =>
  tx.db
    .selectFrom('integration')
    .where('org_id', '=', orgId)
    .where('name', '=', scanner)
    .selectAll()
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst();

/** The location that the secrets of a connection are bound to. */
export const connectionSecretLocation = (orgId: string, scanner: ScannerName, field: 'secret' | 'hook_secret') => ({
  org: orgId,
  table: 'integration',
  field: `${scanner} ${field}`,
});

export const sealNewWebhookSecret = (secrets: Secrets, orgId: string, scanner: ScannerName): Buffer =>
  secrets.seal(connectionSecretLocation(orgId, scanner, 'hook_secret'), Buffer.from(randomBytes(32).toString('hex')));

/** The account of a connection for users: the tenant, or the host of a scanner without accounts. */
export const accountOf = ({ tenant, baseURL }: Pick<ConnectionSettings, 'tenant' | 'baseURL'>): string =>
  tenant === '' && URL.canParse(baseURL) ? new URL(baseURL).host : tenant;
