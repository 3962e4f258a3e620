import { createClient } from '@sightline/contract/core/client.ts';
import { getAccount } from '@sightline/contract/identity/accounts.ts';
import {
  listIdentities,
  listSimilarAccounts,
  startLink,
  unlinkIdentity,
} from '@sightline/contract/identity/identities.ts';
import { queryEvents } from '@sightline/contract/timeline/events.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { refusalOf, type TestAccount, type TestServer } from '#testing/server.ts';
import { authorize, type Browser, openBrowser } from '../testing/browser.ts';
import {
  accountLog,
  type LoginScene,
  type SandboxUser,
  signInWith,
  startLogins,
  submitSandboxSignIn,
} from '../testing/logins.ts';
import { makePerson, password, setTestPassword, signedIn, tokensOf, waitForMail } from '../testing/people.ts';

let scene: LoginScene;
let server: TestServer;
beforeAll(async () => {
  scene = await startLogins();
  server = scene.server;
});
afterAll(() => scene.close());

const callAs = (token: string | undefined) => createClient({ baseUrl: `${server.url}/api`, token: () => token });
const auditOf = (orgId: string) =>
  server.services.database.withOrg(orgId, ({ db }) =>
    db.selectFrom('audit_event').select(['action', 'actor_id', 'subject_id', 'data']).orderBy('at').execute(),
  );

interface LinkedPerson {
  account: TestAccount;
  browser: Browser;
  token: string;
}

async function signedInPerson(orgId?: string, account?: TestAccount): Promise<LinkedPerson> {
  const person = account ?? (await makePerson(server));
  const browser = await signedIn(server, person);
  const { access_token: token = '' } = await tokensOf(
    server,
    browser,
    orgId === undefined ? {} : { organization: orgId },
  );
  return { account: person, browser, token };
}

async function connect({ browser, token }: LinkedPerson, connection: string, user: SandboxUser) {
  const { url } = await callAs(token)(startLink, { body: { connection, path: '/account' } });
  return browser.get(await submitSandboxSignIn(await browser.get(url), user));
}

test('connects a login, signs in with it, and disconnects it again', async () => {
  const org = await server.make.organization();
  const member = await server.make.member(org.id, 'rol_contributor');
  await setTestPassword(server, member);
  const person = await signedInPerson(org.id, member);
  const back = await connect(person, 'github', { login: 'connects', name: 'Connie', email: 'connects@example.org' });
  expect(back.url.href).toMatch(/^http:\/\/localhost:1\/link\?path=/);
  expect(await callAs(person.token)(getAccount, {})).toMatchObject({
    traits: { github: { login: 'connects', name: 'Connie' } },
    linkedIdentities: [
      {
        connection: 'Username-Password-Authentication',
        provider: 'auth0',
        user_id: member.id,
        profileData: { name: member.name, email: member.email },
      },
      {
        connection: 'github',
        provider: 'github',
        user_id: expect.stringMatching(/^.+$/) as string,
        profileData: { name: 'Connie', nickname: 'connects', email: 'connects@example.org' },
      },
    ],
  });
  expect(await waitForMail(server, member.email)).toContain('Another login was connected');

  const elsewhere = openBrowser(server);
  await signInWith(server, { browser: elsewhere, connection: 'github', user: { login: 'connects' } });
  const { access_token: second } = await tokensOf(server, elsewhere);
  expect(await callAs(second)(getAccount, {})).toMatchObject({ nid: member.id });
  const [first, github] = await callAs(second)(listIdentities, {});
  expect([first?.blocked, github?.usedForLogin]).toEqual([null, true]);
  const own = callAs(second)(unlinkIdentity, { params: { id: github?.id ?? '' } });
  expect(await refusalOf(own)).toEqual({ status: 409, code: 'conflict' });

  const left = await callAs(person.token)(unlinkIdentity, { params: { id: github?.id ?? '' } });
  expect(left.map(({ connection }) => connection)).toEqual(['Username-Password-Authentication']);
  expect(left[0]?.blocked).toContain("can't disconnect");
  expect((await callAs(person.token)(getAccount, {})).traits.github).toBeNull();
  const actions = (await auditOf(org.id)).filter(({ action }) => action.startsWith('identity.'));
  expect(actions.map(({ action, actor_id }) => [action, actor_id])).toEqual([
    ['identity.linked', member.id],
    ['identity.unlinked', member.id],
  ]);
});

test('attributes commits of a login to its account from the moment it is connected', async () => {
  const org = await server.make.organization();
  const { database, people } = server.services;
  await database.withOrg(org.id, async (tx) => {
    const names = [
      { kind: 'github', value: 'coder' },
      { kind: 'email', value: 'coder@work.example' },
    ] as const;
    await people.resolve(tx, org.id, [{ names, display: 'Coder', picture: null, source: 'github' }]);
  });
  const member = await server.make.member(org.id, 'rol_contributor');
  await setTestPassword(server, member);
  const person = await signedInPerson(org.id, member);
  await connect(person, 'github', { login: 'coder', email: 'coder@home.example' });
  const own = await server.personOf(org.id, member);
  const identities = await database.withOrg(org.id, ({ db }) =>
    db.selectFrom('identity').select(['kind', 'value', 'person_id']).where('person_id', '=', own).execute(),
  );
  expect(identities).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ kind: 'account', value: member.id }),
      expect.objectContaining({ kind: 'github', value: 'coder' }),
      expect.objectContaining({ kind: 'email', value: member.email }),
      expect.objectContaining({ kind: 'email', value: 'coder@work.example' }),
      expect.objectContaining({ kind: 'email', value: 'coder@home.example' }),
    ]),
  );
  expect(await callAs(person.token)(queryEvents, { body: { query: '' } })).toMatchObject({ events: [] });
});

