import { passwordConnection } from '@sightline/contract/identity/identities.ts';

/** How somebody signed in, as sessions keep it: RFC 8176's word for a password, or the identity of an upstream. */
export const passwordLogin = 'pwd';
/** Says that a sign-in by itself proved two factors. */
export const bothFactors = 'mfa';
/** A passkey that checked the person: something they have, and something they know or are. */
export const passkeyLogin = ['pop', 'user', bothFactors];
export const upstreamLogin = (identity: { connection: string; subject: string }): string[] => ['fed', idOf(identity)];

/** What names an identity in addresses: `github|12345`. */
export const idOf = ({ connection, subject }: { connection: string; subject: string }): string =>
  `${connection}|${subject}`;

/** The identity of an upstream that a session signed in with last; undefined for none. */
export function identityIn(amr: readonly string[]): { connection: string; subject: string } | undefined {
  const id = amr.find((word) => word.includes('|'));
  if (id === undefined) return undefined;
  const at = id.indexOf('|');
  return { connection: id.slice(0, at), subject: id.slice(at + 1) };
}

/** Whether a session began with an identity; the password of an account counts as one. */
export const beganWith = (amr: readonly string[], identity: { connection: string; subject: string }): boolean =>
  identity.connection === passwordConnection ? amr.includes(passwordLogin) : amr.includes(idOf(identity));
