import type { HostWorkspace } from '@sightline/contract/sources/host-connections.ts';
import type { CodeHost } from './code-host.ts';
import type { OpenHost } from './code-hosts.ts';
import type { Grants, NewGrant, Renew, Tokens } from './grants.ts';
import { createHostBudgets, type HostBudget } from './host-budget.ts';

/** Answers what to ask with; `refused` is one the host did not take just now. */
export type Credentials = (refused?: string) => Promise<string>;

/** A host as the holder of a grant sees it. */
export interface HeldHost extends CodeHost {
  /** Whose the grant is, and what can be picked. Throws as CodeHost does. */
  look: () => Promise<Holder>;
}

export interface Holder {
  login: string;
  /** Null where the host does not say. */
  scopes: string[] | null;
  /** What it may do too little for, each as a sentence that says what to do. */
  missing: string[];
  places: HostWorkspace[];
}

/** A code host that people connect by signing in there or by a token. */
export interface ConnectableHost {
  provider: NewGrant['provider'];
  defaultURL: string;
  selfManaged: boolean;
  takesEmail: boolean;
  /** Where the sandbox hands out tokens. */
  sandboxPage: string | undefined;
  /** The address as it is kept, or undefined for one that is none. */
  baseURLFrom: (typed: string) => string | undefined;
  /** What is kept of a token, and what tells it from others. */
  tokenFrom: (
    token: string,
    email: string | undefined,
    workspace: string | undefined,
  ) => { secret: string; display: string };
  /** `budget`: of the requests of what it is asked with; one of its own without. */
  open: (baseURL: string, credentials: Credentials, budget?: HostBudget) => HeldHost;
  renew: Renew;
  /** Undefined where the operator has registered no application. */
  oauth: HostOAuth | undefined;
}

export interface HostOAuth {
  /** `verifier` is a secret of this one sign-in; a host that knows no PKCE leaves it out. */
  authorizationURL: (redirectURI: string, state: string, verifier: string) => string;
  /** Throws HostRefused for a code that is wrong or spent. */
  exchange: (answer: { code: string; redirectURI: string; verifier: string }) => Promise<Tokens>;
}

/** The hosts that can be connected here. */
export type ConnectableHosts = Readonly<Record<NewGrant['provider'], HostFor | undefined>>;

/** A host as one organization may connect it. */
export type HostFor = (orgId: string) => Promise<ConnectableHost>;

/** Opens a host as its installations may ask it: by the grant each of them was picked with. */
export function openerOf(grants: Grants, hostFor: HostFor): OpenHost {
  const budgets = createHostBudgets();
  return async (orgId, installationId) => {
    const host = await hostFor(orgId);
    const grant = await grants.ofInstallation(orgId, host.provider, installationId, host.renew);
    return grant && host.open(grant.baseUrl, grant.secret, budgets(grant.id));
  };
}
