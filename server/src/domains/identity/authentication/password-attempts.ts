import { countAttempts, forgiveAttempts, type Limit, limits, networkOf } from '#core/attempts.ts';
import type { Tx } from '#database/database.ts';

/** The source of password attempts for an address: a known browser, or unknown ones in a network. */
export type Guesser = { device: string } | { email: string; address: string };

/**
 * Counts a password attempt and returns the seconds to wait. A known browser has its own limit, which attempts from
 * other browsers cannot exhaust.
 */
export const countGuess = (tx: Tx, guesser: Guesser): Promise<number> => countAttempts(tx, limitsOf(guesser));

/** Takes the count of a correct attempt back, except that of the network. */
export async function forgiveGuess(tx: Tx, guesser: Guesser): Promise<void> {
  const [own] = limitsOf(guesser);
  const refunded = 'email' in guesser ? ([[limits.signInByAddress, guesser.email]] as const) : [];
  await forgiveAttempts(tx, { forgotten: [own], refunded });
}

function limitsOf(guesser: Guesser): [readonly [Limit, string], ...(readonly [Limit, string])[]] {
  if ('device' in guesser) return [[limits.signInByDevice, guesser.device]];
  const { email, address } = guesser;
  const network = networkOf(address);
  return [
    [limits.signInByAddressAndNetwork, `${email} ${network}`],
    [limits.signInByAddress, email],
    [limits.signInByNetwork, network],
  ];
}
