import type { Provider } from '@sightline/contract/core/providers.ts';
import { sql } from 'kysely';
import { newId } from '#core/ids.ts';
import type { Secrets } from '#core/secrets.ts';
import type { Database, Tx } from '#database/database.ts';
import { HostRefused } from './code-host.ts';

/** Credentials for a code host: a token, or the tokens of a sign-in. */
export interface NewGrant extends Tokens {
  provider: Exclude<Provider, 'github'>;
  baseUrl: string;
  kind: 'oauth' | 'token';
  /** The login of the owner at the host. */
  login: string;
  /** The display name, which does not reveal the secret. */
  display: string;
}

/** `expiresAt` and `refresh` are null if the token does not expire. */
export interface Tokens {
  secret: string;
  refresh: string | null;
  expiresAt: Date | null;
  scopes: readonly string[];
}

/** Exchanges a refresh token for new tokens. Throws HostRefused if the host rejects it. */
export type RenewTokens = (baseUrl: string, refresh: string) => Promise<Tokens>;

export interface OpenGrant extends Pick<NewGrant, 'baseUrl' | 'kind' | 'login'> {
  id: string;
  /**
   * Returns the secret and renews it before it expires. `refused`: a secret that the host has just rejected; returns a
   * newer one. Throws HostRefused 401 if there is none and marks the grant as failed until it is connected again.
   */
  secret: (refused?: string) => Promise<string>;
}

export interface HostGrants {
  /** Stores a grant encrypted and returns its ID. */
  save: (tx: Tx, orgId: string, accountId: string, grant: NewGrant) => Promise<string>;
  /** The grant of an installation; undefined if its secrets were deleted. */
  ofInstallation: (
    orgId: string,
    provider: Provider,
    installationId: string,
    renew: RenewTokens,
  ) => Promise<OpenGrant | undefined>;
  /** The grant by its ID; undefined if its secrets were deleted. */
  find: (orgId: string, id: string, renew: RenewTokens) => Promise<OpenGrant | undefined>;
  /** Deletes the secrets of a grant. */
  forget: (tx: Tx, orgId: string, id: string) => Promise<void>;
}

export const reconnectMessage = 'The code host does not take our access any more. Connect it again.';
// Renews a token this long before it expires.
const RENEW_BEFORE_MS = 60_000;

