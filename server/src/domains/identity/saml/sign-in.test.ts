import { createHash } from 'node:crypto';
import { createClient } from '@sightline/contract/core/client.ts';
import { listIdentities } from '@sightline/contract/identity/identities.ts';
import { connectSaml, disconnectSaml, getSamlLogin, type SamlProblem } from '@sightline/contract/identity/saml.ts';
import { listAudit } from '@sightline/contract/organization/audit.ts';
import { updateGroupRoles } from '@sightline/contract/organization/directory.ts';
import { listMembers } from '@sightline/contract/organization/members.ts';
import { updateOrganizationSecurity } from '@sightline/contract/organization/organization-security.ts';
import { getOrganization } from '@sightline/contract/organization/organizations.ts';
import { createSigningKey, type SigningKey } from '@sightline/sandbox/saml/certificate.ts';
import { metadataXml, signedResponse } from '@sightline/sandbox/saml/response.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ATTEMPT_LIMITS } from '#core/attempts.ts';
import { refusalOf, shareTestServer, startTestServer, type TestServer } from '#testing/server.ts';
import { authorize, openBrowser } from '../authentication/testing/browser.ts';
import { tokensOf } from '../authentication/testing/people.ts';
import {
  begin,
  complete,
  connectMember,
  factsOf,
  idp,
  join,
  makeSamlScene,
  postResponse,
  requestAt,
  signInBySaml,
  signInUrl,
} from './testing/scene.ts';

let server: TestServer;
let key: SigningKey;
let otherKey: SigningKey;
beforeAll(async () => {
  [server, key, otherKey] = await Promise.all([
    shareTestServer({ jobs: true }),
    createSigningKey('idp'),
    createSigningKey('other'),
  ]);
});
afterAll(() => server?.close());

test('connects by metadata, requires the provider, and signs a member in who proved the account once', async () => {
  const scene = await makeSamlScene(server, key);
  const { org, call, login, member } = scene;
  await scene.require();
  await connectMember(scene);
  const browser = openBrowser(server);
  const back = await signInBySaml(scene, browser, member);
  expect(back.url.searchParams.get('code')).toBeTruthy();
  const { access_token: token } = await tokensOf(server, browser, { organization: org.id });
  const asMember = createClient({ baseUrl: `${server.url}/api`, token: () => token });
  expect(await asMember(getOrganization, {})).toMatchObject({ id: org.id });
  expect((await asMember(listIdentities, {})).map((one) => one.connection)).toContain(login.connection);
  expect((await call(getSamlLogin, {})).login).toMatchObject({
    label: 'Corp',
    entityId: idp,
    lastSignInAt: expect.any(String),
    problem: null,
  });
  const { entries } = await call(listAudit, {});
  expect(entries.map(({ action }) => action)).toContain('saml.connected');
  expect(await refusalOf(call(disconnectSaml, {}))).toMatchObject({ status: 409 });
  await call(updateOrganizationSecurity, { body: { ssoConnection: null, breakGlassOwners: [] } });
  await call(disconnectSaml, {});
  expect((await refusalOf(asMember(getOrganization, {}))).status).toBe(401);
});

test('follows a new certificate: first beside the old one, then alone', async () => {
  const scene = await makeSamlScene(server, key);
  const { call, member } = scene;
  await connectMember(scene);
  const importKeys = (...keys: SigningKey[]) =>
    call(connectSaml, {
      body: { label: 'Corp', metadata: { xml: metadataXml(idp, signInUrl, ...keys) }, groupsAttribute: null },
    });
  const codeWith = async (signer: SigningKey) =>
    (await signInBySaml({ ...scene, key: signer }, openBrowser(server), member)).url.searchParams.has('code');
  expect(await codeWith(otherKey)).toBe(false);
  expect((await call(getSamlLogin, {})).login?.problem).toMatchObject({ reason: 'signature' satisfies SamlProblem });
  await importKeys(key, otherKey);
  expect((await call(getSamlLogin, {})).login?.problem).toBeNull();
  expect([await codeWith(key), await codeWith(otherKey)]).toEqual([true, true]);
  await importKeys(otherKey);
  expect([await codeWith(key), await codeWith(otherKey)]).toEqual([false, true]);
});

test('changes name and options without new metadata', async () => {
  const { call, login } = await makeSamlScene(server, key);
  const body = { label: 'New', metadata: null, groupsAttribute: 'groups', startsAtProvider: true };
  expect(await call(connectSaml, { body })).toMatchObject({
    label: 'New',
    entityId: login.entityId,
    certificates: login.certificates,
    groupsAttribute: 'groups',
    startsAtProvider: true,
  });
  await call(disconnectSaml, {});
  expect(await refusalOf(call(connectSaml, { body }))).toMatchObject({ status: 400 });
});

