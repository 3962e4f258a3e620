import { randomBytes } from 'node:crypto';
import { createClient } from '@sightline/contract/core/client.ts';
import { getAccount } from '@sightline/contract/identity/accounts.ts';
import { decodeProtectedHeader } from 'jose';
import { expect, test } from 'vitest';
import { startTestServer } from '#testing/server.ts';
import { authorize, openBrowser, redeem } from './testing/browser.ts';
import { makePerson, signedIn, tokensOf } from './testing/people.ts';

test('a restart keeps tokens, sessions and pending codes valid', async () => {
  const environment = { MASTER_KEY: randomBytes(32).toString('base64') };
  const before = await startTestServer({ environment });
  const person = await makePerson(before);
  const browser = await signedIn(before, person);
  const { access_token = '' } = await tokensOf(before, browser);
  const underWay = authorize(before);
  const back = await browser.get(underWay.url);
  await before.close();

  const after = await startTestServer({ environment, beside: before });
  try {
    const call = createClient({ baseUrl: `${after.url}/api`, token: () => access_token });
    expect(await call(getAccount, {})).toMatchObject({ nid: person.id });
    expect(await redeem(after, underWay, back)).toMatchObject({ status: 200 });

    const same = openBrowser(after);
    for (const [name, cookie] of browser.cookies) same.cookies.set(name, cookie);
    const renewed = await tokensOf(after, same, { prompt: 'none' });
    expect(decodeProtectedHeader(renewed.access_token ?? '').kid).toBe(decodeProtectedHeader(access_token).kid);
  } finally {
    await after.close();
  }
});