test('keeps identities of another member when a login proves one of its names', async () => {
  const org = await server.make.organization();
  const { database } = server.services;
  const member = await server.make.member(org.id, 'rol_contributor');
  await setTestPassword(server, member);
  const person = await signedInPerson(org.id, member);
  await connect(person, 'acme', { login: 'owners-address', email: org.owner.email });
  const holders = await database.withOrg(org.id, ({ db }) =>
    db
      .selectFrom('identity')
      .select(['value', 'person_id'])
      .where('value', 'in', [org.owner.email, org.owner.id])
      .execute(),
  );
  expect(new Set(holders.map((row) => row.person_id)).size).toBe(1);
});

test('similar accounts share a confirmed address and are masked', async () => {
  const [one, two, three] = [await signedInPerson(), await signedInPerson(), await signedInPerson()];
  await connect(one, 'github', { login: 'similar', email: two.account.email });
  expect(await callAs(one.token)(listSimilarAccounts, {})).toEqual([
    { connection: 'Username-Password-Authentication', email: expect.stringMatching(/^a\*\*\*@e\*\*\*\.org$/) },
  ]);
  expect(await callAs(two.token)(listSimilarAccounts, {})).toHaveLength(1);
  expect(await callAs(three.token)(listSimilarAccounts, {})).toEqual([]);
});

test('an unconfirmed address makes no account similar', async () => {
  const [one, two] = [await signedInPerson(), await signedInPerson()];
  await connect(one, 'github', { login: 'not-similar', email: two.account.email, verified: false });
  expect(await callAs(one.token)(listSimilarAccounts, {})).toEqual([]);
  expect(await callAs(two.token)(listSimilarAccounts, {})).toEqual([]);
});

test('an account without a confirmed address is similar to no other', async () => {
  const [one, other] = [await signedInPerson(), await makePerson(server)];
  await connect(one, 'github', { login: 'half-similar', email: other.email });
  const listSimilar = () => callAs(one.token)(listSimilarAccounts, {});
  expect(await listSimilar()).toHaveLength(1);
  await server.services.database.global(({ db }) =>
    db.updateTable('account').set({ email_verified_at: null }).where('id', '=', other.id).execute(),
  );
  expect(await listSimilar()).toEqual([]);
});

test('a stale session neither connects nor disconnects a login', async () => {
  const person = await signedInPerson();
  await connect(person, 'google-oauth2', { login: 'stale-session', email: 'stale@example.org' });
  const identities = await callAs(person.token)(listIdentities, {});
  const google = identities.find(({ connection }) => connection === 'google-oauth2');
  await server.services.database.global(({ db }) =>
    db
      .updateTable('account_session')
      .set({ authenticated_at: new Date(Date.now() - 301_000) })
      .where('account_id', '=', person.account.id)
      .execute(),
  );
  const staleRefusal = { status: 403, code: 'reauthentication_required' };
  const call = callAs(person.token);
  expect(await refusalOf(call(startLink, { body: { connection: 'github' } }))).toEqual(staleRefusal);
  expect(await refusalOf(call(unlinkIdentity, { params: { id: google?.id ?? '' } }))).toEqual(staleRefusal);
});

