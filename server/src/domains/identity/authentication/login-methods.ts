import { passwordConnection } from '@sightline/contract/identity/identities.ts';

/** The sign-in method in sessions: the RFC 8176 value for a password, or the identity at an identity provider. */
export const passwordLogin = 'pwd';
/** Marks a sign-in that proved two factors by itself. */
export const bothFactors = 'mfa';
/** A user-verifying passkey: possession together with knowledge or biometrics. */
export const passkeyLogin = ['pop', 'user', bothFactors];
export const upstreamLogin = (identity: { connection: string; subject: string }): string[] => [
  'fed',
  identityId(identity),
];

/** The ID of an identity in paths: `github|12345`. */
export const identityId = ({ connection, subject }: { connection: string; subject: string }): string =>
  `${connection}|${subject}`;

/** The external identity of the last sign-in of a session; undefined for none. */
export function identityIn(amr: readonly string[]): { connection: string; subject: string } | undefined {
  const id = amr.find((word) => word.includes('|'));
  if (id === undefined) return undefined;
  const at = id.indexOf('|');
  return { connection: id.slice(0, at), subject: id.slice(at + 1) };
}

/** Whether a session began with an identity, where the password counts as one. */
export const beganWithIdentity = (
  amr: readonly string[],
  identity: { connection: string; subject: string },
): boolean =>
  identity.connection === passwordConnection ? amr.includes(passwordLogin) : amr.includes(identityId(identity));
