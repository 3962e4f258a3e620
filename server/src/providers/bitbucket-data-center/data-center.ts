import { parseDestination } from '#core/destination.ts';
import type { Outbound, OutboundFor } from '#core/outbound.ts';
import { HostRefused } from '#providers/code-host.ts';
import type { CodeHostConnectorFactory, CredentialSource, GrantedHost } from '#providers/connectable.ts';
import { createNotesReader } from '#providers/git-notes.ts';
import { reconnectMessage } from '#providers/grants.ts';
import type { HostBudget } from '#providers/host-budget.ts';
import type { CodeHostConfig } from '../../config-code-host.ts';
import { createCode } from './code.ts';
import { createPublishing } from './comments.ts';
import { createEvidence } from './evidence.ts';
import { createHolderReader } from './holder.ts';
import { createHooks } from './hooks.ts';
import { createReads } from './reads.ts';
import { createDataCenterApi, unreachable } from './transport.ts';

/** The connection options of Bitbucket Data Center for an organization: members enter the URL of their instance. */
export function createDataCenterFor(config: CodeHostConfig, outboundFor: OutboundFor): CodeHostConnectorFactory {
  return async (orgId) => {
    const outbound = outboundFor(orgId, 'code-host');
    const isOffered = config.url !== undefined && (await outbound.allows(config.url));
    return {
      provider: 'bitbucket-data-center',
      defaultURL: isOffered ? (config.url ?? '') : '',
      selfManaged: true,
      takesEmail: false,
      sandboxPage: isOffered ? config.sandboxPage : undefined,
      baseURLFrom,
      tokenFrom: (token) => ({ secret: token, display: `…${token.slice(-4)}` }),
      open: (baseURL, credentials, budget) => openDataCenter(outbound, baseURL, credentials, budget),
      async renew() {
        throw new HostRefused(401, reconnectMessage);
      },
      oauth: undefined,
    };
  };
}

/** `baseURL`: the URL of the instance without a trailing slash. */
export function openDataCenter(
  outbound: Outbound,
  baseURL: string,
  credentials: CredentialSource,
  budget?: HostBudget,
): GrantedHost {
  const api = createDataCenterApi(outbound, baseURL, credentials, budget);
  return {
    ...createReads(api),
    ...createCode(api),
    ...createPublishing(api),
    evidence: {
      ...createEvidence(api, baseURL),
      notesOf: createNotesReader({
        baseURL: `${baseURL}/scm`,
        secret: credentials,
        routeTo: (url) =>
          outbound.check('baseURL', url).catch((error: unknown) => {
            throw unreachable(baseURL, error);
          }),
        // With basic authentication, a personal token would also need the name of its owner.
        credentialsOf: (token) => ({ user: '', token, scheme: 'bearer' }),
      }),
    },
    hooks: createHooks(api),
    look: createHolderReader(api, baseURL),
  };
}

/** Normalizes an entered URL (`code.example.com/`, or the URL of the API or a page) to the URL of the instance. */
export function baseURLFrom(entered: string): string | undefined {
  const parsed = parseDestination(/^[a-z]+:\/\//i.test(entered) ? entered : `https://${entered}`);
  if ('problem' in parsed) return undefined;
  const { url } = parsed;
  return `${url.origin}${url.pathname}`
    .replace(/\/(?:rest|projects|users|dashboard|scm)(?:\/.*)?$/, '')
    .replace(/\/+$/, '');
}
