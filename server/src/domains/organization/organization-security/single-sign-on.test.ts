import { createClient } from '@sightline/contract/core/client.ts';
import {
  addOrganizationDomain,
  getOrganizationSecurity,
  removeOrganizationDomain,
  updateOrganizationSecurity,
  verifyOrganizationDomain,
} from '@sightline/contract/organization/organization-security.ts';
import { getOrganization } from '@sightline/contract/organization/organizations.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Tx } from '#database/database.ts';
import { refusalOf, type TestAccount, type TestServer } from '#testing/server.ts';
import { operatorCliOf } from '../../../cli/testing/in-process.ts';
import { authorize, type Browser, openBrowser } from '../../identity/authentication/testing/browser.ts';
import { type LoginScene, signInWith, startLogins } from '../../identity/authentication/testing/logins.ts';
import { password, setTestPassword, signedIn, tokensOf } from '../../identity/authentication/testing/people.ts';
import { addAuthenticatorApp, openSession, totpCodeOf } from '../../identity/second-factors/testing/session.ts';
import { startDns, type TestDns } from './testing/dns.ts';

let dns: TestDns;
let scene: LoginScene;
let server: TestServer;
beforeAll(async () => {
  dns = await startDns();
  scene = await startLogins(() => ({ DNS_SERVERS: dns.address }));
  server = scene.server;
});
afterAll(async () => {
  await scene?.close();
  dns?.close();
});

const callAs = (token: string | undefined) => createClient({ baseUrl: `${server.url}/api`, token: () => token });
const conflict = { status: 409, code: 'conflict' };

/** An organization whose owner has a password and a second factor. */
async function makeOrganization() {
  const org = await server.make.organization('Kestrel');
  await setTestPassword(server, org.owner);
  const { secret } = await addAuthenticatorApp(await openSession(server, org.owner));
  return { org, secret, call: server.as(org.owner, org.id) };
}

/** The same, with a verified domain and single sign-on with Acme. */
async function makeSsoOrganization(domain: string) {
  const created = await makeOrganization();
  const { org, call } = created;
  await operatorCliOf(server).ask('org', 'verify-domain', org.id, domain);
  await call(updateOrganizationSecurity, { body: { ssoConnection: 'acme', breakGlassOwners: [org.owner.id] } });
  return created;
}

/** A member who can also sign in with Acme, which confirms an email address. */
async function makeMember(orgId: string, login: string, email: string): Promise<TestAccount> {
  const member = await server.make.member(orgId, 'rol_contributor');
  await setTestPassword(server, member);
  const { services } = server;
  await services.database.global(async ({ db }) => {
    await db.updateTable('account').set({ email }).where('id', '=', member.id).execute();
  });
  const browser = openBrowser(server);
  const proof = await signInWith(server, { browser, connection: 'acme', user: { login, email } });
  await browser.submit(proof, { email, password });
  return { ...member, email };
}

const enter = (browser: Browser, orgId: string) => browser.get(authorize(server, { organization: orgId }).url);

test('verifies a domain by its TXT record', async () => {
  const { call } = await makeOrganization();
  const added = await call(addOrganizationDomain, { body: { domain: ' Kestrel.Example. ' } });
  const [{ record } = { record: { name: '', value: '' } }] = added.domains;
  expect(added.domains).toMatchObject([{ domain: 'kestrel.example', verifiedAt: null, verifiedBy: null }]);
  expect(record.name).toBe('_sightline.kestrel.example');
  const params = { domain: 'kestrel.example' };
  expect(await refusalOf(call(verifyOrganizationDomain, { params }))).toEqual(conflict);
  dns.records.set(record.name, ['v=spf1 -all', 'sightline-verification=another']);
  expect(await refusalOf(call(verifyOrganizationDomain, { params }))).toEqual(conflict);
  dns.records.set(record.name, ['v=spf1 -all', record.value]);
  const verified = await call(verifyOrganizationDomain, { params });
  expect(verified.domains).toMatchObject([{ domain: 'kestrel.example', verifiedBy: 'dns' }]);
  // Another organization has its own token.
  const other = await makeOrganization();
  await other.call(addOrganizationDomain, { body: params });
  expect(await refusalOf(other.call(verifyOrganizationDomain, { params }))).toEqual(conflict);
  for (const domain of ['com', 'a b.example', '-x.example', `${'a'.repeat(64)}.example`, 'x..example', '10.0.0.1'])
    expect([domain, (await refusalOf(call(addOrganizationDomain, { body: { domain } }))).status]).toEqual([
      domain,
      400,
    ]);
});

