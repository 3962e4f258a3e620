import { ATTEMPT_LIMITS, type AttemptLimit, countAttempts, networkOf, refundAttempts } from '#core/attempts.ts';
import type { Tx } from '#database/database.ts';

/** The source of password attempts for an address: a known browser, or unknown ones in a network. */
export type PasswordAttemptSource = { device: string } | { email: string; address: string };

/**
 * Counts a password attempt and returns the seconds to wait. A known browser has its own limit, which attempts from
 * other browsers cannot exhaust.
 */
export const countPasswordAttempt = (tx: Tx, guesser: PasswordAttemptSource): Promise<number> =>
  countAttempts(tx, limitsOf(guesser));

/** Takes the count of a correct attempt back, except that of the network. */
export async function refundPasswordAttempt(tx: Tx, guesser: PasswordAttemptSource): Promise<void> {
  const [own] = limitsOf(guesser);
  const refunded = 'email' in guesser ? ([[ATTEMPT_LIMITS.signInByEmail, guesser.email]] as const) : [];
  await refundAttempts(tx, { cleared: [own], refunded });
}

function limitsOf(
  guesser: PasswordAttemptSource,
): [readonly [AttemptLimit, string], ...(readonly [AttemptLimit, string])[]] {
  if ('device' in guesser) return [[ATTEMPT_LIMITS.signInByDevice, guesser.device]];
  const { email, address } = guesser;
  const network = networkOf(address);
  return [
    [ATTEMPT_LIMITS.signInByEmailAndNetwork, `${email} ${network}`],
    [ATTEMPT_LIMITS.signInByEmail, email],
    [ATTEMPT_LIMITS.signInByNetwork, network],
  ];
}
