import { X509Certificate } from 'node:crypto';
import { connectSaml, getSamlLogin } from '@sightline/contract/identity/saml.ts';
import { createSigningKey } from '@sightline/sandbox/saml/certificate.ts';
import { describe, expect, test } from 'vitest';
import { startTestServer } from '#testing/server.ts';
import { operatorCliOf } from '../../../cli/testing/in-process.ts';
import { authorize, openBrowser } from '../authentication/testing/browser.ts';
import {
  isSimpleSamlPhpAbsent,
  type SimpleSamlPhp,
  simpleSamlUser,
  startSimpleSamlPhp,
} from './testing/simplesamlphp.ts';

if (isSimpleSamlPhpAbsent)
  console.info('SimpleSAMLphp is not installed (package simplesamlphp), so its test is skipped.');

describe.skipIf(isSimpleSamlPhpAbsent)('SimpleSAMLphp', { tags: ['full'], timeout: 60_000 }, () => {
  test('receives signed requests, and its responses sign in with groups', async () => {
    const domain = 'corp.example';
    const email = `mia@${domain}`;
    const idp = await startSimpleSamlPhp(await createSigningKey('idp'), email);
    const server = await startTestServer({ destinations: [idp.url] });
    try {
      const org = await server.make.organization();
      const call = server.as(org.owner, org.id);
      await operatorCliOf(server).ask('org', 'verify-domain', org.id, domain);
      const metadata = { xml: await idp.metadata() };
      const login = await call(connectSaml, { body: { label: 'Corp', metadata, groupsAttribute: 'groups' } });
      expect(login).toMatchObject({ entityId: `${idp.url}/idp`, certificates: [expect.anything()] });
      const { service } = login;
      const own = await (await fetch(`${server.url}${new URL(service.metadataUrl).pathname}`)).text();
      const [, certificate = ''] = /<(?:ds:)?X509Certificate>([^<]+)</.exec(own) ?? [];
      const pem = new X509Certificate(Buffer.from(certificate.replace(/\s/g, ''), 'base64')).toString();
      await idp.register({ ...service, certificate: pem });

      const browser = openBrowser(server);
      const tested = await browser.get(new URL(login.testUrl).pathname);
      const test = await answerOf(idp, tested.url.href);
      const page = await browser.get(await post(server.url, service.callbackUrl, test));
      expect(page.text).toContain(`Mia Corp, ${email}`);
      expect(page.text).toContain(`Groups: ${simpleSamlUser.groups.join(', ')}.`);

      const params = { organization: org.id, connection: login.connection };
      const begun = await browser.get(authorize(server, params).url);
      const answer = await answerOf(idp, begun.url.href);
      const back = await browser.get(await post(server.url, service.callbackUrl, answer));
      // The account is new and no member yet.
      expect(back.url.searchParams.get('error')).toBe('access_denied');
      const identities = await server.services.database.global(({ db }) =>
        db.selectFrom('account_identity').select('subject').where('connection', '=', login.connection).execute(),
      );
      expect(identities).toEqual([{ subject: expect.stringMatching(new RegExp(`:${simpleSamlUser.id}$`)) }]);
      expect((await call(getSamlLogin, {})).login?.problem).toBeNull();

      const unsigned = new URL((await openBrowser(server).get(authorize(server, params).url)).url);
      for (const name of ['Signature', 'SigAlg']) unsigned.searchParams.delete(name);
      const refused = await fetch(unsigned);
      expect(await refused.text()).toContain('signature');
    } finally {
      await server.close();
      await idp.stop();
    }
  });
});

interface ResponseForm {
  SAMLResponse: string;
  RelayState: string;
}

/** Signs the user in at the identity provider, and returns the form that it posts to the service. */
async function answerOf({ url }: SimpleSamlPhp, requestUrl: string): Promise<ResponseForm> {
  const cookies = new Map<string, string>();
  const visit = async (target: string, body?: URLSearchParams): Promise<{ text: string; at: string }> => {
    const response = await fetch(target, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(body && { method: 'POST', body }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    return location === null ? { text: await response.text(), at: target } : visit(new URL(location, target).href);
  };
  const form = await visit(requestUrl);
  const authState = hiddenIn(form.text, 'AuthState');
  const body = new URLSearchParams({ username: simpleSamlUser.name, password: 'secret', AuthState: authState });
  const { text } = await visit(form.at, body);
  expect(form.at.startsWith(url)).toBe(true);
  return { SAMLResponse: hiddenIn(text, 'SAMLResponse'), RelayState: hiddenIn(text, 'RelayState') };
}

const hiddenIn = (page: string, name: string): string => {
  const [input = ''] = new RegExp(`<input[^>]*name="${name}"[^>]*>`).exec(page) ?? [];
  const [, value = ''] = /value="([^"]*)"/.exec(input) ?? [];
  expect(value, page).not.toBe('');
  return value
    .replace(/&#x([0-9a-f]+);/gi, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)))
    .replaceAll('&amp;', '&');
};

/** Posts the response as the page of the identity provider does. Returns where the browser goes. */
async function post(serverUrl: string, callbackUrl: string, answer: ResponseForm): Promise<string> {
  const response = await fetch(`${serverUrl}${new URL(callbackUrl).pathname}`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ ...answer }),
  });
  expect(response.status).toBe(303);
  return response.headers.get('location') ?? '';
}