test('requires a verified domain and a break-glass owner for single sign-on, and prevents a lockout', async () => {
  const { org, call } = await makeOrganization();
  const on = { ssoConnection: 'acme', breakGlassOwners: [org.owner.id] };
  expect(await refusalOf(call(updateOrganizationSecurity, { body: on }))).toEqual(conflict);
  await operatorCliOf(server).ask('org', 'verify-domain', org.id, 'needs.example');
  expect(await refusalOf(call(updateOrganizationSecurity, { body: { ssoConnection: 'acme' } }))).toEqual(conflict);
  const weak = await server.make.member(org.id, 'rol_owner');
  const contributor = await server.make.member(org.id, 'rol_contributor');
  for (const { id } of [weak, contributor])
    expect(
      await refusalOf(call(updateOrganizationSecurity, { body: { ...on, breakGlassOwners: [org.owner.id, id] } })),
    ).toEqual(conflict);
  const unknown = call(updateOrganizationSecurity, { body: { ...on, ssoConnection: 'nowhere' } });
  expect(await refusalOf(unknown)).toEqual({ status: 400, code: 'validation_failed' });
  // An owner who is neither signed in with Acme nor a break-glass owner.
  const locked = server.as(weak, org.id)(updateOrganizationSecurity, { body: on });
  expect(await refusalOf(locked)).toEqual(conflict);
  expect(await call(updateOrganizationSecurity, { body: on })).toMatchObject({
    ssoConnection: 'acme',
    breakGlassOwners: [{ id: org.owner.id }],
  });
  const params = { domain: 'needs.example' };
  expect(await refusalOf(call(removeOrganizationDomain, { params }))).toEqual(conflict);
  expect(await refusalOf(call(updateOrganizationSecurity, { body: { breakGlassOwners: [] } }))).toEqual(conflict);
  await call(updateOrganizationSecurity, { body: { ssoConnection: null, breakGlassOwners: [] } });
  expect((await call(removeOrganizationDomain, { params })).domains).toEqual([]);
});

test('signs members in only with the login of the organization and an address of its domain', async () => {
  const { org } = await makeSsoOrganization('members.example');
  const member = await makeMember(org.id, 'mia', 'mia@members.example');
  const byPassword = await signedIn(server, member);
  // The first attempt redirects to Acme automatically.
  const at = await enter(byPassword, org.id);
  expect(at.url.origin).toBe(new URL(scene.sandbox.sandbox.issuer).origin);
  const silently = await byPassword.get(authorize(server, { organization: org.id, prompt: 'none' }).url);
  expect(silently.url.searchParams.get('error')).toBe('login_required');

  const browser = openBrowser(server);
  const page = await browser.get(authorize(server, { organization: org.id, screen_hint: 'signup' }).url);
  const form = await browser.get(page.url.pathname.concat('?screen=sign-in'));
  const refused = await browser.submit(form, { email: member.email, password });
  expect(refused.text).toContain('Your organization requires Acme and an address of members.example.');

  const good = openBrowser(server);
  const back = await signInWith(server, {
    browser: good,
    connection: 'acme',
    user: { login: 'mia', email: member.email },
    extra: { organization: org.id },
  });
  expect(back.url.searchParams.get('code')).toBeTruthy();
  const { access_token: token } = await tokensOf(server, good, { organization: org.id });
  expect(await callAs(token)(getOrganization, {})).toMatchObject({ id: org.id });
  // The login has an address of another domain since, so Acme no longer qualifies.
  const moved = openBrowser(server);
  const elsewhere = { login: 'mia', email: 'mia@elsewhere.example' };
  const out = await signInWith(server, {
    browser: moved,
    connection: 'acme',
    user: elsewhere,
    extra: { organization: org.id },
  });
  expect(out.text).toContain('requires Acme');
  await expect
    .poll(() => refusalOf(callAs(token)(getOrganization, {})), { timeout: 8_000 })
    .toEqual({ status: 401, code: 'unauthenticated' });
});

