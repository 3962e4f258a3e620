import { parseDestination } from '#core/destination.ts';
import type { Outbound, OutboundFor } from '#core/outbound.ts';
import { HostRefused } from '#providers/code-host.ts';
import type {
  CodeHostConnector,
  CodeHostConnectorFactory,
  CredentialSource,
  GrantedHost,
} from '#providers/connectable.ts';
import { createNotesReader } from '#providers/git-notes.ts';
import type { HostBudget } from '#providers/host-budget.ts';
import { unreachable } from '#providers/host-unreachable.ts';
import { GITLAB_COM_URL, type GitlabConfig } from '../../config-gitlab.ts';
import { accountsOf, createAccounts } from './accounts.ts';
import { createCode } from './code.ts';
import { createGitlabComments } from './comments.ts';
import { createEvidence } from './evidence.ts';
import { readTokenHolder } from './holder.ts';
import { createHooks } from './hooks.ts';
import { createOAuth } from './oauth.ts';
import { createReads } from './reads.ts';
import { createGitlabApi } from './transport.ts';

/**
 * The connection options of GitLab for an organization. If the operator allows the configured instance for the
 * organization, that instance with its application; otherwise gitlab.com. Members can enter the URL of another
 * instance.
 */
export function createGitlabFor(config: GitlabConfig, outboundFor: OutboundFor): CodeHostConnectorFactory {
  return async (orgId) => {
    const outbound = outboundFor(orgId, 'code-host');
    const isOffered = config.url === GITLAB_COM_URL || (await outbound.allows(config.url));
    return createGitlab(
      isOffered ? config : { url: GITLAB_COM_URL, client: undefined, sandboxPage: undefined },
      outbound,
    );
  };
}

/** GitLab: gitlab.com and self-managed instances. */
function createGitlab(config: GitlabConfig, outbound: Outbound): CodeHostConnector {
  const { url, client } = config;
  const oauth = client && createOAuth(outbound, { baseURL: url, clientId: client.id, clientSecret: client.secret });
  return {
    provider: 'gitlab',
    defaultURL: url,
    selfManaged: true,
    takesEmail: false,
    sandboxPage: config.sandboxPage,
    baseURLFrom,
    tokenFrom: (token) => ({ secret: token, display: `…${token.slice(-4)}` }),
    open: (baseURL, credentials, budget) => openGitlab(outbound, baseURL, credentials, budget),
    async renew(baseURL, refresh) {
      // The operator may have configured another instance since.
      if (!oauth || baseURL !== url) throw new HostRefused(401, 'Sign-in at this GitLab is no longer possible');
      return oauth.renew(refresh);
    },
    oauth,
  };
}

/** `baseURL`: the URL of the instance without a trailing slash. */
export function openGitlab(
  outbound: Outbound,
  baseURL: string,
  credentials: CredentialSource,
  budget?: HostBudget,
): GrantedHost {
  const ask = createGitlabApi(outbound, baseURL, credentials, budget);
  const accounts = createAccounts(ask, baseURL, budget && accountsOf(budget));
  return {
    ...createReads(ask, accounts),
    ...createCode(ask),
    ...createGitlabComments(ask),
    evidence: {
      ...createEvidence(ask, { accounts, baseURL }),
      notesOf: createGitlabNotesReader(outbound, baseURL, credentials),
    },
    hooks: createHooks(ask),
    look: () => readTokenHolder(ask),
  };
}

const createGitlabNotesReader = (outbound: Outbound, baseURL: string, secret: CredentialSource) =>
  createNotesReader({
    baseURL,
    secret,
    routeTo: (url) =>
      outbound.check('baseURL', url).catch((error: unknown) => {
        throw unreachable(baseURL, error);
      }),
    // GitLab accepts any name with a token.
    credentialsOf: (token) => ({ user: 'oauth2', token }),
  });

/** Normalizes an entered URL (`gitlab.example.com/`, or the URL of the API) to the URL of the instance. */
export function baseURLFrom(entered: string): string | undefined {
  const parsed = parseDestination(/^[a-z]+:\/\//i.test(entered) ? entered : `https://${entered}`);
  if ('problem' in parsed) return undefined;
  const { url } = parsed;
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '').replace(/\/api(\/v4)?$/, '');
}
