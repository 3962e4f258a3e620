import { createHash } from 'node:crypto';
import type { Secrets } from '#core/secrets.ts';
import type { Tx } from '#database/database.ts';
import { consumeLink, type LinkOwner, maybeLink } from './links.ts';
import { findPendingLoginById } from './upstream/pending-logins.ts';

export interface Confirmation extends LinkOwner {
  /** The ticket of the invitation that led to the sign-up. */
  ticket: string | undefined;
  /** The external login that started the sign-up, stored until the address is confirmed. */
  identity: string | undefined;
}

/**
 * Returns the confirmation of a link that is still valid: the address is not confirmed yet, and a pending external
 * login of the link still exists.
 */
export const findConfirmation = async (tx: Tx, token: string): Promise<Confirmation | undefined> =>
  usable(tx, await maybeLink(tx, 'EmailConfirmation', token));

/** Consumes a confirmation link; undefined if it is no longer valid. */
export const consumeConfirmation = async (tx: Tx, token: string): Promise<Confirmation | undefined> =>
  usable(tx, await consumeLink(tx, 'EmailConfirmation', token));

async function usable(tx: Tx, link: LinkOwner | undefined): Promise<Confirmation | undefined> {
  if (!link || link.verified) return undefined;
  const { ticket, identity } = link.payload as { ticket?: string; identity?: string };
  if (identity !== undefined && !(await findPendingLoginById(tx, identity))) return undefined;
  return { ...link, ticket, identity };
}

const userIdLocation = { org: '-', table: 'account', field: 'user_id' };
const proofLocation = { org: '-', table: 'account', field: 'sign_up' };

/**
 * The ID of an account for the confirmation screen. It is sealed, so that it reveals nothing, not even the age of the
 * account.
 */
export const sealUserId = (secrets: Secrets, accountId: string): string =>
  secrets.seal(userIdLocation, Buffer.from(accountId)).toString('base64url');

export const openUserId = (secrets: Secrets, userId: string): string | undefined =>
  maybeOpen(secrets, userIdLocation, userId);

/**
 * The proof that the browser of a sign-up stores. It is bound to `chosen`, the password or external login of that
 * sign-up. Otherwise an owner of the address could confirm a password that another person chose.
 */
export const browserProof = (secrets: Secrets, accountId: string, chosen: string): string =>
  secrets.seal(proofLocation, Buffer.from(digestOf(accountId, chosen))).toString('base64url');

export const isSameBrowser = (secrets: Secrets, proof: string | undefined, confirmation: Confirmation): boolean => {
  const chosen = confirmation.identity ?? confirmation.passwordHash;
  if (proof === undefined || chosen === undefined) return false;
  return maybeOpen(secrets, proofLocation, proof) === digestOf(confirmation.accountId, chosen);
};

const digestOf = (accountId: string, chosen: string) =>
  createHash('sha256').update(`${accountId} ${chosen}`).digest('hex');

function maybeOpen(secrets: Secrets, location: Parameters<Secrets['open']>[0], sealed: string): string | undefined {
  try {
    return secrets.open(location, Buffer.from(sealed, 'base64url')).toString();
  } catch {
    return undefined; // Invalid, or sealed for another purpose.
  }
}
