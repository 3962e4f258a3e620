import { parseDestination } from '#core/destination.ts';
import type { Outbound, OutboundFor } from '#core/outbound.ts';
import { HostRefused } from '#providers/code-host.ts';
import type { CodeHostConnectorFactory, CredentialSource, GrantedHost } from '#providers/connectable.ts';
import { createNotesReader } from '#providers/git-notes.ts';
import { reconnectMessage } from '#providers/grants.ts';
import type { HostBudget } from '#providers/host-budget.ts';
import { unreachable } from '#providers/host-unreachable.ts';
import type { CodeHostConfig } from '../../config-code-host.ts';
import { createCode } from './code.ts';
import { createPublishing } from './comments.ts';
import { createEvidence } from './evidence.ts';
import { createHolderReader } from './holder.ts';
import { createHooks } from './hooks.ts';
import { createReads } from './reads.ts';
import { createGiteaApi } from './transport.ts';

/** The connection options of Forgejo and Gitea for an organization: members enter the URL of their instance. */
export function createGiteaFor(config: CodeHostConfig, outboundFor: OutboundFor): CodeHostConnectorFactory {
  return async (orgId) => {
    const outbound = outboundFor(orgId, 'code-host');
    const isOffered = config.url !== undefined && (await outbound.allows(config.url));
    return {
      provider: 'gitea',
      defaultURL: isOffered ? (config.url ?? '') : '',
      selfManaged: true,
      takesEmail: false,
      sandboxPage: isOffered ? config.sandboxPage : undefined,
      baseURLFrom,
      tokenFrom: (token) => ({ secret: token, display: `…${token.slice(-4)}` }),
      open: (baseURL, credentials, budget) => openGitea(outbound, baseURL, credentials, budget),
      async renew() {
        throw new HostRefused(401, reconnectMessage);
      },
      oauth: undefined,
    };
  };
}

/** `baseURL`: the URL of the instance without a trailing slash. */
export function openGitea(
  outbound: Outbound,
  baseURL: string,
  credentials: CredentialSource,
  budget?: HostBudget,
): GrantedHost {
  const api = createGiteaApi(outbound, baseURL, credentials, budget);
  return {
    ...createReads(api),
    ...createCode(api),
    ...createPublishing(api),
    evidence: {
      ...createEvidence(api, baseURL),
      notesOf: createNotesReader({
        baseURL,
        secret: credentials,
        routeTo: (url) =>
          outbound.check('baseURL', url).catch((error: unknown) => {
            throw unreachable(baseURL, error);
          }),
        // The name is not read with a token as the password.
        credentialsOf: (token) => ({ user: 'oauth2', token }),
      }),
    },
    hooks: createHooks(api),
    look: createHolderReader(api, baseURL),
  };
}

/** Normalizes an entered URL (`code.example.com/`, or the URL of the API) to the URL of the instance. */
export function baseURLFrom(entered: string): string | undefined {
  const parsed = parseDestination(/^[a-z]+:\/\//i.test(entered) ? entered : `https://${entered}`);
  if ('problem' in parsed) return undefined;
  const { url } = parsed;
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '').replace(/\/api(\/v1)?(\/swagger)?$/, '');
}
