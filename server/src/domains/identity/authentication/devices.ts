import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hostCookie, hostCookieOptions } from '#core/cookies.ts';
import type { Database } from '#database/database.ts';

const nonceBytes = 16;
/** As long as browsers keep a cookie. */
const cookieSeconds = 400 * 86_400;
const MAX_ACCOUNTS_PER_BROWSER = 5;

/** The account whose password is guessed. */
export interface GuessedAccount {
  id: string;
  passwordHash: string;
}

/** Names the browser, if it signed in to the account before; undefined for every other. */
export type FindDevice = (account: GuessedAccount) => string | undefined;

/**
 * Browsers that signed in before (OWASP's device cookies). The cookie proves nothing but that: it keeps a browser apart
 * from the guesses of others, and the owner of the account hears of a browser without it. It ends with the password.
 */
export interface Devices {
  finderFor: (request: FastifyRequest) => FindDevice;
  /** Answers whether the browser signed in to the account before. */
  remember: (request: FastifyRequest, reply: FastifyReply, accountId: string) => Promise<boolean>;
}

/** Signs with the first of the keys; cookies of an older key still count. */
export function createDevices(
  database: Database,
  keysOfNow: () => readonly [string, ...string[]],
  secure: boolean,
): Devices {
  const cookie = hostCookie('sightline_device', secure);
  const sign = (key: string, nonce: string, { id, passwordHash }: GuessedAccount) =>
    createHmac('sha256', key).update(`device ${nonce} ${id} ${passwordHash}`).digest();
  const isSigned = (entry: string, account: GuessedAccount) => {
    const [nonce = '', signature = ''] = entry.split('.');
    const given = Buffer.from(signature, 'base64url');
    return keysOfNow().some((key) => {
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
      const entry = `${nonce}.${sign(keysOfNow()[0], nonce, account).toString('base64url')}`;
      const kept = [entry, ...entries.filter((other) => other !== known)].slice(0, MAX_ACCOUNTS_PER_BROWSER);
      reply.setCookie(cookie, kept.join('~'), { ...hostCookieOptions(secure), maxAge: cookieSeconds });
      return known !== undefined;
    },
  };
}
