import type { ProfileData } from '@sightline/contract/identity/identities.ts';

/** What the browser must bring back, and what only the server knows. */
export interface Checks {
  state: string;
  verifier: string;
  nonce: string;
}

/** Whoever signed in at an upstream, as it says. */
export interface UpstreamPerson {
  connection: string;
  provider: string;
  /** Its own id of the person; never an address, which can change hands. */
  subject: string;
  name: string;
  /** Normalized; undefined for none, or one that cannot be compared safely. */
  email: string | undefined;
  /** The upstream vouches for `email`. */
  emailVerified: boolean;
  /** Every address it vouches for, normalized. */
  verifiedEmails: string[];
  profile: ProfileData;
  /** The login at a code host. */
  login: string | undefined;
}

/** Somebody else's identity provider. Every method throws UpstreamRefused, or whatever went wrong on the way. */
export interface Upstream {
  connection: string;
  kind: 'github' | 'google' | 'oidc';
  label: string;
  sandbox: boolean;
  /** Where the browser goes. `fresh` asks that the person proves anew who they are, or at least chooses an account. */
  authorizationUrl: (checks: Checks, options: { redirectUri: string; fresh: boolean }) => Promise<string>;
  /** Redeems what the browser came back with; `fresh` refuses a sign-in that is longer ago than five minutes. */
  personOf: (callback: URL, checks: Checks, options: { fresh: boolean }) => Promise<UpstreamPerson>;
}

/** The person or the upstream said no. */
export class UpstreamRefused extends Error {
  override name = 'UpstreamRefused';
}
