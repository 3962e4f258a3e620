import { createHash, randomBytes } from 'node:crypto';
import type { RoleId } from '@sightline/contract/core/permissions.ts';
import { expect, vi } from 'vitest';
import { newId } from '#core/ids.ts';
import type { TestAccount, TestServer } from '#testing/server.ts';
import { hashPassword } from '../passwords.ts';
import { authorize, type Browser, openBrowser, redeem, type Tokens } from './browser.ts';

export const password = 'correct horse battery';

let hash: Promise<string> | undefined;

/** Creates an account with a confirmed address and a password. */
export async function makePerson(server: TestServer, name?: string): Promise<TestAccount> {
  const account = await server.make.account(name);
  await setTestPassword(server, account);
  return account;
}

/** Sets the password of these tests for an account. */
export async function setTestPassword({ services }: TestServer, { id }: TestAccount): Promise<void> {
  hash ??= hashPassword(password, { PASSWORD_HASH_COST: 1024 });
  const known = { account_id: id, hash: await hash };
  await services.database.global(({ db }) => db.insertInto('account_password').values(known).execute());
}

/** A browser with a signed-in account. */
export async function signedIn(server: TestServer, account: TestAccount): Promise<Browser> {
  const browser = openBrowser(server);
  const page = await browser.get(authorize(server).url);
  const back = await browser.submit(page, { email: account.email, password });
  expect(back.url.searchParams.get('code')).toBeTruthy();
  return browser;
}

/** Requests tokens in a signed-in browser without a page. */
export async function tokensOf(
  server: TestServer,
  browser: Browser,
  extra: Record<string, string> = {},
  clientId?: string,
): Promise<Tokens> {
  const request = authorize(server, { ...(clientId !== undefined && { client_id: clientId }), ...extra });
  return redeem(server, request, await browser.get(request.url), clientId);
}

/** Creates an open invitation and returns the token of its email. */
export async function invite(
  { services }: TestServer,
  orgId: string,
  {
    email,
    roleId,
    changes = {},
  }: { email: string; roleId: RoleId; changes?: { expires_at?: Date; revoked_at?: Date } | undefined },
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await services.database.withOrg(orgId, ({ db }) =>
    db
      .insertInto('invitation')
      .values({
        org_id: orgId,
        id: newId(),
        email,
        role_id: roleId,
        token_hash: createHash('sha256').update(token).digest(),
        invited_by: newId(),
        expires_at: new Date(Date.now() + 7 * 86_400_000),
        ...changes,
      })
      .execute(),
  );
  return token;
}

/** Waits for the `count`-th email to an address and returns its text. */
export const waitForMail = ({ services }: TestServer, email: string, count = 1): Promise<string> =>
  vi.waitFor(
    async () => {
      const mails = await services.database.global(({ db }) =>
        db.selectFrom('mail').select('body_text').where('recipient', '=', email).orderBy('created_at').execute(),
      );
      expect(mails.length).toBeGreaterThanOrEqual(count);
      return mails[count - 1]?.body_text ?? '';
    },
    { timeout: 15_000, interval: 50 },
  );

/** The first link of an email. */
export const firstLinkOf = (mail: string): string => /https?:\/\/\S+/.exec(mail)?.[0] ?? '';