test('merges a second account: its logins and memberships, without additional permissions', async () => {
  const [shared, secondOnly, deactivated] = [
    await server.make.organization('Shared'),
    await server.make.organization('Alone'),
    await server.make.organization('Barred'),
  ];
  const { database } = server.services;
  const [first, second] = [await signedInPerson(), await signedInPerson()];
  const join = (orgId: string, account: TestAccount, role_id: string, status: string) =>
    database.withOrg(orgId, async (tx) => {
      await tx.db.insertInto('member').values({ org_id: orgId, account_id: account.id, role_id, status }).execute();
      const names = [{ kind: 'account', value: account.id } as const, { kind: 'email', value: account.email } as const];
      await server.services.people.resolve(tx, orgId, [{ names, display: null, picture: null, source: 'sightline' }]);
    });
  await join(shared.id, first.account, 'rol_contributor', 'active');
  await join(shared.id, second.account, 'rol_owner', 'active');
  await join(secondOnly.id, second.account, 'rol_reviewer', 'active');
  await join(deactivated.id, first.account, 'rol_contributor', 'deactivated');
  await join(deactivated.id, second.account, 'rol_owner', 'active');
  await connect(second, 'github', { login: 'second-self', email: 'self@example.org' });

  const { url } = await callAs(first.token)(startLink, {
    body: { connection: 'Username-Password-Authentication', path: '/account' },
  });
  const signInPage = await first.browser.get(url);
  expect(signInPage.text).toContain('Sign in to the other account');
  const sameAccount = await first.browser.submit(signInPage, { email: first.account.email, password });
  expect(sameAccount.text).toContain('You are already signed in to this account. Sign in to the account that you want');
  const confirm = await first.browser.submit(signInPage, { email: second.account.email, password });
  for (const name of ['Alone', 'Barred', 'Shared', second.account.email]) expect(confirm.text).toContain(name);
  const done = await first.browser.submit(confirm);
  expect(done.url.href).toBe('http://localhost:1/link?merged=yes&path=%2Faccount');

  const memberships = await Promise.all(
    [shared, secondOnly, deactivated].map(({ id }) =>
      database.withOrg(id, ({ db }) =>
        db
          .selectFrom('member')
          .select(['account_id', 'role_id', 'status'])
          .where('account_id', 'in', [first.account.id, second.account.id])
          .execute(),
      ),
    ),
  );
  expect(memberships).toEqual([
    [{ account_id: first.account.id, role_id: 'rol_contributor', status: 'active' }],
    [{ account_id: first.account.id, role_id: 'rol_reviewer', status: 'active' }],
    [{ account_id: first.account.id, role_id: 'rol_contributor', status: 'deactivated' }],
  ]);
  expect((await callAs(first.token)(listIdentities, {})).map(({ connection }) => connection)).toEqual([
    'Username-Password-Authentication',
    'github',
  ]);
  // The session of the first account continues; the session of the second account has ended.
  expect(await tokensOf(server, first.browser)).toMatchObject({ status: 200 });
  expect(await refusalOf(callAs(second.token)(getAccount, {}))).toMatchObject({ status: 401 });
  const again = openBrowser(server);
  const page = await again.get(authorize(server).url);
  expect((await again.submit(page, { email: second.account.email, password })).text).toContain('is wrong');
  const viaGithub = openBrowser(server);
  await signInWith(server, { browser: viaGithub, connection: 'github', user: { login: 'second-self' } });
  const { access_token } = await tokensOf(server, viaGithub);
  expect(await callAs(access_token)(getAccount, {})).toMatchObject({ nid: first.account.id });
  expect((await accountLog(server, second.account.id)).at(-1)).toMatchObject({
    action: 'account.merged',
    actor_id: first.account.id,
  });
  const entry = (await auditOf(secondOnly.id)).find(({ action }) => action === 'account.merged');
  expect(entry).toMatchObject({
    actor_id: first.account.id,
    data: { merged: second.account.id, into: first.account.id },
  });
});

test('transfers an organization to the first account when the merged one was its last owner', {
  tags: ['full'],
}, async () => {
  const org = await server.make.organization();
  await setTestPassword(server, org.owner);
  const member = await server.make.member(org.id, 'rol_contributor');
  await setTestPassword(server, member);
  const first = await signedInPerson(org.id, member);
  const { url } = await callAs(first.token)(startLink, { body: { connection: 'Username-Password-Authentication' } });
  const confirm = await first.browser.submit(await first.browser.get(url), { email: org.owner.email, password });
  await first.browser.submit(confirm);
  const members = await server.services.database.withOrg(org.id, ({ db }) =>
    db.selectFrom('member').select(['account_id', 'role_id', 'status']).execute(),
  );
  expect(members).toEqual([{ account_id: member.id, role_id: 'rol_owner', status: 'active' }]);
});

test('a login of another account leads to linking both, only after a full sign-in to it', async () => {
  const [first, second] = [await signedInPerson(), await signedInPerson()];
  await connect(second, 'acme', { login: 'belongs', email: 'belongs@example.org' });
  const otherSignIn = await connect(first, 'acme', { login: 'belongs' });
  // Acme is asked again: its previous response connected nothing.
  const confirm = await first.browser.get(await submitSandboxSignIn(otherSignIn, { login: 'belongs' }));
  expect(confirm.text).toContain('Link two accounts');
  expect((await first.browser.submit(confirm)).url.searchParams.get('merged')).toBe('yes');
});

test('links an account with a second factor only with its code', async () => {
  const [first, second] = [await signedInPerson(), await signedInPerson()];
  const { secrets, database } = server.services;
  await database.global(({ db }) =>
    db
      .insertInto('account_totp')
      .values({
        account_id: second.account.id,
        secret: secrets.seal({ org: '-', table: 'account_totp', field: second.account.id }, Buffer.alloc(20, 7)),
        last_step: 0,
      })
      .execute(),
  );
  const { url } = await callAs(first.token)(startLink, { body: { connection: 'Username-Password-Authentication' } });
  const confirm = await first.browser.submit(await first.browser.get(url), { email: second.account.email, password });
  expect(confirm.text).toContain('Code of the second factor');
  const wrong = await first.browser.submit(confirm, { code: '000000' });
  expect([wrong.status, wrong.text.includes('The code is wrong.')]).toEqual([400, true]);
  expect(await callAs(second.token)(getAccount, {})).toMatchObject({ nid: second.account.id });
});
