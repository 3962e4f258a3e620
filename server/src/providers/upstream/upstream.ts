import type { ProfileData } from '@sightline/contract/identity/identities.ts';

/** The secrets of one sign-in: `state` returns with the browser, the others stay on the server. */
export interface Checks {
  state: string;
  verifier: string;
  nonce: string;
}

/** A user as reported by an identity provider. */
export interface UpstreamPerson {
  connection: string;
  provider: string;
  /** The ID of the user at the provider; never an email address, which can be reassigned. */
  subject: string;
  name: string;
  /** Normalized; undefined if missing or not safely comparable. */
  email: string | undefined;
  /** Whether the provider verified `email`. */
  emailVerified: boolean;
  /** All addresses that the provider verified, normalized. */
  verifiedEmails: string[];
  profile: ProfileData;
  /** The login at a code host. */
  login: string | undefined;
}

/** An external identity provider. Every method throws UpstreamRefused, or the error of a failed request. */
export interface Upstream {
  connection: string;
  kind: 'github' | 'google' | 'oidc';
  label: string;
  sandbox: boolean;
  /** The URL for the sign-in. `fresh`: requires authentication again, or at least the selection of an account. */
  authorizationUrl: (checks: Checks, options: { redirectUri: string; fresh: boolean }) => Promise<string>;
  /** Exchanges the callback for the user. `fresh`: refuses a sign-in older than five minutes. */
  personOf: (callback: URL, checks: Checks, options: { fresh: boolean }) => Promise<UpstreamPerson>;
}

/** Thrown if the user or the identity provider refused. */
export class UpstreamRefused extends Error {
  override name = 'UpstreamRefused';
}
