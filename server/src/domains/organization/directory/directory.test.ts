import { randomBytes } from 'node:crypto';
import { createClient } from '@sightline/contract/core/client.ts';
import { createPersonalKey } from '@sightline/contract/identity/access-keys.ts';
import {
  connectDirectory,
  disconnectDirectory,
  getDirectory,
  listDirectoryUsers,
  PREVIOUS_TOKEN_HOURS,
  rotateDirectoryToken,
  testDirectory,
  updateDirectory,
} from '@sightline/contract/organization/directory.ts';
import { changeMemberRole, deactivateMember, listMembers } from '@sightline/contract/organization/members.ts';
import { archiveOrganization, getOrganization } from '@sightline/contract/organization/organizations.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { refusalOf, startTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { connectionOutcomeOf, createSockets, waitUntilDisconnected } from '../../../architecture/sockets.ts';
import { operatorCliOf } from '../../../cli/testing/in-process.ts';
import { setTestPassword, signedIn, tokensOf } from '../../identity/authentication/testing/people.ts';
import { auditOf, renewAccessTokenOf, signIn } from '../../identity/extensions/testing/sign-in.ts';
import { connectTestDirectory, groupSchema, patchOf, type Scim, scimClient, userBody } from './testing/directory.ts';

let server: TestServer;
let other: TestServer;
const sockets = createSockets();
beforeAll(async () => {
  const environment = { MASTER_KEY: randomBytes(32).toString('base64') };
  server = await startTestServer({ environment, jobs: true });
  other = await startTestServer({ environment, beside: server });
});
afterEach(sockets.closeAll);
afterAll(async () => {
  await other?.close();
  await server?.close();
});

let domains = 0;
/** An organization with a directory for a domain of its own. */
async function makeDirectory(options: { defaultRole?: 'rol_contributor' | 'rol_reviewer' | null } = {}) {
  domains += 1;
  const domain = `corp${domains}.example`;
  const org = await server.make.organization();
  const { scim, token } = await connectTestDirectory(server, org, { domain, ...options });
  return { org, domain, scim, token, call: server.as(org.owner, org.id) };
}

/** The role and status of a member by address; undefined for none. */
async function memberOf(org: TestOrganization, address: string): Promise<string | undefined> {
  const { rows } = await server.as(org.owner, org.id)(listMembers, { query: { search: address } });
  const row = rows.find(({ email }) => email === address);
  return row && `${row.role?.id} ${row.status}`;
}

const statusOf = async (answer: ReturnType<Scim>) => (await answer).status;