test('refuses a response twice, of another sign-in, of another organization, and without a sign-in', async () => {
  const [scene, other] = [await makeSamlScene(server, key), await makeSamlScene(server, key)];
  const { member } = scene;
  const browser = openBrowser(server);
  const { requestId, state } = await begin(scene, browser);
  const xml = signedResponse(factsOf(scene, requestId, member), key);
  expect((await postResponse(other, xml, state)).status).toBe(400);
  expect((await postResponse(scene, xml, 'never-begun')).status).toBe(400);
  expect((await postResponse(scene, xml, undefined)).status).toBe(400);
  const first = await postResponse(scene, xml, state);
  // Another browser cannot complete it.
  expect((await openBrowser(server).get(first.location)).status).toBe(400);
  await browser.get(first.location);
  expect((await browser.get(first.location)).status).toBe(400);
  expect((await postResponse(scene, xml, state)).status).toBe(400);
  const again = await begin(scene, browser);
  const replayed = await postResponse(scene, xml, again.state);
  const page = await browser.get(replayed.location);
  expect(page.text).toContain('The response of Corp was not accepted.');
  expect(page.url.searchParams.has('code')).toBe(false);
});

test('accepts a response once, also if two servers receive it at the same time', async () => {
  const second = await startTestServer({ beside: server });
  try {
    const scene = await makeSamlScene(server, key);
    await connectMember(scene);
    const browser = openBrowser(server);
    const { requestId, state } = await begin(scene, browser);
    const xml = signedResponse(factsOf(scene, requestId, scene.member), key);
    const { location } = await postResponse(scene, xml, state);
    const cookie = [...browser.cookies].map(([name, { value }]) => `${name.split(' ')[0]}=${value}`).join('; ');
    const answers = await Promise.all(
      [0, 1, 2, 3, 4, 5, 6, 7].map(async (index) => {
        const { pathname, search } = new URL(location, server.url);
        const { url } = index % 2 === 0 ? server : second;
        return (await fetch(`${url}${pathname}${search}`, { redirect: 'manual', headers: { cookie } })).status;
      }),
    );
    expect(answers.toSorted((a, b) => a - b)).toEqual([303, ...Array<number>(7).fill(400)]);
  } finally {
    await second.close();
  }
});

test('begins a sign-in for the portal of the provider, if an owner allows it, and never uses its response', async () => {
  const scene = await makeSamlScene(server, key, { startsAtProvider: true });
  await connectMember(scene);
  const facts = factsOf(scene, '', scene.member);
  const { status, location } = await postResponse(scene, signedResponse(facts, key), undefined);
  expect({ status, location }).toEqual({ status: 303, location: scene.login.startUrl });
  expect(location).not.toContain('code');
});

test('receives a response that is larger than other forms, and refuses one above its limit', async () => {
  const scene = await makeSamlScene(server, key, { groupsAttribute: 'groups' });
  await connectMember(scene);
  const browser = openBrowser(server);
  const groups = Array.from({ length: 1_000 }, (_, index) => `A group of the company with a long name ${index}`);
  const back = await signInBySaml(scene, browser, { ...scene.member, groups });
  expect(back.url.searchParams.get('code')).toBeTruthy();
  const { state } = await begin(scene, browser);
  expect((await postResponse(scene, 'x'.repeat(160_000), state)).status).toBe(400);
  expect((await postResponse(scene, 'x'.repeat(400_000), state)).status).toBe(413);
});

test('groups give roles in the organization of the login only', async () => {
  const [scene, other] = [
    await makeSamlScene(server, key, { groupsAttribute: 'groups' }),
    await makeSamlScene(server, key),
  ];
  const { call, member } = scene;
  const roles = [{ group: 'Security', roleId: 'rol_reviewer' as const }];
  await call(updateGroupRoles, { body: { roles } });
  await other.call(updateGroupRoles, { body: { roles: [{ group: 'Security', roleId: 'rol_owner' }] } });
  await join(server, other.org.id, member, 'rol_auditor');
  await connectMember(scene);
  await signInBySaml(scene, openBrowser(server), { ...member, groups: ['Staff', 'Security'] });
  const roleIn = async ({ call: ask }: typeof scene) =>
    (await ask(listMembers, { query: { search: member.email } })).rows[0]?.role?.id;
  expect(await roleIn(scene)).toBe('rol_reviewer');
  expect(await roleIn(other)).toBe('rol_auditor');
  await signInBySaml(scene, openBrowser(server), { ...member, groups: ['Staff'] });
  expect(await roleIn(scene)).toBe('rol_contributor');
});

