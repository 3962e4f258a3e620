import type { ProfileData } from '@sightline/contract/identity/identities.ts';

/** The secrets of one sign-in: `state` returns with the browser, the others stay on the server. */
export interface SignInSecrets {
  state: string;
  verifier: string;
  nonce: string;
}

/** A user as reported by an identity provider. */
export interface IdentityProviderUser {
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
  /** The groups of the user; undefined if the provider reports none. */
  groups: readonly string[] | undefined;
  /** The only domains of accounts that the provider may sign in to; undefined: any. */
  onlyDomains?: readonly string[] | undefined;
}

/** An external identity provider. Every method throws UpstreamRefused, or the error of a failed request. */
export interface IdentityProvider {
  connection: string;
  kind: 'github' | 'google' | 'oidc' | 'saml';
  label: string;
  sandbox: boolean;
  /** The URL for the sign-in. `fresh`: requires authentication again, or at least the selection of an account. */
  authorizationUrl: (checks: SignInSecrets, options: { redirectUri: string; fresh: boolean }) => Promise<string>;
  /** Exchanges the callback for the user. `fresh`: refuses a sign-in older than five minutes. */
  personOf: (callback: URL, checks: SignInSecrets, options: { fresh: boolean }) => Promise<IdentityProviderUser>;
}

/** Thrown if the user or the identity provider refused. */
export class UpstreamRefused extends Error {
  override name = 'UpstreamRefused';
}
