import { changePassword } from '@sightline/contract/identity/passwords.ts';
import {
  addTotp,
  beginPasskey,
  beginTotp,
  getSecondFactors,
  removePasskey,
  removeTotp,
  renewRecoveryCodes,
} from '@sightline/contract/identity/second-factors.ts';
import { getReauthentication, reauthenticate } from '@sightline/contract/identity/sessions.ts';
import {
  getOrganizationSecurity,
  updateOrganizationSecurity,
} from '@sightline/contract/organization/organization-security.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '#core/ids.ts';
import { refusalOf, startTestServer, type TestServer } from '#testing/server.ts';
import { makePerson, password, setTestPassword, waitForMail } from '../authentication/testing/people.ts';
import { resetSecondFactors } from './reset.ts';
import { addAuthenticatorApp, openSession, totpCodeOf } from './testing/session.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ jobs: true });
});
afterAll(() => server.close());

const forget = (accountId: string) =>
  server.services.database.global(({ db }) =>
    db
      .updateTable('account_session')
      .set({ authenticated_at: sql`now() - interval '11 minutes'` })
      .where('account_id', '=', accountId)
      .execute(),
  );

test('adds an authenticator app by code, with ten recovery codes, an email and an audit entry', async () => {
  const { id: orgId, owner } = await server.make.organization();
  await setTestPassword(server, owner);
  const session = await openSession(server, owner);
  expect(await session.call(getSecondFactors, {})).toEqual({
    totp: null,
    passkeys: [],
    recoveryCodesLeft: null,
    requiredBy: [],
  });
  const begun = await session.call(beginTotp, {});
  expect(begun.uri).toContain(`secret=${begun.secret}`);
  expect(begun.uri).toContain(encodeURIComponent(owner.email));
  expect(begun.qr).toMatch(/^<svg/);
  const wrong = session.call(addTotp, { body: { setup: begun.setup, code: '000000' } });
  expect(await refusalOf(wrong)).toEqual({ status: 400, code: 'validation_failed' });
  const right = { setup: begun.setup, code: totpCodeOf(begun.secret) };
  const added = await session.call(addTotp, { body: right });
  expect(new Set(added.recoveryCodes).size).toBe(10);
  expect(added.secondFactors).toMatchObject({ totp: {}, recoveryCodesLeft: 10 });
  expect(await refusalOf(session.call(addTotp, { body: right }))).toMatchObject({ code: 'conflict' });
  expect(await refusalOf(session.call(beginTotp, {}))).toMatchObject({ code: 'conflict' });

  expect(await waitForMail(server, owner.email)).toContain('A second factor was added');
  const entries = await server.services.database.withOrg(orgId, ({ db }) =>
    db.selectFrom('audit_event').select(['action', 'actor_id', 'data']).execute(),
  );
  expect(entries).toContainEqual({
    action: 'login.second_factor_added',
    actor_id: owner.id,
    data: { factor: 'authenticator app' },
  });
  const stored = await server.services.database.global(({ db }) =>
    db.selectFrom('account_totp').select('secret').where('account_id', '=', owner.id).executeTakeFirstOrThrow(),
  );
  expect(stored.secret.includes(Buffer.from(begun.secret))).toBe(false);
});

test('accepts a setup only for the account that started it', async () => {
  const [one, two] = await Promise.all([1, 2].map(async () => openSession(server, await makePerson(server))));
  if (!one || !two) throw new Error('no session');
  const { secret, setup } = await one.call(beginTotp, {});
  const stolen = two.call(addTotp, { body: { setup, code: totpCodeOf(secret) } });
  expect(await refusalOf(stolen)).toEqual({ status: 400, code: 'validation_failed' });
  const made = two.call(addTotp, { body: { setup: 'invented', code: totpCodeOf(secret) } });
  expect(await refusalOf(made)).toEqual({ status: 400, code: 'validation_failed' });
});

test('requires recent reauthentication for sensitive changes, with the second factor where one is set up', async () => {
  const person = await makePerson(server);
  const session = await openSession(server, person);
  expect(await session.call(getReauthentication, {})).toEqual({ needed: false, proofs: ['password'] });
  await forget(person.id);
  const refused = { status: 403, code: 'reauthentication_required' };
  expect(await refusalOf(session.call(beginTotp, {}))).toEqual(refused);
  expect(await refusalOf(session.call(beginPasskey, {}))).toEqual(refused);
  // A token without a session has no recent authentication.
  expect(await refusalOf(server.as(person)(beginTotp, {}))).toEqual(refused);
  const wrong = session.call(reauthenticate, { body: { password: 'not the password' } });
  expect(await refusalOf(wrong)).toEqual({ status: 400, code: 'validation_failed' });
  expect(await session.call(reauthenticate, { body: { password } })).toEqual({ needed: false, proofs: ['password'] });

  const { secret, used, recoveryCodes } = await addAuthenticatorApp(session);
  await forget(person.id);
  expect(await refusalOf(session.call(removeTotp, {}))).toEqual(refused);
  expect(await refusalOf(session.call(renewRecoveryCodes, {}))).toEqual(refused);
  expect(await refusalOf(session.call(removePasskey, { params: { passkeyId: newId() } }))).toEqual(refused);
  expect(await refusalOf(session.call(reauthenticate, { body: { password } }))).toMatchObject({ code: 'conflict' });
  const replayed = session.call(reauthenticate, { body: { code: used } });
  expect(await refusalOf(replayed)).toEqual({ status: 400, code: 'validation_failed' });
  expect(await session.call(reauthenticate, { body: { code: totpCodeOf(secret, 1) } })).toMatchObject({
    needed: false,
  });
  expect(await refusalOf(session.call(removePasskey, { params: { passkeyId: newId() } }))).toMatchObject({
    status: 404,
  });

  const renewed = await session.call(renewRecoveryCodes, {});
  expect(renewed.recoveryCodes).toHaveLength(10);
  await forget(person.id);
  const old = session.call(reauthenticate, { body: { code: recoveryCodes[0] ?? '' } });
  expect(await refusalOf(old)).toEqual({ status: 400, code: 'validation_failed' });
  await session.call(reauthenticate, {
    body: { code: (renewed.recoveryCodes[0] ?? '').toUpperCase().replaceAll('-', ' ') },
  });
  expect(await session.call(removeTotp, {})).toEqual({
    totp: null,
    passkeys: [],
    recoveryCodesLeft: null,
    requiredBy: [],
  });
});

