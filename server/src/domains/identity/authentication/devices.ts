import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hostCookieName, hostCookieOptions } from '#core/cookies.ts';
import type { Database } from '#database/database.ts';

const nonceBytes = 16;
/** The maximum lifetime of a cookie in browsers. */
const cookieSeconds = 400 * 86_400;
const MAX_ACCOUNTS_PER_BROWSER = 5;

/** The account of a password attempt. */
export interface GuessedAccount {
  id: string;
  passwordHash: string;
}

/** Returns the ID of the browser if it signed in to the account before; otherwise undefined. */
export type FindDevice = (account: GuessedAccount) => string | undefined;

/**
 * Recognizes browsers that signed in before (device cookies according to OWASP). The cookie is not a credential. It
 * separates the rate limit of a known browser from attempts of others, and a sign-in without it notifies the owner of
 * the account. It becomes invalid when the password changes.
 */
export interface Devices {
  finderFor: (request: FastifyRequest) => FindDevice;
  /** Remembers the browser. Returns whether it signed in to the account before. */
  remember: (request: FastifyRequest, reply: FastifyReply, accountId: string) => Promise<boolean>;
}

/** Signs cookies with the first key. Cookies of older keys remain valid. */
export function createDevices(
  database: Database,
  currentKeys: () => readonly [string, ...string[]],
  secure: boolean,
): Devices {
  const cookie = hostCookieName('sightline_device', secure);
  const sign = (key: string, nonce: string, { id, passwordHash }: GuessedAccount) =>
    createHmac('sha256', key).update(`device ${nonce} ${id} ${passwordHash}`).digest();
  const isSigned = (entry: string, account: GuessedAccount) => {
    const [nonce = '', signature = ''] = entry.split('.');
    const given = Buffer.from(signature, 'base64url');
    return currentKeys().some((key) => {
      const expected = sign(key, nonce, account);
      return expected.length === given.length && timingSafeEqual(expected, given);
    });
  };
  const entriesOf = ({ cookies }: FastifyRequest) =>
    (cookies[cookie] ?? '').split('~').filter(Boolean).slice(0, MAX_ACCOUNTS_PER_BROWSER);
  return {
    finderFor: (request) => (account) =>
      entriesOf(request)
        .find((entry) => isSigned(entry, account))
        ?.split('.')[0],
    async remember(request, reply, accountId) {
      const row = await database.global(({ db }) =>
        db.selectFrom('account_password').select('hash').where('account_id', '=', accountId).executeTakeFirst(),
      );
      const account = { id: accountId, passwordHash: row?.hash ?? '' };
      const entries = entriesOf(request);
      const known = entries.find((entry) => isSigned(entry, account));
      const nonce = known?.split('.')[0] ?? randomBytes(nonceBytes).toString('base64url');
      const entry = `${nonce}.${sign(currentKeys()[0], nonce, account).toString('base64url')}`;
      const remembered = [entry, ...entries.filter((other) => other !== known)].slice(0, MAX_ACCOUNTS_PER_BROWSER);
      reply.setCookie(cookie, remembered.join('~'), { ...hostCookieOptions(secure), maxAge: cookieSeconds });
      return known !== undefined;
    },
  };
}
