import { createClient } from '@sightline/contract/core/client.ts';
import { startLink } from '@sightline/contract/identity/identities.ts';
import { connectSaml } from '@sightline/contract/identity/saml.ts';
import { beginTotp } from '@sightline/contract/identity/second-factors.ts';
import { getOrganization } from '@sightline/contract/organization/organizations.ts';
import { listJobQueues } from '@sightline/contract/platform/operator.ts';
import { createSigningKey, type SigningKey } from '@sightline/sandbox/saml/certificate.ts';
import { metadataXml, signedResponse } from '@sightline/sandbox/saml/response.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refusalOf, shareTestServer, type TestServer } from '#testing/server.ts';
import { authorize, openBrowser } from '../authentication/testing/browser.ts';
import { makePerson, password, setTestPassword, signedIn, tokensOf } from '../authentication/testing/people.ts';
import {
  connectMember,
  factsOf,
  idp,
  join,
  makeSamlScene,
  postResponse,
  requestAt,
  type SamlScene,
  signInBySaml,
  signInUrl,
} from './testing/scene.ts';

/*
 * What an organization with its own identity provider could try: it signs whatever it wants, for its own login. It must
 * never act as a member of another organization.
 */

let server: TestServer;
let key: SigningKey;
beforeAll(async () => {
  [server, key] = await Promise.all([shareTestServer({ jobs: true }), createSigningKey('idp')]);
});
afterAll(() => server?.close());

const callAs = (token: string | undefined) => createClient({ baseUrl: `${server.url}/api`, token: () => token });

/** A member of the organization with the login who is a member of another organization too. */
async function makeSharedMember() {
  const scene = await makeSamlScene(server, key);
  const other = await server.make.organization('Other');
  await join(server, other.id, scene.member, 'rol_reviewer');
  await connectMember(scene);
  const browser = openBrowser(server);
  await signInBySaml(scene, browser, scene.member);
  return { scene, other, browser };
}

const tokenOf = async (scene: SamlScene, browser = openBrowser(server)) => {
  await signInBySaml(scene, browser, scene.member);
  return (await tokensOf(server, browser, { organization: scene.org.id })).access_token;
};

test('a session of the login does not enter another organization of the member; another sign-in does', async () => {
  const { scene, other, browser } = await makeSharedMember();
  const page = await browser.get(authorize(server, { organization: other.id }).url);
  expect(page.url.searchParams.has('code')).toBe(false);
  expect(page.text).toContain('You signed in with the identity provider of another organization.');
  const silent = await browser.get(authorize(server, { organization: other.id, prompt: 'none' }).url);
  expect(silent.url.searchParams.get('error')).toBe('login_required');
  const back = await browser.submit(page, { email: scene.member.email, password });
  expect(back.url.searchParams.get('code')).toBeTruthy();
  const { access_token: token } = await tokensOf(server, browser, { organization: other.id });
  expect(await callAs(token)(getOrganization, {})).toMatchObject({ id: other.id });
});

test('a sign-in to another organization with the login ends on the sign-in page', async () => {
  const { scene, other } = await makeSharedMember();
  const back = await signInBySaml(scene, openBrowser(server), scene.member, { organization: other.id });
  expect(back.url.searchParams.has('code')).toBe(false);
  expect(back.text).toContain('You signed in with the identity provider of another organization.');
});

test('a session of the login adds no sign-in method while the account belongs to another organization too', async () => {
  const { scene, other } = await makeSharedMember();
  const call = callAs(await tokenOf(scene));
  expect(await refusalOf(call(beginTotp, {}))).toMatchObject({ status: 403, code: 'forbidden' });
  expect(await refusalOf(call(startLink, { body: { connection: 'github' } }))).toMatchObject({ code: 'forbidden' });
  await server.services.database.withOrg(other.id, ({ db }) =>
    db.deleteFrom('member').where('org_id', '=', other.id).where('account_id', '=', scene.member.id).execute(),
  );
  await call(beginTotp, {});
});

test('a session of the login has no powers of an operator', async () => {
  const scene = await makeSamlScene(server, key);
  await connectMember(scene);
  await server.services.database.global(({ db }) =>
    db.updateTable('account').set({ is_operator: true }).where('id', '=', scene.member.id).execute(),
  );
  expect(await refusalOf(callAs(await tokenOf(scene))(listJobQueues, {}))).toMatchObject({ status: 403 });
  const { access_token: token } = await tokensOf(server, await signedIn(server, scene.member));
  await callAs(token)(listJobQueues, {});
});