/** `onFailed` is called in the transaction that marks a grant as failed. */
export function createGrants(
  database: Database,
  secrets: Secrets,
  onFailed: (tx: Tx, orgId: string, grant: { provider: Provider; login: string }) => Promise<void>,
): HostGrants {
  const seal = (orgId: string, id: string, { secret, refresh, expiresAt, scopes }: Tokens) => ({
    secret: secrets.seal(secretLocation(orgId, id, 'secret'), Buffer.from(secret)),
    refresh: refresh === null ? null : secrets.seal(secretLocation(orgId, id, 'refresh'), Buffer.from(refresh)),
    expires_at: expiresAt,
    scopes: [...scopes],
  });
  const open = (orgId: string, { id, secret, refresh, expires_at }: GrantWithSecret) => ({
    secret: secrets.open(secretLocation(orgId, id, 'secret'), secret).toString(),
    refresh: refresh && secrets.open(secretLocation(orgId, id, 'refresh'), refresh).toString(),
    expiresAt: expires_at,
  });

  /**
   * Renews a grant under a lock, because a host may accept each refresh token only once. Stores the new tokens before
   * use.
   */
  const renewedSecret = (orgId: string, grant: GrantRow, refused: string | undefined, renew: RenewTokens) =>
    database.withOrg(orgId, async (tx) => {
      const row = await rowOf(tx, orgId, grant.id).forUpdate().executeTakeFirst();
      if (!hasSecret(row) || row.failed_at !== null) return undefined;
      const tokens = open(orgId, row);
      if (!isDue(tokens.expiresAt) && tokens.secret !== refused) return tokens.secret;
      const next = tokens.refresh === null ? undefined : await renew(row.base_url, tokens.refresh).catch(unlessRefused);
      const change = next ? seal(orgId, row.id, next) : { failed_at: sql<Date>`now()`, failure: reconnectMessage };
      await tx.db
        .updateTable('code_host_grant')
        .set(change)
        .where('org_id', '=', orgId)
        .where('id', '=', row.id)
        .execute();
      if (!next) await onFailed(tx, orgId, { provider: row.provider as Provider, login: row.login });
      return next?.secret;
    });

  const opened = (orgId: string, row: GrantRow | undefined, renew: RenewTokens): OpenGrant | undefined => {
    if (!hasSecret(row)) return undefined;
    let current = open(orgId, row);
    return {
      id: row.id,
      baseUrl: row.base_url,
      kind: row.kind as NewGrant['kind'],
      login: row.login,
      async secret(refused) {
        if (row.failed_at === null && !isDue(current.expiresAt) && current.secret !== refused) return current.secret;
        const secret = await renewedSecret(orgId, row, refused, renew);
        if (secret === undefined) throw new HostRefused(401, reconnectMessage);
        const now = await database.withOrg(orgId, (tx) => rowOf(tx, orgId, row.id).executeTakeFirst());
        if (hasSecret(now)) current = open(orgId, now);
        return secret;
      },
    };
  };

  return {
    async save({ db }, orgId, accountId, grant) {
      const id = newId();
      const { provider, baseUrl, kind, login, display } = grant;
      await db
        .insertInto('code_host_grant')
        .values({
          org_id: orgId,
          id,
          provider,
          base_url: baseUrl,
          kind,
          login,
          display,
          created_by: accountId,
          ...seal(orgId, id, grant),
        })
        .execute();
      return id;
    },
    ofInstallation: async (orgId, provider, installationId, renew) =>
      opened(
        orgId,
        await database.withOrg(orgId, (tx) =>
          rowOfInstallation(tx, orgId, provider, installationId).executeTakeFirst(),
        ),
        renew,
      ),
    find: async (orgId, id, renew) =>
      opened(orgId, await database.withOrg(orgId, (tx) => rowOf(tx, orgId, id).executeTakeFirst()), renew),
    async forget({ db }, orgId, id) {
      await db
        .updateTable('code_host_grant')
        .set({ secret: null, refresh: null, expires_at: null })
        .where('org_id', '=', orgId)
        .where('id', '=', id)
        .execute();
    },
  };
}

const rowOfInstallation = ({ db }: Tx, orgId: string, provider: Provider, installationId: string) =>
  db
    .selectFrom('installation as i')
    .innerJoin('code_host_grant as g', (join) =>
      join.onRef('g.org_id', '=', 'i.org_id').onRef('g.id', '=', 'i.grant_id'),
    )
    .where('i.org_id', '=', orgId)
    .where('i.provider', '=', provider)
    .where('i.installation_id', '=', installationId)
    .selectAll('g');

const rowOf = ({ db }: Tx, orgId: string, id: string) =>
  db.selectFrom('code_host_grant').where('org_id', '=', orgId).where('id', '=', id).selectAll();

type GrantRow = NonNullable<Awaited<ReturnType<ReturnType<typeof rowOf>['executeTakeFirst']>>>;
type GrantWithSecret = GrantRow & { secret: Buffer };

const hasSecret = (row: GrantRow | undefined): row is GrantWithSecret => row !== undefined && row.secret !== null;

const isDue = (expiresAt: Date | null) => expiresAt !== null && expiresAt.getTime() < Date.now() + RENEW_BEFORE_MS;

// Only a refusal is final; other errors may be temporary.
const unlessRefused = (error: unknown) => {
  if (error instanceof HostRefused) return undefined;
  throw error;
};

const secretLocation = (org: string, id: string, field: 'secret' | 'refresh') => ({
  org,
  table: 'code_host_grant',
  field: `${field} of ${id}`,
});
