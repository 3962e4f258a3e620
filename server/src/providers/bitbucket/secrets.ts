/**
 * What is kept of a token: `mail:token` of a person, asked with as a name and a word; `token place` of a workspace
 * or, as `workspace/repository`, of a repository, which must be named since such a token cannot say; or a token alone, as
 * OAuth gives it.
 */
export function secretOf(token: string, email?: string, place?: string): string {
  if (email) return `${email}:${token}`;
  return place ? `${token} ${place}` : token;
}

export const placeIn = (secret: string): string | undefined => secret.split(' ')[1];

/** The header to ask with. */
export function authorizationOf(secret: string): string {
  const [credential = ''] = secret.split(' ');
  return credential.includes(':') ? `Basic ${Buffer.from(credential).toString('base64')}` : `Bearer ${credential}`;
}