describe('memberships', () => {
  test('a new user of a verified domain becomes a member who must prove the address to sign in', async () => {
    const { org, domain, scim } = await makeDirectory();
    const address = `grace@${domain}`;
    const { status, body } = await scim('POST', '/Users', userBody(address));
    expect([status, body.active, body.userName]).toEqual([201, true, address]);
    expect(await memberOf(org, address)).toBe('rol_contributor accepted');
    const account = await server.services.database.global(({ db }) =>
      db.selectFrom('account').select(['id', 'email_verified_at']).where('email', '=', address).executeTakeFirst(),
    );
    expect(account?.email_verified_at).toBeNull();
    expect(await auditOf(server, org)).toContain('member.provisioned');
  });

  test('a user of another domain gets no access, and no account', async () => {
    const { org, scim, call } = await makeDirectory();
    expect(await statusOf(scim('POST', '/Users', userBody('ceo@elsewhere.example')))).toBe(201);
    expect(await memberOf(org, 'ceo@elsewhere.example')).toBeUndefined();
    const found = await server.services.database.global(({ db }) =>
      db.selectFrom('account').select('id').where('email', '=', 'ceo@elsewhere.example').execute(),
    );
    expect(found).toEqual([]);
    expect(await call(listDirectoryUsers, { query: {} })).toMatchObject({
      rows: [{ withheld: 'domain_not_verified', roleId: null }],
    });
    expect((await call(testDirectory, {})).problems.join()).toContain('differs from the directory');
  });

  test('the directory manages a member with an address of any domain, but no member of another organization', async () => {
    const { org, scim } = await makeDirectory();
    const member = await server.make.member(org.id, 'rol_contributor');
    const stranger = await server.make.account('Foreign Person');
    for (const { email } of [member, stranger]) await scim('POST', '/Users', userBody(email));
    expect(await memberOf(org, stranger.email)).toBeUndefined();
    const [user] = (await scim('GET', `/Users?filter=userName eq "${member.email}"`)).body.Resources;
    await scim('PATCH', `/Users/${user.id}`, patchOf({ op: 'replace', value: { active: false } }));
    expect(await memberOf(org, member.email)).toBe('rol_contributor deactivated');
  });

  test('verifying a domain later gives access to users who wait for it', async () => {
    const org = await server.make.organization();
    const { scim } = await connectTestDirectory(server, org);
    await scim('POST', '/Users', userBody('late@later.example'));
    expect(await memberOf(org, 'late@later.example')).toBeUndefined();
    await connectLater(org, 'later.example');
    await vi.waitFor(async () => expect(await memberOf(org, 'late@later.example')).toContain('accepted'), 20_000);
  });

  test('groups that share users and give roles change at the same time', async () => {
    const { domain, scim, call } = await makeDirectory();
    const names = ['One', 'Two', 'Three', 'Four', 'Five', 'Six'];
    const groupRoles = names.map((group) => ({ group, roleId: 'rol_auditor' as const }));
    await call(updateDirectory, { body: { defaultRole: null, groupRoles } });
    const users = await Promise.all(
      ['ann', 'ben', 'cleo', 'dan'].map(
        async (name) => (await scim('POST', '/Users', userBody(`${name}@${domain}`))).body.id,
      ),
    );
    const groups = await Promise.all(
      names.map(
        async (displayName) => (await scim('POST', '/Groups', { schemas: [groupSchema], displayName })).body.id,
      ),
    );
    const value = users.map((user) => ({ value: user }));
    for (const op of ['add', 'remove', 'add']) {
      const body = patchOf({ op, path: 'members', value });
      const answers = await Promise.all(groups.map((id) => statusOf(scim('PATCH', `/Groups/${id}`, body))));
      expect(new Set(answers)).toEqual(new Set([200]));
    }
  });

  test('groups give roles, the most powerful of several, and a user without one has the default role', async () => {
    const { org, domain, scim, call } = await makeDirectory();
    const address = `gm@${domain}`;
    const { id } = (await scim('POST', '/Users', userBody(address))).body;
    const groupOf = async (displayName: string) =>
      (await scim('POST', '/Groups', { schemas: [groupSchema], displayName, members: [{ value: id }] })).body.id;
    await call(updateDirectory, {
      body: {
        defaultRole: 'rol_contributor',
        groupRoles: [
          { group: 'Auditors', roleId: 'rol_auditor' },
          { group: 'Security', roleId: 'rol_reviewer' },
        ],
      },
    });
    const [auditors, security] = [await groupOf('AUDITORS'), await groupOf('Security')];
    expect(await memberOf(org, address)).toBe('rol_reviewer accepted');
    await scim('PATCH', `/Groups/${security}`, patchOf({ op: 'remove', path: `members[value eq "${id}"]` }));
    expect(await memberOf(org, address)).toBe('rol_auditor accepted');
    await scim('PATCH', `/Groups/${auditors}`, patchOf({ op: 'replace', path: 'displayName', value: 'Others' }));
    expect(await memberOf(org, address)).toBe('rol_contributor accepted');
    await call(updateDirectory, {
      body: { defaultRole: null, groupRoles: [{ group: 'others', roleId: 'rol_auditor' }] },
    });
    await vi.waitFor(async () => expect(await memberOf(org, address)).toBe('rol_auditor accepted'), 20_000);
    await scim('DELETE', `/Groups/${auditors}`);
    expect(await memberOf(org, address)).toBe('rol_auditor deactivated');
  });

  test('a change by an owner stays until the directory changes the same user', async () => {
    const { org, domain, scim, call } = await makeDirectory();
    const address = `hand@${domain}`;
    const { id } = (await scim('POST', '/Users', userBody(address))).body;
    const { rows } = await call(listMembers, { query: { search: address } });
    const userId = rows[0]?.user_id ?? '';
    await call(changeMemberRole, {
      params: { userId },
      body: { oldRole: 'rol_contributor', newRole: 'rol_reviewer' },
    });
    await scim('PUT', `/Users/${id}`, userBody(address, { displayName: 'Other Name' }));
    expect(await memberOf(org, address)).toBe('rol_reviewer accepted');
    await call(deactivateMember, { params: { userId } });
    await scim('PUT', `/Users/${id}`, userBody(address));
    expect(await memberOf(org, address)).toBe('rol_reviewer deactivated');
  });
});

