import { organizationOfConnection } from '@sightline/contract/identity/saml.ts';
import { errors, interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider';
import { acceptsLogin, findSessionState, isInNetworks, requiresNewSignIn } from '#core/session-policy.ts';
import type { Database } from '#database/database.ts';
import { requiredFactorStep } from '../sessions/queries.ts';
import { findSessionLogin, findSessionPolicy } from '../sign-in-policy/queries.ts';
import { findEntryRole } from './grants.ts';
import { identityIn } from './login-methods.ts';
import { isMcpClient } from './mcp-clients.ts';

const { base, Check, Prompt } = interactionPolicy;

/** Determines when a page is shown and which requests are rejected before a code is issued. */
export function interactionPolicyFor(database: Database): interactionPolicy.DefaultPolicy {
  const policy = base();
  policy.remove('consent');
  // A session would otherwise skip these requests: the invitation would not be accepted, the sign-up page not shown.
  policy.get('login')?.checks.add(new Check('asked_for', 'the request asks for a page', (ctx) => requestsPage(ctx)));
  policy
    .get('login')
    ?.checks.add(
      new Check('session_policy', 'the organization requires a new sign-in', 'login_required', (ctx) =>
        isSessionOver(database, ctx),
      ),
    );
  policy
    .get('login')
    ?.checks.add(
      new Check(singleSignOnReason, 'the organization requires its own provider', 'login_required', (ctx) =>
        lacksSingleSignOn(database, ctx),
      ),
    );
  policy.add(
    new Prompt(
      { name: 'organization', requestable: false },
      new Check('membership', 'the account must be a member of the organization', 'access_denied', async (ctx) => {
        await requireEntry(database, ctx);
        return Check.NO_NEED_TO_PROMPT;
      }),
    ),
  );
  policy.add(
    new Prompt(
      { name: secondFactorPrompt, requestable: false },
      new Check('second_factor', 'a second factor is required', 'interaction_required', (ctx) =>
        lacksFactor(database, ctx),
      ),
    ),
  );
  policy.add(
    new Prompt(
      { name: consentPrompt, requestable: true },
      new Check(
        'mcp_consent',
        'the person must connect the client',
        'consent_required',
        ({ oidc }) => isMcpClient(oidc.client) && consentOf(oidc) === undefined,
      ),
    ),
  );
  return policy;
}

/** Prompted last, so that the organizations of a person appear only after the second factor. */
export const consentPrompt = 'consent';

/**
 * The organization to which the signed-in person connected an MCP client in this request. Each request asks again, since
 * any program on a computer can send the ID of a public client.
 */
export function consentOf({ result, session, params }: KoaContextWithOIDC['oidc']): string | undefined {
  const consent = result?.consent as { accountId?: string; organization?: string } | undefined;
  const isOwn = consent?.accountId !== undefined && consent.accountId === session?.accountId;
  return isOwn && consent.organization === params?.organization ? consent.organization : undefined;
}

/** The reason for the sign-in page: the organization requires its own provider. */
export const singleSignOnReason = 'single_sign_on';

/** Prompted only after the membership check, so that non-members learn nothing about factors. */
export const secondFactorPrompt = 'second_factor';

/** Whether this sign-in needs no second factor, since it used a user-verifying passkey. */
export const hasProvedBothFactors = ({ oidc }: KoaContextWithOIDC): boolean =>
  oidc.account !== undefined &&
  oidc.result?.login?.accountId === oidc.account.accountId &&
  (oidc.result.login.amr ?? []).includes('mfa');

async function lacksFactor(database: Database, ctx: KoaContextWithOIDC): Promise<boolean> {
  const { account, session, params } = ctx.oidc;
  if (!account || !session || hasProvedBothFactors(ctx)) return false;
  const orgId = params?.organization as string | undefined;
  return (
    (await requiredFactorStep(database, { accountId: account.accountId, sessionUid: session.uid, orgId })) !== 'none'
  );
}

/** Whether the organization requires this session to sign in again. False directly after a sign-in. */
async function isSessionOver(database: Database, { oidc }: KoaContextWithOIDC): Promise<boolean> {
  const orgId = oidc.params?.organization as string | undefined;
  if (orgId === undefined || !oidc.session?.accountId || oidc.result?.login) return false;
  const policy = await findSessionPolicy(database, orgId, oidc.session.accountId);
  return policy !== undefined && requiresNewSignIn(policy, await findSessionState(database, { uid: oidc.session.uid }));
}

/** Whether the organization requires a different login than that of this session or sign-in. */
async function lacksSingleSignOn(database: Database, { oidc }: KoaContextWithOIDC): Promise<boolean> {
  const orgId = oidc.params?.organization as string | undefined;
  const accountId = oidc.result?.login?.accountId ?? oidc.session?.accountId;
  if (orgId === undefined || accountId === undefined) return false;
  const identity = identityIn(oidc.result?.login?.amr ?? oidc.session?.amr ?? []);
  if (isOfAnotherOrganization(identity, orgId)) return true;
  const policy = await findSessionPolicy(database, orgId, accountId);
  if (!policy?.sso) return false;
  return !acceptsLogin(policy, await database.global((tx) => findSessionLogin(tx, identity)));
}

/** Whether a sign-in used the SAML login of another organization, which nothing makes trustworthy for this one. */
function isOfAnotherOrganization(identity: { connection: string } | undefined, orgId: string): boolean {
  const owner = organizationOfConnection(identity?.connection ?? '');
  return owner !== undefined && owner !== orgId;
}

const requestsPage = ({ oidc }: KoaContextWithOIDC): boolean =>
  !oidc.result?.login &&
  ['invitation', 'screen_hint', 'connection', 'link'].some((name) => oidc.params?.[name] !== undefined);

// A refusal here reaches the app as ?error=access_denied; at the token endpoint it would be a plain 400.
async function requireEntry(database: Database, { oidc, ip }: KoaContextWithOIDC): Promise<void> {
  const orgId = oidc.params?.organization as string | undefined;
  if (!oidc.account) throw new errors.AccessDenied('this account can no longer sign in');
  if (orgId !== undefined && !(await findEntryRole(database, orgId, oidc.account.accountId))) {
    throw new errors.AccessDenied('you are not a member of this organization');
  }
  const networks =
    orgId === undefined
      ? []
      : ((await findSessionPolicy(database, orgId, oidc.account.accountId))?.allowedNetworks ?? []);
  if (networks.length > 0 && !isInNetworks(networks, ip))
    throw new errors.AccessDenied('your organization does not allow access from this network');
}