test('rate limits codes after ten attempts', async () => {
  const person = await makePerson(server);
  const session = await openSession(server, person);
  const { secret } = await addAuthenticatorApp(session);
  const tries = await Promise.all(
    Array.from({ length: 14 }, () => refusalOf(session.call(reauthenticate, { body: { code: '123456' } }))),
  );
  expect(tries.filter(({ code }) => code === 'rate_limited').length).toBeGreaterThan(3);
  const right = session.call(reauthenticate, { body: { code: totpCodeOf(secret, 1) } });
  expect(await refusalOf(right)).toEqual({ status: 429, code: 'rate_limited' });
});

test('lets an owner with a second factor require it for the organization, and keeps the last one', async () => {
  const { id, owner } = await server.make.organization();
  const reviewer = await server.make.member(id, 'rol_reviewer');
  await setTestPassword(server, owner);
  const session = await openSession(server, owner, id);
  const on = { body: { requireSecondFactor: true } };
  expect(await refusalOf(server.as(reviewer, id)(updateOrganizationSecurity, on))).toEqual({
    status: 403,
    code: 'forbidden',
  });
  expect(await refusalOf(session.call(updateOrganizationSecurity, on))).toEqual({ status: 409, code: 'conflict' });
  await addAuthenticatorApp(session);
  expect(await session.call(updateOrganizationSecurity, on)).toMatchObject({
    requireSecondFactor: true,
    membersWithout: 1,
  });
  expect(await server.as(reviewer, id)(getOrganizationSecurity, {})).toMatchObject({
    requireSecondFactor: true,
    membersWithout: 1,
  });
  expect(await session.call(getSecondFactors, {})).toMatchObject({ requiredBy: ['Acme'] });
  expect(await refusalOf(session.call(removeTotp, {}))).toEqual({ status: 409, code: 'conflict' });
  await session.call(updateOrganizationSecurity, { body: { requireSecondFactor: false } });
  expect(await session.call(removeTotp, {})).toMatchObject({ totp: null });
  const actions = await server.services.database.withOrg(id, ({ db }) =>
    db
      .selectFrom('audit_event')
      .select('data')
      .where('action', '=', 'organization.second_factor_required')
      .orderBy('at')
      .execute(),
  );
  expect(actions.map(({ data }) => data)).toEqual([
    { before: { state: 'off' }, after: { state: 'on' } },
    { before: { state: 'on' }, after: { state: 'off' } },
  ]);
});

test('changes a password with the current one and optionally ends the other sessions', async () => {
  const person = await makePerson(server);
  const [here, there] = [await openSession(server, person), await openSession(server, person)];
  const change = (currentPassword: string, newPassword: string, endOtherSessions = false) =>
    here.call(changePassword, { body: { currentPassword, newPassword, endOtherSessions } });
  expect(await refusalOf(change('not the password', 'a brand new password'))).toMatchObject({
    code: 'validation_failed',
  });
  expect(await refusalOf(change(password, 'short'))).toMatchObject({ code: 'validation_failed' });
  await change(password, 'a brand new password');
  expect(await there.call(getSecondFactors, {})).toBeTruthy();
  await change('a brand new password', 'another new password', true);
  expect(await refusalOf(there.call(getSecondFactors, {}))).toMatchObject({ status: 401 });
  expect(await here.call(getSecondFactors, {})).toBeTruthy();
  expect(await waitForMail(server, person.email)).toContain('was changed');
});

test('lets an operator reset all second factors of an account, audited in each organization', async () => {
  const { id: orgId, owner } = await server.make.organization();
  await setTestPassword(server, owner);
  const session = await openSession(server, owner, orgId);
  const operator = {
    accountId: owner.id,
    email: owner.email,
    requestId: newId(),
    address: undefined,
    operator: 'root',
  };
  expect(await resetSecondFactors(server.services, operator)).toBe(false);
  await addAuthenticatorApp(session);
  expect(await resetSecondFactors(server.services, operator)).toBe(true);
  expect(await refusalOf(session.call(getSecondFactors, {}))).toMatchObject({ status: 401 });
  expect(await (await openSession(server, owner, orgId)).call(getSecondFactors, {})).toMatchObject({ totp: null });
  const entries = await server.services.database.withOrg(orgId, ({ db }) =>
    db
      .selectFrom('audit_event')
      .select(['actor_kind', 'actor_id'])
      .where('action', '=', 'login.second_factor_removed')
      .execute(),
  );
  expect(entries).toEqual([{ actor_kind: 'operator', actor_id: 'root' }]);
});
