import { type Connection, type LoginIdentity, passwordConnection } from '@sightline/contract/identity/identities.ts';

export interface ConnectionOffer {
  connection: string;
  label: string;
  /** Whether the server supports it. */
  offered: boolean;
}

// spec 2.12: these three are always shown, connected or not.
const always: ConnectionOffer[] = [
  { connection: 'github', label: 'GitHub', offered: false },
  { connection: 'google-oauth2', label: 'Google', offered: false },
  { connection: passwordConnection, label: 'Email / Password', offered: true },
];

/** Returns the connections without an identity in the account. */
export function missingConnections(
  identities: readonly LoginIdentity[],
  offered: readonly Connection[],
): ConnectionOffer[] {
  const all = new Map(always.map((offer) => [offer.connection, offer]));
  for (const { connection, label } of offered) all.set(connection, { connection, label, offered: true });
  return [...all.values()].filter(({ connection }) => !identities.some((one) => one.connection === connection));
}
