import { createHash, randomBytes } from 'node:crypto';
import { providerNames } from '@sightline/contract/core/providers.ts';
import { sitePath } from '@sightline/contract/core/text.ts';
import type { ConnectableHost } from '@sightline/contract/sources/host-connections.ts';
import { sql } from 'kysely';
import type { Actor } from '#core/actor.ts';
import { Conflict, Forbidden } from '#core/errors.ts';
import type { SecretLocation } from '#core/secrets.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { HostRefused } from '#providers/code-host.ts';
import type { HostOAuth } from '#providers/connectable.ts';
import { storeGrant } from './connect.ts';
import { findConnectableHost } from './queries.ts';
import { hostRefusal } from './refusals.ts';

const STATE_LIFETIME_MS = 10 * 60_000;

/** Starts the sign-in at a host. Stores the account and the path to redirect to afterwards. */
export async function startHostSignIn(
  services: Services,
  actor: Actor,
  provider: ConnectableHost,
  redirectPath: string,
): Promise<{ authorizationURL: string }> {
  const oauth = await findOAuth(services, actor.orgId, provider);
  const [nonce, verifier] = [randomBytes(32).toString('base64url'), randomBytes(48).toString('base64url')];
  const hash = hashOf(nonce);
  await services.database.withOrg(actor.orgId, ({ db }) =>
    db
      .insertInto('install_state')
      .values({
        org_id: actor.orgId,
        nonce_hash: hash,
        account_id: actor.accountId,
        provider,
        redirect_path: redirectPath,
        expires_at: new Date(Date.now() + STATE_LIFETIME_MS),
        verifier: services.secrets.seal(locationOf(actor.orgId, hash), Buffer.from(verifier)),
      })
      .execute(),
  );
  return { authorizationURL: oauth.authorizationURL(callbackOf(services, provider), nonce, verifier) };
}

/** Finishes the sign-in: exchanges the code for tokens, verifies them and stores them. Idempotent. */
export const finishHostSignIn = (
  services: Services,
  actor: Actor,
  provider: ConnectableHost,
  { state: nonce, code }: { state: string; code: string },
): Promise<{ redirectURL: string }> =>
  services.database.withOrg(actor.orgId, async (tx) => {
    const oauth = await findOAuth(services, actor.orgId, provider);
    const state = await findState(services, tx, actor, { provider, nonce });
    if (state.verifier === undefined) return { redirectURL: state.redirectPath };
    const host = await findConnectableHost(services, actor.orgId, provider);
    const authorization = { code, redirectURI: callbackOf(services, provider), verifier: state.verifier };
    const tokens = await oauth.exchange(authorization).catch((error: unknown) => {
      if (error instanceof HostRefused) throw staleState(provider);
      throw hostRefusal(error);
    });
    const holder = await host
      .open(host.defaultURL, async () => tokens.secret)
      .look()
      .catch((error: unknown) => {
        throw hostRefusal(error);
      });
    const { login } = holder;
    const grant = { provider, baseUrl: host.defaultURL, kind: 'oauth', login, display: login, ...tokens } as const;
    await storeGrant(services, tx, actor, { provider, grant, holder });
    await tx.db
      .updateTable('install_state')
      .set({ used_at: sql<Date>`now()`, verifier: null })
      .where('org_id', '=', actor.orgId)
      .where('nonce_hash', '=', state.hash)
      .execute();
    return { redirectURL: state.redirectPath };
  });

async function findOAuth(services: Services, orgId: string, provider: ConnectableHost): Promise<HostOAuth> {
  const { oauth } = await findConnectableHost(services, orgId, provider);
  if (oauth) return oauth;
  throw Conflict(
    `No ${providerNames[provider]} application is configured for this organization. Connect with a token.`,
  );
}

/** The callback URL for the redirect of a host. */
const callbackOf = ({ config }: Pick<Services, 'config'>, provider: ConnectableHost): string =>
  `${config.PUBLIC_URL}/_/integrations/${provider}`;

/** Finds and locks the state of a redirect. A concurrent second call waits and then finds no verifier. */
async function findState(
  services: Services,
  tx: Tx,
  actor: Actor,
  { provider, nonce }: { provider: ConnectableHost; nonce: string },
) {
  const hash = hashOf(nonce);
  const row = await tx.db
    .selectFrom('install_state')
    .where('org_id', '=', actor.orgId)
    .where('nonce_hash', '=', hash)
    .where('account_id', '=', actor.accountId)
    .where('provider', '=', provider)
    .select(['redirect_path', 'expires_at', 'used_at', 'verifier'])
    .forUpdate()
    .executeTakeFirst();
  if (!row || (row.used_at === null && row.expires_at.getTime() < Date.now())) throw staleState(provider);
  return {
    hash,
    // Validated again: the row may be older than the validation at the start.
    redirectPath: sitePath.catch('/').parse(row.redirect_path),
    verifier: row.verifier ? services.secrets.open(locationOf(actor.orgId, hash), row.verifier).toString() : undefined,
  };
}

const staleState = (provider: ConnectableHost) =>
  Forbidden(`Another person started this sign-in, or it expired. Connect ${providerNames[provider]} again.`);

const hashOf = (nonce: string): Buffer => createHash('sha256').update(nonce).digest();

const locationOf = (org: string, hash: Buffer): SecretLocation => ({
  org,
  table: 'install_state',
  field: `verifier of ${hash.toString('hex')}`,
});
