import { passwordConnection } from '@sightline/contract/identities.ts';

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

/** Whether a session began with an identity; the password of an account counts as one. */
export const beganWith = (amr: readonly string[], identity: { connection: string; subject: string }): boolean =>
  identity.connection === passwordConnection ? amr.includes(passwordLogin) : amr.includes(idOf(identity));