describe('leaving the directory', () => {
  /** A member with a browser session, tokens, sockets, an extension and a personal key. */
  async function signedInMember() {
    const { org, domain, scim } = await makeDirectory();
    const address = `leaver@${domain}`;
    const member = await server.make.member(org.id, 'rol_reviewer');
    await server.services.database.global(({ db }) =>
      db.updateTable('account').set({ email: address }).where('id', '=', member.id).execute(),
    );
    const account = { ...member, email: address };
    await setTestPassword(server, account);
    const browser = await signedIn(server, account);
    const { access_token: token } = await tokensOf(server, browser, { organization: org.id });
    const extension = await signIn(server, account, org.id);
    const { key } = await server.as(account, org.id)(createPersonalKey, { body: { name: 'agent', use: 'telemetry' } });
    const open = [
      ...[server, other].map(({ url }) => sockets.connect(url, '/user', token)),
      sockets.connect(other.url, '/ide/context', extension.accessToken),
    ];
    for (const socket of open) expect(await connectionOutcomeOf(socket)).toBeUndefined();
    const { id } = (await scim('POST', '/Users', userBody(address))).body;
    return { org, scim, id, account, browser, token: token ?? '', extension, key, open };
  }

  test.each([
    {
      how: 'deactivated by Okta',
      send: (scim: Scim, id: string) =>
        scim('PATCH', `/Users/${id}`, patchOf({ op: 'replace', value: { active: false } })),
    },
    {
      how: 'deactivated by Entra',
      send: (scim: Scim, id: string) =>
        scim('PATCH', `/Users/${id}`, patchOf({ op: 'Replace', path: 'active', value: 'False' })),
    },
    { how: 'deleted', send: (scim: Scim, id: string) => scim('DELETE', `/Users/${id}`) },
  ])('ends everything at once for a user who is $how', async ({ send }) => {
    const { org, scim, id, account, browser, token, extension, key, open } = await signedInMember();
    const ask = (on: TestServer) =>
      refusalOf(createClient({ baseUrl: `${on.url}/api`, token: () => token })(getOrganization, {}));
    const sendTelemetry = () =>
      fetch(`${server.url}/v1/logs`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: '{}',
      });
    expect([(await ask(server)).status, (await ask(other)).status, (await sendTelemetry()).status]).toEqual([
      200, 200, 200,
    ]);

    await send(scim, id);
    await Promise.all(open.map(waitUntilDisconnected));
    expect((await ask(server)).status).toBe(401);
    await vi.waitFor(async () => expect((await ask(other)).status).toBe(401), 10_000);
    expect((await sendTelemetry()).status).toBe(401);
    expect((await refusalOf(renewAccessTokenOf(server, extension.refreshToken))).status).toBe(401);
    // The session of the browser is over: a silent sign-in shows the sign-in page.
    expect(
      (await tokensOf(server, browser, { organization: org.id, prompt: 'none' }).catch(() => ({ status: 0 }))).status,
    ).not.toBe(200);
    expect(await memberOf(org, account.email)).toBe('rol_reviewer deactivated');
    expect(await auditOf(server, org)).toEqual(
      expect.arrayContaining(['member.deprovisioned', 'extension.signed_out']),
    );
    const [fact] = await server.services.database.withOrg(org.id, (tx) =>
      tx.query<{ is_active: boolean; kind: string }>({
        name: '',
        text: `select c.is_active, e.kind from directory_change c
               join (select entry_id, kind from ledger_pending union all select entry_id, kind from ledger_entry) e using (entry_id)
               where c.org_id = $1 order by c.at desc limit 1`,
        values: [org.id],
      }),
    );
    expect(fact).toEqual({ is_active: false, kind: 'directory.changed' });
  });

  test('keeps the sessions of a person who is a member of another organization', async () => {
    const { org, scim } = await makeDirectory();
    const member = await server.make.member(org.id, 'rol_reviewer');
    const elsewhere = await server.make.organization();
    await server.services.database.withOrg(elsewhere.id, ({ db }) =>
      db
        .insertInto('member')
        .values({ org_id: elsewhere.id, account_id: member.id, role_id: 'rol_reviewer', status: 'active' })
        .execute(),
    );
    await server.services.database.withOrg(elsewhere.id, (tx) => {
      const names = [{ kind: 'account', value: member.id } as const];
      return server.services.people.resolve(tx, elsewhere.id, [
        { names, display: member.name, picture: null, source: 'sightline' },
      ]);
    });
    await setTestPassword(server, member);
    const browser = await signedIn(server, member);
    const { access_token: there } = await tokensOf(server, browser, { organization: elsewhere.id });
    const { access_token: here } = await tokensOf(server, browser, { organization: org.id });
    const ask = (token: string | undefined) =>
      refusalOf(createClient({ baseUrl: `${server.url}/api`, token: () => token })(getOrganization, {}));
    const { id } = (await scim('POST', '/Users', userBody(member.email))).body;
    await scim('DELETE', `/Users/${id}`);
    expect([(await ask(here)).status, (await ask(there)).status]).toEqual([403, 200]);
  });

  test('the last owner keeps access until another member is an owner, which is recorded', async () => {
    const { org, scim, call } = await makeDirectory();
    const { id } = (await scim('POST', '/Users', userBody(org.owner.email, { active: true }))).body;
    // The group gives the owner a lesser role: the directory must not demote the last owner either.
    expect(await memberOf(org, org.owner.email)).toBe('rol_owner active');
    await scim('PATCH', `/Users/${id}`, patchOf({ op: 'replace', value: { active: false } }));
    expect(await memberOf(org, org.owner.email)).toBe('rol_owner active');
    expect(await call(listDirectoryUsers, { query: {} })).toMatchObject({ rows: [{ withheld: 'last_owner' }] });
    expect(await auditOf(server, org)).toContain('directory.access_kept');
    const successor = await server.make.member(org.id, 'rol_owner');
    await runJob(org);
    await vi.waitFor(async () => {
      const { rows } = await server.as(successor, org.id)(listMembers, { query: { search: org.owner.email } });
      expect(rows[0]?.status).toBe('deactivated');
    }, 20_000);
  });
});

