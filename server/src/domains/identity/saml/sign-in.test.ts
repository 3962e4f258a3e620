import { inflateRawSync } from 'node:zlib';
import { createClient } from '@sightline/contract/core/client.ts';
import { listIdentities } from '@sightline/contract/identity/identities.ts';
import { connectSaml, disconnectSaml, getSamlLogin, samlConnectionOf } from '@sightline/contract/identity/saml.ts';
import { listAudit } from '@sightline/contract/organization/audit.ts';
import { updateOrganizationSecurity } from '@sightline/contract/organization/organization-security.ts';
import { getOrganization } from '@sightline/contract/organization/organizations.ts';
import { createSigningKey, type SigningKey } from '@sightline/sandbox/saml/certificate.ts';
import { metadataXml, signedResponse } from '@sightline/sandbox/saml/response.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { refusalOf, startTestServer, type TestServer } from '#testing/server.ts';
import { operatorCliOf } from '../../../cli/testing/in-process.ts';
import { authorize, type Browser, openBrowser } from '../authentication/testing/browser.ts';
import { password, setTestPassword, tokensOf } from '../authentication/testing/people.ts';
import { addAuthenticatorApp, openSession } from '../second-factors/testing/session.ts';

const idp = 'https://idp.corp.example/metadata';
let server: TestServer;
let key: SigningKey;
beforeAll(async () => {
  [server, key] = await Promise.all([startTestServer({ jobs: true }), createSigningKey('idp')]);
});
afterAll(() => server?.close());

let scenes = 0;
/** An organization with a verified domain and a SAML login, whose members must use it. */
async function makeScene() {
  scenes += 1;
  const domain = `corp${scenes}.example`;
  const org = await server.make.organization();
  await setTestPassword(server, org.owner);
  await addAuthenticatorApp(await openSession(server, org.owner));
  const call = server.as(org.owner, org.id);
  await operatorCliOf(server).ask('org', 'verify-domain', org.id, domain);
  const metadata = { xml: metadataXml(idp, 'https://idp.corp.example/sso', key) };
  const login = await call(connectSaml, { body: { label: 'Corp', metadata, groupsAttribute: null } });
  const connection = samlConnectionOf(org.id);
  const ssoConnection = connection;
  await call(updateOrganizationSecurity, { body: { ssoConnection, breakGlassOwners: [org.owner.id] } });
  const member = await server.make.member(org.id, 'rol_reviewer');
  const email = `mia@${domain}`;
  await server.services.database.global(({ db }) =>
    db.updateTable('account').set({ email }).where('id', '=', member.id).execute(),
  );
  return { org, domain, call, login, connection, member: { ...member, email } };
}
type Scene = Awaited<ReturnType<typeof makeScene>>;

/** Begins a sign-in and returns what the identity provider receives. */
async function begin({ org, connection }: Scene, browser: Browser) {
  const at = await browser.get(authorize(server, { organization: org.id, connection, prompt: 'login' }).url);
  expect(at.url.origin).toBe('https://idp.corp.example');
  const xml = inflateRawSync(Buffer.from(at.url.searchParams.get('SAMLRequest') ?? '', 'base64')).toString();
  return { requestId: /ID="([^"]+)"/.exec(xml)?.[1] ?? '', state: at.url.searchParams.get('RelayState') ?? '' };
}

const responseFor = ({ login }: Scene, requestId: string, email: string, nameId = email): string =>
  signedResponse(
    {
      issuer: idp,
      audience: login.service.entityId,
      recipient: login.service.callbackUrl,
      inResponseTo: requestId,
      nameId,
      attributes: { email, displayName: 'Mia Corp' },
    },
    key,
  );

/** Posts a response as another site does: without the cookies of this one. Returns where the browser goes. */
async function post(connection: string, xml: string, state: string): Promise<{ status: number; location: string }> {
  const answer = await fetch(`${server.url}/oidc/upstream/${connection}/acs`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: 'https://idp.corp.example' },
    body: new URLSearchParams({ SAMLResponse: Buffer.from(xml).toString('base64'), RelayState: state }),
  });
  return { status: answer.status, location: answer.headers.get('location') ?? '' };
}

/** Signs in completely. Returns the last page. */
async function signIn(scene: Scene, browser: Browser, email: string, nameId?: string) {
  const { requestId, state } = await begin(scene, browser);
  const { location } = await post(scene.connection, responseFor(scene, requestId, email, nameId), state);
  return browser.get(location);
}

