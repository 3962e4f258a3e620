import { hkdfSync } from 'node:crypto';
import { mcpScope } from '@sightline/contract/platform/mcp.ts';
import { type ClientMetadata, type Configuration, errors, type KoaContextWithOIDC, Provider } from 'oidc-provider';
import { hostCookieName, hostCookieOptions, secureCookieName, usesSecureCookies } from '#core/cookies.ts';
import { newId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import type { SigningKeys } from '#core/signing-keys.ts';
import { audienceOf, issuerOf, mcpResourceOf } from '#core/tokens.ts';
import { recordMcpConnection } from '../extensions/commands.ts';
import { endSessionOf, recordBrowserVisit } from '../sessions/commands.ts';
import { deviceNameOf, findSessionId } from '../sessions/queries.ts';
import { createAdapter } from './adapter.ts';
import { findAccount } from './claims.ts';
import {
  findEntryRole,
  findGrantFacts,
  type GrantFacts,
  type GrantKey,
  maybeGrantId,
  rememberGrant,
} from './grants.ts';
import { recordSignIn, recordSignOut } from './login-audit.ts';
import { identityIn } from './login-methods.ts';
import { builtInMcpClients, checkRegisteredClient, isMcpClient, mcpClientField } from './mcp-clients.ts';
import { errorPage, signedOutPage, signingOutPage } from './pages/provider-pages.ts';
import { consentOf, consentPrompt, hasProvedBothFactors, interactionPolicyFor, secondFactorPrompt } from './policy.ts';

export const webClientId = 'sightline-web';
const day = 86_400;
export const sessionSeconds = 14 * day;
const tokenSeconds = 600;
const grantSeconds = 30 * day;
const apiScope = 'read:current_user';
const scopes = ['openid', 'profile', 'email', 'offline_access'];
const organizationId = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The embedded identity provider. All its state is in the database, so that several instances can run. */
function createProvider(services: Services, keys: SigningKeys): Provider {
  const { PUBLIC_URL } = services.config;
  const provider = new Provider(issuerOf(PUBLIC_URL), configurationOf(services, keys));
  // The mount sets the public URL; forwarded headers of clients never reach the provider.
  provider.proxy = true;
  provider.on('server_error', (_ctx, error) => services.log.error({ err: error }, 'identity provider failed'));
  provider.use(async (ctx, next) => {
    await next();
    const session = ctx.oidc?.session as { uid: string; accountId?: string; destroyed?: boolean } | undefined;
    if (session?.destroyed && session.accountId !== undefined) {
      const { uid, accountId } = session;
      await endSessionOf(services, accountId, uid, (tx) =>
        recordSignOut(services, tx, { uid, accountId, clientId: webClientId }, originIn(ctx)),
      );
    }
  });
  return provider;
}

/** Returns the provider for the current keys, and creates a new one when they change. Its state is in the database. */
export function createProviders(services: Services, keys: SigningKeys): () => Provider {
  let cached: { version: string; provider: Provider } | undefined;
  return () => {
    const version = keys.version();
    if (cached?.version !== version) cached = { version, provider: createProvider(services, keys) };
    return cached.provider;
  };
}

/** Secrets for cookies, the same on every node. The first one is derived from the current signing key. */
export const cookieKeys = (keys: SigningKeys): [string, ...string[]] => {
  const [first = '', ...older] = keys.private.keys.map((key) =>
    Buffer.from(hkdfSync('sha256', String(key.d), '', 'sightline identity cookies', 32)).toString('base64url'),
  );
  return [first, ...older];
};

function configurationOf(services: Services, keys: SigningKeys): Configuration {
  const { database, config } = services;
  const { PUBLIC_URL } = config;
  const secure = usesSecureCookies(config);
  const cookie = { ...hostCookieOptions(secure), signed: true };
  return {
    adapter: createAdapter(database),
    jwks: { keys: keys.private.keys as NonNullable<Configuration['jwks']>['keys'] },
    clients: [webClient(PUBLIC_URL), ...builtInMcpClients],
    extraClientMetadata,
    clientBasedCORS: (_ctx, origin) => origin === PUBLIC_URL,
    cookies: {
      keys: cookieKeys(keys),
      long: cookie,
      short: cookie,
      names: {
        session: hostCookieName('sightline_session', secure),
        interaction: hostCookieName('sightline_interaction', secure),
        // The provider restricts this cookie to the path of the page where it resumes.
        resume: secureCookieName('sightline_resume', secure),
      },
    },
    // The paths that clients of Auth0 expect; other clients use discovery.
    routes: { authorization: '/authorize', token: '/oauth/token', revocation: '/oauth/revoke' },
    // Clients that register themselves name the scope of the MCP server.
    scopes: [...scopes, mcpScope],
    claims: {
      openid: ['sub', 'org_id'],
      email: ['email', 'email_verified'],
      profile: ['name', 'picture'],
    },
    // There is no userinfo endpoint, so the ID token contains all claims.
    conformIdTokenClaims: false,
    responseTypes: ['code'],
    pkce: { required: () => true },
    extraParams: {
      audience: null,
      screen_hint: null,
      invitation: null,
      connection: null,
      // A linking ticket: the sign-in is to another account, which is then merged into the signed-in account.
      link: null,
      organization: (_ctx, value) => {
        if (value !== undefined && !organizationId.test(value)) {
          throw new errors.InvalidRequest('organization must be the ID of an organization');
        }
      },
    },
    features: {
      devInteractions: { enabled: false },
      // Clients send their requests through the browser. Pushed requests would allow unauthenticated clients to create
      // database rows.
      pushedAuthorizationRequests: { enabled: false },
      userinfo: { enabled: false },
      revocation: { enabled: true },
      registration: registrationOf(config),
      rpInitiatedLogout: { enabled: true, logoutSource: signingOutPage, postLogoutSuccessSource: signedOutPage },
      resourceIndicators: resourceIndicatorsOf(PUBLIC_URL),
    },
    ttl: {
      AccessToken: tokenSeconds,
      AuthorizationCode: 60,
      IdToken: 3600,
      Interaction: 3600,
      Session: sessionSeconds,
      Grant: grantSeconds,
      RefreshToken: sessionSeconds,
    },
    // The registration of the client decides, not offline_access, which is dropped without a consent prompt. Public
    // clients receive refresh tokens too: these rotate at every use, and reuse revokes the grant.
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    // The tokens of an MCP client end with the session in which the person connected it.
    expiresWithSession: async ({ oidc: { client } }) =>
      isMcpClient(client) || !client?.grantTypeAllowed('refresh_token'),
    interactions: {
      policy: interactionPolicyFor(database),
      url: (_ctx, { uid, prompt }) => `/oidc/interaction/${uid}${pagesOfPrompts[prompt.name] ?? ''}`,
    },
    loadExistingGrant: (ctx) => loadGrant(services, ctx),
    findAccount: findAccount(database),
    extraTokenClaims: async (ctx, token) => {
      const uid = 'sessionUid' in token ? token.sessionUid : undefined;
      const sid = uid === undefined ? undefined : await database.global((tx) => findSessionId(tx, uid));
      const grant =
        'grantId' in token && token.grantId !== undefined ? await findGrantFacts(database, token.grantId) : undefined;
      await recordFirstEntry(services, ctx, { sid, ...grant });
      return {
        ...(ctx.oidc.account?.access as Record<string, unknown> | undefined),
        ...(sid !== undefined && { sid }),
        ...(grant?.connectionId !== undefined && { grant: grant.connectionId }),
      };
    },
    renderError: errorPage,
  };
}

/** The API for the pages, and the MCP server for its clients (RFC 8707). No client gets tokens for the other one. */
function resourceIndicatorsOf(publicUrl: string): NonNullable<Configuration['features']>['resourceIndicators'] {
  const [api, mcp] = [audienceOf(publicUrl), mcpResourceOf(publicUrl)];
  return {
    enabled: true,
    defaultResource: (ctx, client) =>
      isMcpClient(client) ? mcp : ((ctx.oidc.params?.audience as string | undefined) ?? api),
    useGrantedResource: () => true,
    getResourceServerInfo: (_ctx, resource, client) => {
      if (resource !== (isMcpClient(client) ? mcp : api)) throw new errors.InvalidTarget();
      return {
        audience: resource,
        scope: resource === mcp ? mcpScope : apiScope,
        accessTokenTTL: tokenSeconds,
        accessTokenFormat: 'jwt',
        jwt: { sign: { alg: 'RS256' } },
      };
    },
  };
}

const extraClientMetadata: NonNullable<Configuration['extraClientMetadata']> = {
  properties: [mcpClientField],
  validator: (ctx, _key, _value, metadata) => checkRegisteredClient(ctx !== undefined, metadata),
};

/** RFC 7591, if the operator allows it: any program that reaches this server can then register a name. */
const registrationOf = ({ MCP_CLIENT_REGISTRATION }: Services['config']) => ({
  enabled: MCP_CLIENT_REGISTRATION === 'open',
  initialAccessToken: false,
  issueRegistrationAccessToken: false,
});

const webClient = (publicUrl: string): ClientMetadata => ({
  client_id: webClientId,
  client_name: 'Sightline',
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code'],
  response_types: ['code'],
  // Linking requires the time of the sign-in.
  require_auth_time: true,
  redirect_uris: [`${publicUrl}/auth`, `${publicUrl}/auth/silent`],
  post_logout_redirect_uris: [`${publicUrl}/`],
});

/** The pages of the prompts that are not the sign-in page. */
const pagesOfPrompts: Partial<Record<string, string>> = {
  [secondFactorPrompt]: '/second-factor',
  [consentPrompt]: '/consent',
};

/**
 * Called before a token is issued. The first token for an organization is recorded: as a sign-in there, or as the
 * connection of an MCP client.
 */
async function recordFirstEntry(
  services: Services,
  ctx: KoaContextWithOIDC,
  { sid, orgId, connectionId }: Partial<GrantFacts> & { sid: string | undefined },
): Promise<void> {
  const { account, client, entities } = ctx.oidc;
  const code = entities.AuthorizationCode;
  if (!account || !client || code?.grantId === undefined || orgId === undefined) return;
  const { accountId } = account;
  if (connectionId === undefined) {
    await recordSignIn(services, { accountId, orgId, grantId: code.grantId, amr: code.amr ?? [] }, originIn(ctx));
    return;
  }
  const isBuiltIn = builtInMcpClients.some(({ client_id: id }) => id === client.clientId);
  const { requestId, address } = originIn(ctx);
  const program = isBuiltIn ? { type: client.clientId, name: '' } : { type: 'mcp', name: client.clientName ?? '' };
  await recordMcpConnection(
    services,
    { id: connectionId, orgId, accountId, sessionId: sid, ...program },
    { requestId, address },
  );
}

const originIn = (ctx: { ip: string; get: (header: string) => string }) => ({
  requestId: newId(),
  address: ctx.ip,
  browser: deviceNameOf(ctx.get('user-agent')),
});

// There is one grant per browser session, client and organization, which determines the organization at the token
// endpoint. The pages are our own client, so no consent is required.
async function loadGrant(services: Services, ctx: KoaContextWithOIDC) {
  const { database } = services;
  const { client, account, session, provider, params } = ctx.oidc;
  if (!client || !account || !session) return undefined;
  await recordBrowserVisit(services, {
    uid: session.uid,
    accountId: account.accountId,
    userAgent: ctx.get('user-agent'),
    address: ctx.ip,
    loginAt: session.loginTs ?? Date.now() / 1000,
    login: identityIn(session.amr ?? []),
    secondFactor: hasProvedBothFactors(ctx),
  });
  const orgId = params?.organization as string | undefined;
  if (orgId !== undefined && !(await findEntryRole(database, orgId, account.accountId))) return undefined;
  const key = { sessionUid: session.uid, clientId: client.clientId, accountId: account.accountId, orgId };
  if (isMcpClient(client)) return consentOf(ctx.oidc) === undefined ? undefined : createMcpGrant(services, ctx, key);
  const known = await maybeGrantId(database, key);
  const existing = known === undefined ? undefined : await provider.Grant.find(known);
  if (existing?.exp !== undefined && existing.exp - Date.now() / 1000 > grantSeconds / 2) return existing;
  const grant = new provider.Grant({ accountId: account.accountId, clientId: client.clientId });
  grant.addOIDCScope(scopes.join(' '));
  grant.addResourceScope(audienceOf(services.config.PUBLIC_URL), apiScope);
  await rememberGrant(database, key, await grant.save(), grantSeconds);
  return grant;
}

/** The grant of an MCP client that the person has just connected: a new connection each time. */
async function createMcpGrant(
  { config, database }: Services,
  { oidc: { provider } }: KoaContextWithOIDC,
  key: GrantKey,
) {
  const { accountId, clientId } = key;
  const grant = new provider.Grant({ accountId, clientId });
  grant.addOIDCScope('openid');
  grant.addResourceScope(mcpResourceOf(config.PUBLIC_URL), mcpScope);
  await rememberGrant(database, { ...key, connectionId: newId() }, await grant.save(), grantSeconds);
  return grant;
}
