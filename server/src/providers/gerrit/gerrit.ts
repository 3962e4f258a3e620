import { parseDestination } from '#core/destination.ts';
import { Refusal } from '#core/errors.ts';
import type { Outbound, OutboundFor } from '#core/outbound.ts';
import { HostRefused } from '#providers/code-host.ts';
import type { CodeHostConnectorFactory, CredentialSource, GrantedHost } from '#providers/connectable.ts';
import { createNotesReader } from '#providers/git-notes.ts';
import { reconnectMessage } from '#providers/grants.ts';
import type { HostBudget } from '#providers/host-budget.ts';
import { unreachable } from '#providers/host-unreachable.ts';
import type { CodeHostConfig } from '../../config-code-host.ts';
import { createCode } from './code.ts';
import { createEvidence } from './evidence.ts';
import { createHolderReader } from './holder.ts';
import { createReads } from './reads.ts';
import { createGerritApi, gitCredentialsOf, storedSecretOf } from './transport.ts';

const noName = 'Enter the user name of the account in Gerrit: HTTP credentials consist of both.';

/** The connection options of Gerrit for an organization: members enter the URL of their instance and credentials. */
export function createGerritFor(config: CodeHostConfig, outboundFor: OutboundFor): CodeHostConnectorFactory {
  return async (orgId) => {
    const outbound = outboundFor(orgId, 'code-host');
    const isOffered = config.url !== undefined && (await outbound.allows(config.url));
    return {
      provider: 'gerrit',
      defaultURL: isOffered ? (config.url ?? '') : '',
      selfManaged: true,
      takesEmail: true,
      sandboxPage: isOffered ? config.sandboxPage : undefined,
      baseURLFrom,
      tokenFrom(password, name) {
        if (name === undefined || name.includes(':'))
          throw new Refusal('validation_failed', noName, { details: [{ field: 'email', message: noName }] });
        return { secret: storedSecretOf(name, password), display: `…${password.slice(-4)}` };
      },
      open: (baseURL, credentials, budget) => openGerrit(outbound, baseURL, credentials, budget),
      async renew() {
        throw new HostRefused(401, reconnectMessage);
      },
      oauth: undefined,
    };
  };
}

/** `baseURL`: the URL of the instance without a trailing slash. */
export function openGerrit(
  outbound: Outbound,
  baseURL: string,
  credentials: CredentialSource,
  budget?: HostBudget,
): GrantedHost {
  const api = createGerritApi(outbound, baseURL, credentials, budget);
  return {
    ...createReads(api, baseURL),
    ...createCode(api),
    evidence: {
      ...createEvidence(api, baseURL),
      notesOf: createNotesReader({
        baseURL: `${baseURL}/a`,
        secret: credentials,
        routeTo: (url) =>
          outbound.check('baseURL', url).catch((error: unknown) => {
            throw unreachable(baseURL, error);
          }),
        credentialsOf: gitCredentialsOf,
      }),
    },
    look: createHolderReader(api, baseURL),
  };
}

/** Normalizes an entered URL (`review.example.com/`, or that of a page) to the URL of the instance. */
export function baseURLFrom(entered: string): string | undefined {
  const parsed = parseDestination(/^[a-z]+:\/\//i.test(entered) ? entered : `https://${entered}`);
  if ('problem' in parsed) return undefined;
  const { url } = parsed;
  return `${url.origin}${url.pathname}`.replace(/\/(?:q|c|admin|dashboard|a)(?:\/.*)?$/, '').replace(/\/+$/, '');
}