test('rejects a session that began before single sign-on was enabled', async () => {
  const { org, call } = await makeOrganization();
  const member = await server.make.member(org.id, 'rol_reviewer');
  await setTestPassword(server, member);
  const { access_token: token } = await tokensOf(server, await signedIn(server, member), { organization: org.id });
  expect(await callAs(token)(getOrganization, {})).toMatchObject({ id: org.id });
  await operatorCliOf(server).ask('org', 'verify-domain', org.id, 'late.example');
  await call(updateOrganizationSecurity, { body: { ssoConnection: 'acme', breakGlassOwners: [org.owner.id] } });
  expect(await refusalOf(callAs(token)(getOrganization, {}))).toEqual({ status: 401, code: 'unauthenticated' });
});

test('signs a break-glass owner in with password and second factor, and audits it', async () => {
  const { org, secret } = await makeSsoOrganization('glass.example');
  const browser = openBrowser(server);
  const page = await browser.get(authorize(server, {}).url);
  const factor = await browser.submit(page, { email: org.owner.email, password });
  expect((await browser.submit(factor, { code: totpCodeOf(secret, 1) })).url.searchParams.get('code')).toBeTruthy();
  const { access_token: token } = await tokensOf(server, browser, { organization: org.id });
  expect(await callAs(token)(getOrganizationSecurity, {})).toMatchObject({ ssoConnection: 'acme' });
  const entries = await server.services.database.withOrg(org.id, ({ db }) =>
    db.selectFrom('audit_event').select('action').where('org_id', '=', org.id).execute(),
  );
  expect(entries.map(({ action }) => action)).toContain('login.break_glass_used');
});

test('lets the operator disable single sign-on after a lockout', async () => {
  const { org, call } = await makeSsoOrganization('reset.example');
  await operatorCliOf(server).ask('org', 'reset-security', org.id);
  expect(await call(getOrganizationSecurity, {})).toMatchObject({ ssoConnection: null, allowedNetworks: [] });
});

test('requires single sign-on of a break-glass owner who lost the role or the second factor', async () => {
  const { database, memberships } = server.services;
  const change = (orgId: string, work: (db: Tx['db']) => Promise<unknown>) =>
    database.withOrg(orgId, ({ db }) => work(db)).then(() => memberships.forgetOrganization(orgId));
  const unauthenticated = { status: 401, code: 'unauthenticated' };

  const demoted = await makeSsoOrganization('demoted.example');
  expect(await demoted.call(getOrganization, {})).toMatchObject({ id: demoted.org.id });
  await change(demoted.org.id, (db) =>
    db.updateTable('member').set({ role_id: 'rol_reviewer' }).where('account_id', '=', demoted.org.owner.id).execute(),
  );
  expect(await refusalOf(demoted.call(getOrganization, {}))).toEqual(unauthenticated);

  const { org, call } = await makeSsoOrganization('weak.example');
  await change(org.id, (db) => db.deleteFrom('account_totp').where('account_id', '=', org.owner.id).execute());
  expect(await refusalOf(call(getOrganization, {}))).toEqual(unauthenticated);
  const browser = await signedIn(server, org.owner);
  expect((await enter(browser, org.id)).url.origin).toBe(new URL(scene.sandbox.sandbox.issuer).origin);
});