test('tests the login without a sign-in, and shows why a response is refused', async () => {
  const scene = await makeSamlScene(server, key, { groupsAttribute: 'groups' });
  const path = new URL(scene.login.testUrl).pathname;
  const browser = openBrowser(server);
  const person = { email: `new@${scene.domain}`, groups: ['Staff'] };
  const page = await complete(scene, browser, requestAt(await browser.get(path)), person);
  expect(page.text).toContain(`Mia Corp, new@${scene.domain}`);
  expect(page.text).toContain('Groups: Staff.');
  expect((await tokensOf(server, browser)).access_token).toBeUndefined();
  const failed = await complete(scene, browser, requestAt(await browser.get(path)), { email: 'a@elsewhere.example' });
  expect(failed).toMatchObject({ status: 400, text: expect.stringContaining('not in a verified domain') });
  const { login } = await scene.call(getSamlLogin, {});
  expect(login).toMatchObject({ lastSignInAt: expect.any(String), problem: { reason: 'domain' } });
  const accounts = await server.services.database.global(({ db }) =>
    db.selectFrom('account').select('id').where('email', '=', person.email).execute(),
  );
  expect(accounts).toEqual([]);
});

test('finds the login by a work address on the sign-in page', async () => {
  const scene = await makeSamlScene(server, key);
  const browser = openBrowser(server);
  const signInPage = await browser.get(authorize(server).url);
  const [, href = ''] = /href="([^"]*screen=organization)"/.exec(signInPage.text) ?? [];
  const page = await browser.get(href);
  const none = await browser.submit(page, { email: 'a@elsewhere.example' });
  expect(none).toMatchObject({
    status: 400,
    text: expect.stringContaining('No organization has an identity provider'),
  });
  const found = await browser.submit(page, { email: `Anyone@${scene.domain.toUpperCase()}` });
  const [, to = ''] = /href="([^"]*\/upstream\/saml-[^"]*)"/.exec(found.text) ?? [];
  requestAt(await browser.get(to));
});

test('opens a sign-in for an organization that does not exist', async () => {
  for (const organization of ['none', '00000000-0000-4000-8000-000000000000'])
    expect((await openBrowser(server).get(authorize(server, { organization }).url)).status).toBeLessThan(500);
});

test('limits unauthenticated requests of one network', async () => {
  const { login } = await makeSamlScene(server, key);
  const at = `${server.url}${new URL(login.service.metadataUrl).pathname}`;
  expect((await fetch(at)).status).toBe(200);
  const { database } = server.services;
  const { name, most } = ATTEMPT_LIMITS.samlByNetwork;
  const counter = createHash('sha256').update(`${name}\n127.0.0.1`).digest();
  const setCount = (count: number) =>
    database.global(({ db }) => db.updateTable('attempt').set({ count }).where('key', '=', counter).execute());
  await setCount(most);
  expect((await fetch(at)).status).toBe(429);
  await setCount(0);
  expect((await fetch(at)).status).toBe(200);
});

test('publishes metadata with its certificate, and no key', async () => {
  const { login } = await makeSamlScene(server, key);
  const path = new URL(login.service.metadataUrl).pathname;
  const xml = await (await fetch(`${server.url}${path}`)).text();
  expect(xml).toContain(login.service.callbackUrl);
  expect(xml).toContain('AuthnRequestsSigned="true"');
  expect(xml).toContain('X509Certificate');
  expect(xml).not.toContain('PRIVATE');
});

test('refuses metadata that cannot be used, and needs a verified domain', async () => {
  const { call } = await makeSamlScene(server, key);
  const xml = metadataXml(idp, signInUrl, key);
  for (const bad of [
    '<x/>',
    xml.replace(signInUrl, 'http://idp.corp.example/sso'),
    xml.replace(signInUrl, 'javascript:alert(1)'),
    xml.replace(signInUrl, 'https://user:pw@idp.corp.example/sso'),
  ])
    expect(
      await refusalOf(call(connectSaml, { body: { label: 'X', metadata: { xml: bad }, groupsAttribute: null } })),
    ).toMatchObject({ status: 400 });
  const url = { url: 'https://10.0.0.8/metadata' };
  expect(
    await refusalOf(call(connectSaml, { body: { label: 'X', metadata: url, groupsAttribute: null } })),
  ).toMatchObject({ status: 400 });
  const plain = await server.make.organization();
  const body = { label: 'X', metadata: { xml }, groupsAttribute: null };
  expect(await refusalOf(server.as(plain.owner, plain.id)(connectSaml, { body }))).toMatchObject({ status: 409 });
});
