import { countAttempts, forgiveAttempts, type Limit, limits, networkOf } from '#core/attempts.ts';
import type { Tx } from '#database/database.ts';

/** Who guesses the password of an address: a browser that signed in before, or an unknown one in a network. */
export type Guesser = { device: string } | { email: string; address: string };

/** Counts a guess; answers the seconds to wait. A known browser has a count of its own, which no stranger can use up. */
export const countGuess = (tx: Tx, guesser: Guesser): Promise<number> => countAttempts(tx, limitsOf(guesser));

/** Takes back what a guess that was right has counted, apart from the network's. */
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
