import type { HostWorkspace } from '@sightline/contract/sources/host-connections.ts';
import type { CodeHost } from './code-host.ts';
import type { CodeHostOpener } from './code-hosts.ts';
import type { HostGrants, NewGrant, RenewTokens, Tokens } from './grants.ts';
import { createHostBudgets, type HostBudget } from './host-budget.ts';

/** Returns the secret for requests. `refused`: a secret that the host has just rejected. */
export type CredentialSource = (refused?: string) => Promise<string>;

/** A host with the access of a grant. */
export interface GrantedHost extends CodeHost {
  /** Reads the owner of the grant and the selectable host scopes. Throws the errors of CodeHost. */
  look: () => Promise<GrantHolder>;
}

export interface GrantHolder {
  login: string;
  /** Null if the host does not report them. */
  scopes: string[] | null;
  /** A sentence for each missing permission, with the next step. */
  missing: string[];
  places: HostWorkspace[];
}

/** A code host that members connect by sign-in or with a token. */
export interface CodeHostConnector {
  provider: NewGrant['provider'];
  /** Empty if there is none: members enter the URL of their instance. */
  defaultURL: string;
  selfManaged: boolean;
  /** Whether a token can need the name or email address of its account, or its workspace. */
  takesEmail: boolean;
  /** The page of the sandbox that creates tokens. */
  sandboxPage: string | undefined;
  /** Normalizes an entered URL; undefined if it is invalid. */
  baseURLFrom: (entered: string) => string | undefined;
  /** The secret to store for a token, and its display name. */
  tokenFrom: (
    token: string,
    email: string | undefined,
    workspace: string | undefined,
  ) => { secret: string; display: string };
  /** `budget`: the rate limit budget of the credential; a new one by default. */
  open: (baseURL: string, credentials: CredentialSource, budget?: HostBudget) => GrantedHost;
  renew: RenewTokens;
  /** Undefined if the operator configured no application. */
  oauth: HostOAuth | undefined;
}

export interface HostOAuth {
  /** `verifier`: the PKCE verifier of this sign-in, unused by hosts without PKCE. */
  authorizationURL: (redirectURI: string, state: string, verifier: string) => string;
  /** Exchanges a code for tokens. Throws HostRefused for an invalid or used code. */
  exchange: (answer: { code: string; redirectURI: string; verifier: string }) => Promise<Tokens>;
}

/** The hosts that can be connected on this server. */
export type ConnectableHosts = Readonly<Partial<Record<NewGrant['provider'], CodeHostConnectorFactory>>>;

/** Returns the connection options of a host for an organization. */
export type CodeHostConnectorFactory = (orgId: string) => Promise<CodeHostConnector>;

/** Opens the host of an installation with the grant of the installation. */
export function createHostOpener(grants: HostGrants, hostFor: CodeHostConnectorFactory): CodeHostOpener {
  const budgets = createHostBudgets();
  return async (orgId, installationId) => {
    const host = await hostFor(orgId);
    const grant = await grants.ofInstallation(orgId, host.provider, installationId, host.renew);
    return grant && host.open(grant.baseUrl, grant.secret, budgets(grant.id));
  };
}
