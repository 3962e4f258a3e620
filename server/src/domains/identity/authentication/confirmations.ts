import { createHash } from 'node:crypto';
import type { Secrets } from '#core/secrets.ts';
import type { Tx } from '#database/database.ts';
import { consumeLink, type LinkOwner, maybeLink } from './links.ts';
import { pendingById } from './upstream/pending.ts';

export interface Confirmation extends LinkOwner {
  /** The ticket of the invitation the person signed up for. */
  ticket: string | undefined;
  /** The login of others it was begun with, kept until the address is proved. */
  identity: string | undefined;
}

/**
 * What a confirmation link stands for while it can still be used: the address is not confirmed yet, and the upstream
 * identity that it was requested with still waits.
 */
export const maybeConfirmation = async (tx: Tx, token: string): Promise<Confirmation | undefined> =>
  usable(tx, await maybeLink(tx, 'EmailConfirmation', token));

/** Uses a confirmation link up; undefined when it no longer works. */
export const consumeConfirmation = async (tx: Tx, token: string): Promise<Confirmation | undefined> =>
  usable(tx, await consumeLink(tx, 'EmailConfirmation', token));

async function usable(tx: Tx, link: LinkOwner | undefined): Promise<Confirmation | undefined> {
  if (!link || link.verified) return undefined;
  const { ticket, identity } = link.payload as { ticket?: string; identity?: string };
  if (identity !== undefined && !(await pendingById(tx, identity))) return undefined;
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
