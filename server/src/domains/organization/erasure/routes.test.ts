import {
  decideErasure,
  erasePerson,
  listErasures,
  requestOwnErasure,
  withdrawOwnErasure,
} from '@sightline/contract/organization/erasure.ts';
import { listMembers } from '@sightline/contract/organization/members.ts';
import { getPersonalData } from '@sightline/contract/organization/personal-data.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  refusalOf,
  shareTestServer,
  type TestAccount,
  type TestOrganization,
  type TestServer,
} from '#testing/server.ts';
import { runErasure } from './run.ts';

let server: TestServer;
let acme: TestOrganization;
let ada: TestAccount;
beforeAll(async () => {
  server = await shareTestServer();
});
beforeEach(async () => {
  acme = await server.make.organization('Acme');
  ada = await server.make.member(acme.id, 'rol_contributor');
});
afterAll(() => server.close());

const as = (account: TestAccount) => server.as(account, acme.id);
const erase = (account: TestAccount, subject: TestAccount, confirm = subject.email) =>
  as(account)(erasePerson, { body: { subject: { kind: 'member', id: subject.id }, confirm } });
const accountOf = async ({ id }: TestAccount) =>
  server.services.database.global(({ db }) =>
    db.selectFrom('account').select(['name', 'email']).where('id', '=', id).executeTakeFirstOrThrow(),
  );

test('a person requests erasure, sees its status and can withdraw it', async () => {
  const requested = await as(ada)(requestOwnErasure, {});
  expect(requested).toMatchObject({ state: 'requested', basis: 'person', person: { email: ada.email } });
  // A second request returns the open one.
  expect((await as(ada)(requestOwnErasure, {})).id).toBe(requested.id);
  expect((await as(ada)(getPersonalData, {})).erasure).toMatchObject({ id: requested.id, state: 'requested' });
  expect(await as(ada)(withdrawOwnErasure, {})).toMatchObject({ id: requested.id, state: 'withdrawn' });
  expect(await refusalOf(as(ada)(withdrawOwnErasure, {}))).toMatchObject({ status: 404 });
  expect((await as(ada)(requestOwnErasure, {})).id).not.toBe(requested.id);
});

test('another owner decides a request once, never the requester', async () => {
  const second = await server.make.member(acme.id, 'rol_owner');
  const { id } = await as(second)(requestOwnErasure, {});
  const decide = (account: TestAccount, body: Parameters<typeof decideErasure.body.parse>[0]) =>
    as(account)(decideErasure, { params: { erasureId: id }, body: body as never });
  const refuse = { decision: 'refuse', reason: 'The law asks us to keep it.' };
  expect(await refusalOf(decide(second, refuse))).toEqual({ status: 409, code: 'conflict' });
  expect(await refusalOf(decide(acme.owner, { decision: 'carry_out', confirm: 'Somebody else' }))).toMatchObject({
    status: 400,
  });
  expect(await decide(acme.owner, refuse)).toMatchObject({
    state: 'refused',
    reason: refuse.reason,
    decidedBy: { userId: acme.owner.id },
  });
  expect(await refusalOf(decide(acme.owner, refuse))).toMatchObject({ status: 409 });
  const again = await as(second)(requestOwnErasure, {});
  const done = await as(acme.owner)(decideErasure, {
    params: { erasureId: again.id },
    body: { decision: 'carry_out', confirm: second.name.toUpperCase() },
  });
  expect(done).toMatchObject({ state: 'running', person: { name: null, email: null }, deletesAccount: true });
  // The change revokes all tokens at once.
  expect(await refusalOf(as(second)(getPersonalData, {}))).toMatchObject({ status: 401 });
  await runErasure(server.services, acme.id, again.id);
  expect(await accountOf(second)).toEqual({ name: 'Deleted person', email: `${second.id}@erased.invalid` });
  expect((await as(acme.owner)(listErasures, { query: { state: ['done'] } })).rows).toMatchObject([
    { id: again.id, state: 'done' },
  ]);
});

test('refuses erasure of the only owner, of oneself, or twice', async () => {
  expect(await refusalOf(as(acme.owner)(requestOwnErasure, {}))).toEqual({ status: 409, code: 'sole_owner' });
  expect(await refusalOf(erase(acme.owner, acme.owner))).toEqual({ status: 409, code: 'conflict' });
  const second = await server.make.member(acme.id, 'rol_owner');
  await as(second)(requestOwnErasure, {});
  // An open request must be decided first.
  expect(await refusalOf(erase(acme.owner, second))).toEqual({ status: 409, code: 'conflict' });
  await as(second)(withdrawOwnErasure, {});
  await server.services.database.withOrg(acme.id, ({ db }) =>
    db.updateTable('member').set({ status: 'deactivated' }).where('account_id', '=', acme.owner.id).execute(),
  );
  server.services.memberships.forgetOrganization(acme.id);
  expect(await refusalOf(as(second)(requestOwnErasure, {}))).toEqual({ status: 409, code: 'sole_owner' });
});

test('requires the matching name and returns 404 for unknown people', async () => {
  expect(await refusalOf(erase(acme.owner, ada, 'Ada Bryon'))).toMatchObject({ status: 400 });
  const outsider = await server.make.account();
  expect(await refusalOf(erase(acme.owner, outsider))).toMatchObject({ status: 404 });
  const other = await server.make.organization('Other');
  const foreign = server.as(other.owner, other.id)(erasePerson, {
    body: { subject: { kind: 'member', id: ada.id }, confirm: ada.email },
  });
  expect(await refusalOf(foreign)).toMatchObject({ status: 404 });
  expect(await refusalOf(erase(ada, ada))).toMatchObject({ status: 403 });
  expect((await as(acme.owner)(listMembers, {})).rows.map(({ email }) => email)).toContain(ada.email);
});

test('keeps an account known to another organization and removes it from this one', async () => {
  const other = await server.make.organization('Other');
  await server.services.database.withOrg(other.id, async (tx) => {
    const member = { org_id: other.id, account_id: ada.id, role_id: 'rol_reviewer', status: 'active' };
    await tx.db.insertInto('member').values(member).execute();
    const names = [{ kind: 'account', value: ada.id } as const, { kind: 'email', value: ada.email } as const];
    await server.services.people.resolve(tx, other.id, [
      { names, display: ada.name, picture: null, source: 'sightline' },
    ]);
  });
  await as(ada)(requestOwnErasure, {});
  await as(ada)(withdrawOwnErasure, {});
  const erasure = await erase(acme.owner, ada);
  expect(erasure.deletesAccount).toBe(false);
  await runErasure(server.services, acme.id, erasure.id);
  expect(await accountOf(ada)).toEqual({ name: ada.name, email: ada.email });
  expect(await refusalOf(as(ada)(getPersonalData, {}))).toMatchObject({ status: 403 });
  const { items } = await server.as(ada, other.id)(getPersonalData, {});
  expect(items.find(({ id }) => id === 'names')?.count).toBe(2);
  const { rows } = await as(acme.owner)(listErasures, {});
  const requested = rows.find(({ basis }) => basis === 'person');
  expect(requested?.requestedBy).toEqual({ userId: ada.id, name: 'Former member' });
});