describe('the token', () => {
  test('is shown once, and works after a rotation for a day unless it is revoked at once', async () => {
    const { org, scim, token, call } = await makeDirectory();
    expect(JSON.stringify(await call(getDirectory, {}))).not.toContain(token);
    const rotated = await call(rotateDirectoryToken, { body: { revokePrevious: false } });
    expect(Date.parse(rotated.directory.previousTokenUntil ?? '') - Date.now()).toBeGreaterThan(
      (PREVIOUS_TOKEN_HOURS - 1) * 3_600_000,
    );
    const second = scimClient(server, rotated.token);
    expect([await statusOf(scim('GET', '/Users')), await statusOf(second('GET', '/Users'))]).toEqual([200, 200]);
    const third = await call(rotateDirectoryToken, { body: { revokePrevious: true } });
    expect([
      await statusOf(scim('GET', '/Users')),
      await statusOf(second('GET', '/Users')),
      await statusOf(scimClient(server, third.token)('GET', '/Users')),
    ]).toEqual([401, 401, 200]);
    await call(disconnectDirectory, {});
    expect(await statusOf(scimClient(server, third.token)('GET', '/Users'))).toBe(401);
    expect(await auditOf(server, org)).toEqual(
      expect.arrayContaining(['directory.connected', 'directory.token_rotated', 'directory.disconnected']),
    );
  });

  test('reaches no other organization', async () => {
    const [one, two] = [await makeDirectory(), await makeDirectory()];
    const { id } = (await one.scim('POST', '/Users', userBody(`a@${one.domain}`))).body;
    const group = (await one.scim('POST', '/Groups', { schemas: [groupSchema], displayName: 'G' })).body.id;
    for (const [method, path, body] of [
      ['GET', `/Users/${id}`],
      ['PUT', `/Users/${id}`, userBody('x@y.example')],
      ['PATCH', `/Users/${id}`, patchOf({ op: 'replace', value: { active: false } })],
      ['DELETE', `/Users/${id}`],
      ['GET', `/Groups/${group}`],
      ['DELETE', `/Groups/${group}`],
    ] as const)
      expect([path, await statusOf(two.scim(method, path, body))]).toEqual([path, 404]);
    const members = [{ value: id }];
    expect(await statusOf(two.scim('POST', '/Groups', { schemas: [groupSchema], displayName: 'G', members }))).toBe(
      400,
    );
    expect((await two.scim('GET', '/Users')).body.totalResults).toBe(0);
    expect(await statusOf(scimClient(server, 'sl_scim_x')('GET', '/Users'))).toBe(401);
    expect(await refusalOf(one.call(connectDirectory, { body: { product: 'okta', defaultRole: null } }))).toMatchObject(
      {
        status: 409,
      },
    );
  });

  test('changes nothing in an archived organization', async () => {
    const { org, domain, scim, call } = await makeDirectory();
    await call(archiveOrganization, { body: { name: org.name } } as never);
    expect(await statusOf(scim('POST', '/Users', userBody(`x@${domain}`)))).toBe(409);
    expect(await statusOf(scim('GET', '/Users'))).toBe(200);
  });
});

/** Verifies a domain of an organization with a connected directory. */
async function connectLater(org: TestOrganization, domain: string) {
  await operatorCliOf(server).ask('org', 'verify-domain', org.id, domain);
  await runJob(org);
}

/** Runs the job that a schedule runs every minute. */
const runJob = ({ id: orgId }: TestOrganization) =>
  server.services.database.withOrg(orgId, (tx) =>
    server.services.jobs.enqueue(tx, 'directory.apply', { orgId }, { key: orgId }),
  );
