import { createHash } from 'node:crypto';
import type { Secrets } from '#core/secrets.ts';
import type { Tx } from '#database/database.ts';
import { type LinkOwner, maybeLink } from './links.ts';

export interface Confirmation extends LinkOwner {
  /** The ticket of the invitation the person signed up for. */
  ticket: string | undefined;
  /** The login of others it was begun with, kept until the address is proved. */
  identity: string | undefined;
}

/** What a confirmation link stands for while it can still be used. */
export async function maybeConfirmation(tx: Tx, token: string): Promise<Confirmation | undefined> {
  const link = await maybeLink(tx, 'EmailConfirmation', token);
  if (!link) return undefined;
  const { ticket, identity } = link.payload as { ticket?: string; identity?: string };
  return { ...link, ticket, identity };
}

const userPlace = { org: '-', table: 'account', field: 'user_id' };
const browserPlace = { org: '-', table: 'account', field: 'sign_up' };

/** The id of an account as the confirm screen gets it: sealed, so that it says nothing, not even its age. */
export const userIdOf = (secrets: Secrets, accountId: string): string =>
  secrets.seal(userPlace, Buffer.from(accountId)).toString('base64url');

export const accountIdOf = (secrets: Secrets, userId: string): string | undefined => opened(secrets, userPlace, userId);

/**
 * What the browser that signed up keeps. It names what was `chosen` there, the password or the login of others, so that nobody who signed up with
 * somebody else's address gets that person to confirm a password they never chose.
 */
export const browserProof = (secrets: Secrets, accountId: string, chosen: string): string =>
  secrets.seal(browserPlace, Buffer.from(digestOf(accountId, chosen))).toString('base64url');

export const isSameBrowser = (secrets: Secrets, proof: string | undefined, confirmation: Confirmation): boolean => {
  const chosen = confirmation.identity ?? confirmation.passwordHash;
  if (proof === undefined || chosen === undefined) return false;
  return opened(secrets, browserPlace, proof) === digestOf(confirmation.accountId, chosen);
};

const digestOf = (accountId: string, chosen: string) =>
  createHash('sha256').update(`${accountId} ${chosen}`).digest('hex');

function opened(secrets: Secrets, place: Parameters<Secrets['open']>[0], sealed: string): string | undefined {
  try {
    return secrets.open(place, Buffer.from(sealed, 'base64url')).toString();
  } catch {
    return undefined; // Made up, or sealed for something else.
  }
}
