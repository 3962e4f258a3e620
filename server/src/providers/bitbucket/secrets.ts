import type { GitCredentials } from '#providers/git-program.ts';

/**
 * The stored form of a token: `email:token` for an API token (basic authentication), `token workspace` or
 * `token workspace/repository` for an access token, which does not identify its scope, or only the token of OAuth.
 */
export function storedSecretOf(token: string, email?: string, scope?: string): string {
  if (email) return `${email}:${token}`;
  return scope ? `${token} ${scope}` : token;
}

export const scopeIn = (secret: string): string | undefined => secret.split(' ')[1];

/** The authorization header for a stored token. */
export function authorizationOf(secret: string): string {
  const [credential = ''] = secret.split(' ');
  return credential.includes(':') ? `Basic ${Buffer.from(credential).toString('base64')}` : `Bearer ${credential}`;
}

/** The credentials of a stored token for git over HTTPS, with the names that Bitbucket defines for tokens. */
export function gitCredentialsOf(secret: string): GitCredentials {
  const [credential = ''] = secret.split(' ');
  const colon = credential.indexOf(':');
  return colon < 0
    ? { user: 'x-token-auth', token: credential }
    : { user: 'x-bitbucket-api-token-auth', token: credential.slice(colon + 1) };
}