test('the login does not prove an account that another one is merged into', async () => {
  const scene = await makeSamlScene(server, key);
  await connectMember(scene);
  const attacker = await makePerson(server);
  const browser = await signedIn(server, attacker);
  const { access_token: token } = await tokensOf(server, browser);
  const { url } = await callAs(token)(startLink, { body: { connection: 'Username-Password-Authentication' } });
  const page = await browser.get(url);
  const uid = /interaction\/([^/?"]+)/.exec(page.text)?.[1] ?? '';
  const request = requestAt(await browser.get(`/oidc/interaction/${uid}/upstream/${scene.login.connection}`));
  const xml = signedResponse(factsOf(scene, request.requestId, scene.member), key);
  const { location } = await postResponse(scene, xml, request.state);
  const back = await browser.get(location);
  expect(back.text).toContain('No Sightline account has this Corp login.');
  expect(back.text).not.toContain('Merge');
});

test('gives no access to an account with an address of another domain', async () => {
  const scene = await makeSamlScene(server, key);
  const victim = await server.make.account('Victim');
  // As if the login had been connected before the address of the account changed.
  const person = { email: `new@${scene.domain}`, nameId: 'victim' };
  await signInBySaml(scene, openBrowser(server), person);
  await server.services.database.global(({ db }) =>
    db
      .updateTable('account_identity')
      .set({ account_id: victim.id })
      .where('connection', '=', scene.login.connection)
      .execute(),
  );
  const back = await signInBySaml(scene, openBrowser(server), person);
  expect(back.url.searchParams.has('code')).toBe(false);
  expect(back.text).toContain('No Sightline account has this Corp login.');
});

test('connects to an account of its domain only after the member proves it', async () => {
  const scene = await makeSamlScene(server, key);
  await setTestPassword(server, scene.member);
  const back = await signInBySaml(scene, openBrowser(server), scene.member);
  expect(back.url.searchParams.has('code')).toBe(false);
  expect(back.text).toContain('password');
});

describe('another organization', () => {
  test('cannot require the provider', async () => {
    const [{ login }, other] = [await makeSamlScene(server, key), await makeSamlScene(server, key)];
    expect(await refusalOf(other.require(login.connection))).toMatchObject({ status: 400 });
  });

  test('with the same identity provider and the same names reaches its own accounts only', async () => {
    const victim = await makeSamlScene(server, key);
    await connectMember(victim);
    const attacker = await makeSamlScene(server, key);
    const person = { email: `eve@${attacker.domain}`, nameId: victim.member.email };
    const browser = openBrowser(server);
    const back = await signInBySaml(attacker, browser, person);
    // A new account is no member.
    expect(back.url.searchParams.get('error')).toBe('access_denied');
    const { access_token: token } = await tokensOf(server, browser);
    const accounts = await server.services.database.global(({ db }) =>
      db
        .selectFrom('account_session as s')
        .innerJoin('account as a', 'a.id', 's.account_id')
        .select('a.email')
        .where('s.connection', '=', attacker.login.connection)
        .execute(),
    );
    expect(token).toBeTruthy();
    expect(accounts).toEqual([{ email: person.email }]);
    // An address of the other domain is refused before any account is looked up.
    const foreign = await signInBySaml(attacker, openBrowser(server), { email: victim.member.email });
    expect(foreign.text).toContain('The response of Corp was not accepted.');
  });

  test('cannot use a response that was made for this one', async () => {
    const [scene, attacker] = [await makeSamlScene(server, key), await makeSamlScene(server, key)];
    await connectMember(scene);
    // The attacker posts a response of the victim's login to the own one, with a sign-in that began there.
    const browser = openBrowser(server);
    const request = requestAt(
      await browser.get(
        authorize(server, {
          organization: attacker.org.id,
          connection: attacker.login.connection,
          prompt: 'login',
        }).url,
      ),
    );
    const xml = signedResponse(factsOf(scene, request.requestId, scene.member), key);
    const { location } = await postResponse(attacker, xml, request.state);
    expect((await browser.get(location)).text).toContain('The response of Corp was not accepted.');
  });
});

test('ends the sessions of the login when another identity provider replaces it', async () => {
  const scene = await makeSamlScene(server, key);
  await connectMember(scene);
  const call = callAs(await tokenOf(scene));
  await call(getOrganization, {});
  const xml = metadataXml(`${idp}/new`, signInUrl, key);
  await scene.call(connectSaml, { body: { label: 'Corp', metadata: { xml }, groupsAttribute: null } });
  expect(await refusalOf(call(getOrganization, {}))).toMatchObject({ status: 401 });
});
