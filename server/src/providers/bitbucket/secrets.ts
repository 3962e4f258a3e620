/**
 * What is kept of a token: `mail:token` of a person, asked with as a name and a word; `token workspace` of a workspace,
 * which must be named since its token cannot say; or a token alone, as OAuth gives it.
 */
export function secretOf(token: string, email?: string, workspace?: string): string {
  if (email) return `${email}:${token}`;
  return workspace ? `${token} ${workspace}` : token;
}

export const workspaceIn = (secret: string): string | undefined => secret.split(' ')[1];

/** The header to ask with. */
export function authorizationOf(secret: string): string {
  const [credential = ''] = secret.split(' ');
  return credential.includes(':') ? `Basic ${Buffer.from(credential).toString('base64')}` : `Bearer ${credential}`;
}