test('connects by metadata, requires the provider, and signs a member in who proved the account once', async () => {
  const scene = await makeScene();
  const { org, call, connection, member } = scene;
  await setTestPassword(server, member);
  const first = openBrowser(server);
  const proof = await signIn(scene, first, member.email);
  await first.submit(proof, { email: member.email, password });
  const browser = openBrowser(server);
  const back = await signIn(scene, browser, member.email);
  expect(back.url.searchParams.get('code')).toBeTruthy();
  const { access_token: token } = await tokensOf(server, browser, { organization: org.id });
  const asMember = createClient({ baseUrl: `${server.url}/api`, token: () => token });
  expect(await asMember(getOrganization, {})).toMatchObject({ id: org.id });
  expect((await asMember(listIdentities, {})).map((one) => one.connection)).toContain(connection);
  expect((await call(getSamlLogin, {})).login).toMatchObject({
    label: 'Corp',
    entityId: idp,
    lastSignInAt: expect.any(String),
  });
  const { entries } = await call(listAudit, {});
  expect(entries.map(({ action }) => action)).toContain('saml.connected');
  expect(await refusalOf(call(disconnectSaml, {}))).toMatchObject({ status: 409 });
  await call(updateOrganizationSecurity, { body: { ssoConnection: null, breakGlassOwners: [] } });
  await call(disconnectSaml, {});
  expect((await refusalOf(asMember(getOrganization, {}))).status).toBe(401);
});

test('refuses a response twice, of another sign-in, of another organization, and without a sign-in', async () => {
  const [scene, other] = [await makeScene(), await makeScene()];
  const { connection, member } = scene;
  const browser = openBrowser(server);
  const { requestId, state } = await begin(scene, browser);
  const xml = responseFor(scene, requestId, member.email);
  expect((await post(other.connection, xml, state)).status).toBe(400);
  expect((await post(connection, xml, 'never-begun')).status).toBe(400);
  const first = await post(connection, xml, state);
  // Another browser cannot complete it.
  expect((await openBrowser(server).get(first.location)).status).toBe(400);
  await browser.get(first.location);
  expect((await browser.get(first.location)).status).toBe(400);
  expect((await post(connection, xml, state)).status).toBe(400);
  const again = await begin(scene, browser);
  const replayed = await post(connection, xml, again.state);
  expect((await browser.get(replayed.location)).text).toContain('Corp');
  expect((await browser.get(replayed.location)).url.searchParams.has('code')).toBe(false);
});

test('gives no access to an account with an address of another domain', async () => {
  const scene = await makeScene();
  const { connection, domain } = scene;
  const victim = await server.make.account('Victim');
  // As if the login had been connected before the address of the account changed.
  const nameId = 'victim';
  const first = openBrowser(server);
  await signIn(scene, first, `new@${domain}`, nameId);
  await server.services.database.global(({ db }) =>
    db.updateTable('account_identity').set({ account_id: victim.id }).where('connection', '=', connection).execute(),
  );
  const back = await signIn(scene, openBrowser(server), `new@${domain}`, nameId);
  expect(back.url.searchParams.has('code')).toBe(false);
  expect(back.text).toContain('No Sightline account has this Corp login.');
});

test('another organization cannot require the provider', async () => {
  const [{ connection }, { org, call }] = [await makeScene(), await makeScene()];
  const body = { ssoConnection: connection, breakGlassOwners: [org.owner.id] };
  expect(await refusalOf(call(updateOrganizationSecurity, { body }))).toMatchObject({ status: 400 });
});

test('publishes metadata with its certificate, and no key', async () => {
  const { login } = await makeScene();
  const path = new URL(login.service.metadataUrl).pathname;
  const xml = await (await fetch(`${server.url}${path}`)).text();
  expect(xml).toContain(login.service.callbackUrl);
  expect(xml).toContain('AuthnRequestsSigned="true"');
  expect(xml).toContain('X509Certificate');
  expect(xml).not.toContain('PRIVATE');
});

test('refuses metadata that cannot be used, and needs a verified domain', async () => {
  const { call } = await makeScene();
  const xml = metadataXml(idp, 'https://idp.corp.example/sso', key);
  for (const bad of [
    '<x/>',
    xml.replace('https://idp.corp.example/sso', 'http://idp.corp.example/sso'),
    xml.replace('https://idp.corp.example/sso', 'javascript:alert(1)'),
    xml.replace('https://idp.corp.example/sso', 'https://user:pw@idp.corp.example/sso'),
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
