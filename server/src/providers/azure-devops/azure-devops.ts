import { parseDestination } from '#core/destination.ts';
import type { Outbound, OutboundFor } from '#core/outbound.ts';
import { HostRefused } from '#providers/code-host.ts';
import type { CodeHostConnectorFactory, CredentialSource, GrantedHost } from '#providers/connectable.ts';
import { createNotesReader } from '#providers/git-notes.ts';
import { reconnectMessage } from '#providers/grants.ts';
import type { HostBudget } from '#providers/host-budget.ts';
import { unreachable } from '#providers/host-unreachable.ts';
import type { CodeHostConfig } from '../../config-code-host.ts';
import { createAccounts } from './accounts.ts';
import { createCode } from './code.ts';
import { createEvidence } from './evidence.ts';
import { createHolderReader } from './holder.ts';
import { createHooks } from './hooks.ts';
import { createPublishing } from './publishing.ts';
import { createReads, projectNameOf } from './reads.ts';
import { createAzureDevopsApi } from './transport.ts';

/** The connection options of Azure DevOps: members enter the URL of their organization or collection. */
export function createAzureDevopsFor(config: CodeHostConfig, outboundFor: OutboundFor): CodeHostConnectorFactory {
  return async (orgId) => {
    const outbound = outboundFor(orgId, 'code-host');
    const isOffered = config.url !== undefined && (await outbound.allows(config.url));
    return {
      provider: 'azure-devops',
      defaultURL: isOffered ? (config.url ?? '') : '',
      selfManaged: true,
      takesEmail: false,
      sandboxPage: isOffered ? config.sandboxPage : undefined,
      baseURLFrom,
      tokenFrom: (token) => ({ secret: token, display: `…${token.slice(-4)}` }),
      open: (baseURL, credentials, budget) => openAzureDevops(outbound, baseURL, credentials, budget),
      async renew() {
        throw new HostRefused(401, reconnectMessage);
      },
      oauth: undefined,
    };
  };
}

/** `baseURL`: the URL of the organization or collection without a trailing slash. */
export function openAzureDevops(
  outbound: Outbound,
  baseURL: string,
  credentials: CredentialSource,
  budget?: HostBudget,
): GrantedHost {
  const api = createAzureDevopsApi(outbound, baseURL, credentials, budget);
  const accounts = createAccounts(api, budget);
  return {
    ...createReads(api, accounts),
    ...createCode(api, accounts),
    ...createPublishing(api),
    evidence: {
      ...createEvidence(api, accounts),
      notesOf: createNotesReader({
        baseURL,
        pathOf: (ref) => `${encodeURIComponent(projectNameOf(ref))}/_git/${encodeURIComponent(ref.name)}`,
        secret: credentials,
        routeTo: (url) =>
          outbound.check('baseURL', url).catch((error: unknown) => {
            throw unreachable(baseURL, error);
          }),
        // The name is not read with a token as the password.
        credentialsOf: (token) => ({ user: 'token', token }),
      }),
    },
    hooks: createHooks(api),
    look: createHolderReader(api),
  };
}

/**
 * Normalizes an entered URL to the URL of the organization or collection: `dev.azure.com/org/project/_git/repository`,
 * `org.visualstudio.com`, `server/tfs/Collection`. Undefined if it names no organization.
 */
export function baseURLFrom(entered: string): string | undefined {
  const parsed = parseDestination(/^[a-z]+:\/\//i.test(entered) ? entered : `https://${entered}`);
  if ('problem' in parsed) return undefined;
  const { url } = parsed;
  const [, organization] = /^([a-z0-9-]+)\.visualstudio\.com$/i.exec(url.hostname) ?? [];
  if (organization !== undefined) return `https://dev.azure.com/${organization}`;
  // What follows belongs to a project or to the API.
  const path = url.pathname
    .replace(/\/_(?:apis|git|settings|usersSettings|signout)(?:\/.*)?$/i, '')
    .replace(/\/+$/, '');
  if (url.hostname !== 'dev.azure.com') return `${url.origin}${path}`;
  const [, name] = path.split('/');
  return name ? `https://dev.azure.com/${name}` : undefined;
}
