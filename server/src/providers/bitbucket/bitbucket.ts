import { type EgressProxies, proxyFor } from '#core/egress.ts';
import { Refusal } from '#core/errors.ts';
import { HostRefused } from '#providers/code-host.ts';
import type { CodeHostConnector } from '#providers/connectable.ts';
import { createNotesReader } from '#providers/git-notes.ts';
import { reconnectMessage } from '#providers/grants.ts';
import type { BitbucketConfig } from '../../config-bitbucket.ts';
import { createCode } from './code.ts';
import { createBitbucketComments } from './comments.ts';
import { createEvidence } from './evidence.ts';
import { createHooks } from './hooks.ts';
import { createOAuth } from './oauth.ts';
import { createReads } from './reads.ts';
import { gitCredentialsOf, storedSecretOf } from './secrets.ts';
import { createBitbucketTransport } from './transport.ts';
import { createHolderReader } from './workspaces.ts';

const incomplete = 'An API token requires the email address of its account, any other token its workspace.';

/** Bitbucket Cloud at the URL that the operator configured. Other URLs are rejected. */
export function createBitbucket(config: BitbucketConfig, proxies: EgressProxies = { except: [] }): CodeHostConnector {
  const oauth = createOAuth(config);
  return {
    provider: 'bitbucket',
    defaultURL: config.url,
    selfManaged: false,
    takesEmail: true,
    sandboxPage: config.sandboxPage,
    baseURLFrom: (typed) => (typed.replace(/\/+$/, '') === config.url ? config.url : undefined),
    tokenFrom(token, email, workspace) {
      if (!email && !workspace) {
        throw new Refusal('validation_failed', incomplete, { details: [{ field: 'email', message: incomplete }] });
      }
      return { secret: storedSecretOf(token, email, workspace), display: `…${token.slice(-4)}` };
    },
    open(baseURL, credentials, budget) {
      const ownCredentials = (refused?: string): Promise<string> => {
        // The configured URL changed: credentials of one URL are never sent to another.
        if (baseURL !== config.url) throw new HostRefused(401, reconnectMessage);
        return credentials(refused);
      };
      const transport = createBitbucketTransport(config.apiUrl, ownCredentials, budget);
      return {
        ...createReads(transport),
        ...createCode(transport),
        ...createBitbucketComments(transport),
        evidence: {
          ...createEvidence(transport),
          notesOf: createNotesReader({
            baseURL,
            secret: ownCredentials,
            // The operator configured this URL.
            routeTo: async (href) => ({ href, address: undefined, proxy: proxyFor(proxies, new URL(href)) }),
            credentialsOf: gitCredentialsOf,
          }),
        },
        hooks: createHooks(transport),
        look: createHolderReader(transport, config.url, ownCredentials),
      };
    },
    async renew(baseURL, refresh) {
      if (!oauth) throw new HostRefused(401, reconnectMessage);
      return oauth.renew(baseURL, refresh);
    },
    oauth,
  };
}
