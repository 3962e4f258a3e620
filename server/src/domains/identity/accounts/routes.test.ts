import {
  completeOnboarding,
  getAccount,
  hideTips,
  registerAccount,
  resendVerification,
  updateAccountDescription,
} from '@sightline/contract/identity/accounts.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { refusalOf, startTestServer, type TestServer } from '#testing/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test.each([getAccount, registerAccount, updateAccountDescription, hideTips, completeOnboarding])(
  'requires a token for $method $path',
  async ({ method, path }) => {
    const answer = await fetch(`${server.url}/api${path}`, { method });
    expect(answer.status).toBe(401);
  },
);

test('an account reads only itself', async () => {
  const [one, two] = [await server.make.account('Ada One'), await server.make.account('Ada Two')];
  expect(await server.as(one)(getAccount, {})).toMatchObject({
    nid: one.id,
    auth0_user_id: one.id,
    email: one.email,
    traits: { alias: 'Ada One', onboardingComplete: false, hideTips: false, description: { displayName: 'Ada One' } },
    linkedIdentities: [],
  });
  expect(await server.as(two)(getAccount, {})).toMatchObject({ nid: two.id });
});

test('switches tips and onboarding for the calling account only', async () => {
  const [one, two] = [await server.make.account(), await server.make.account()];
  expect(await server.as(one)(hideTips, {})).toMatchObject({ traits: { hideTips: true } });
  expect(await server.as(one)(completeOnboarding, {})).toMatchObject({ traits: { onboardingComplete: true } });
  expect(await server.as(two)(getAccount, {})).toMatchObject({
    traits: { hideTips: false, onboardingComplete: false },
  });
});

test('returns 404 for the token of a deleted account', async () => {
  const deletedAccount = { id: '00000000-0000-7000-8000-000000000000', email: 'gone@example.org', name: 'Gone' };
  expect(await refusalOf(server.as(deletedAccount)(getAccount, {}))).toEqual({ status: 404, code: 'not_found' });
});

test('stores the profile of the first sign-in and does not overwrite it on the next', async () => {
  const account = await server.make.account();
  const body = { alias: 'ada', description: { email: 'ada@work.example', displayName: 'Ada' } };
  const first = await server.as(account)(registerAccount, { body });
  expect(first.traits).toMatchObject({ alias: 'ada', description: { email: 'ada@work.example', displayName: 'Ada' } });
  const again = await server.as(account)(registerAccount, { body: { alias: 'somebody else' } });
  expect(again.traits.alias).toBe('ada');
  const long = server.as(account)(registerAccount, { body: { alias: 'x'.repeat(201) } });
  expect(await refusalOf(long)).toEqual({ status: 400, code: 'validation_failed' });
});

test('sign-in to an organization activates an accepted member and is recorded once', async () => {
  const { id } = await server.make.organization();
  const other = await server.make.organization();
  const member = await server.make.member(id, 'rol_contributor');
  const inOrg = <Row>(
    read: (db: Parameters<Parameters<typeof server.services.database.withOrg>[1]>[0]['db']) => Promise<Row>,
  ) => server.services.database.withOrg(id, ({ db }) => read(db));
  await inOrg((db) =>
    db.updateTable('member').set({ status: 'accepted' }).where('account_id', '=', member.id).execute(),
  );
  await Promise.all([1, 2].map(() => server.as(member, id)(registerAccount, { body: {} })));
  await server.as(member, id)(registerAccount, { body: {} });
  // A token of an organization without membership changes nothing there.
  await server.as(member, other.id)(registerAccount, { body: {} });
  const [row] = await inOrg((db) =>
    db.selectFrom('member').select('status').where('account_id', '=', member.id).execute(),
  );
  expect(row?.status).toBe('active');
  const entries = await inOrg((db) => db.selectFrom('audit_event').select(['action', 'actor_id']).execute());
  expect(entries).toEqual([{ action: 'member.activated', actor_id: member.id }]);
});

test('answers a request for the confirmation email the same for every caller', async () => {
  const call = server.as(undefined);
  expect(await call(resendVerification, { body: { userId: 'whoever' } })).toEqual({ accepted: true });
  expect(await refusalOf(call(resendVerification, { body: { userId: '' } }))).toMatchObject({ status: 400 });
});

test('an account changes only its own profile, and names stay out of the ledger', async () => {
  const { id: orgId, owner } = await server.make.organization();
  const other = await server.make.account();
  const update = (body: { id?: string; [field: string]: string | undefined }) =>
    server.as(owner)(updateAccountDescription, { body });
  const changed = await update({ id: owner.id, displayName: '  Olga Ohm ', company: 'Quokka' });
  expect(changed).toMatchObject({
    name: 'Olga Ohm',
    traits: { description: { displayName: 'Olga Ohm', company: 'Quokka', bio: '' } },
  });
  expect(await refusalOf(update({ id: other.id, displayName: 'Eve' }))).toEqual({ status: 404, code: 'not_found' });
  expect(await refusalOf(update({ displayName: '   ' }))).toEqual({ status: 400, code: 'validation_failed' });
  expect(await server.as(other)(getAccount, {})).toMatchObject({ name: other.name });
  // An unchanged value is not recorded.
  await update({ company: 'Quokka' });
  const otherFields = { bio: 'Measures things.', email: 'olga@work.example', location: 'Ulm' };
  await server.as(other)(updateAccountDescription, { body: otherFields });
  expect((await server.as(other)(getAccount, {})).traits.description).toMatchObject(otherFields);
  const entries = await server.services.database.withOrg(orgId, ({ db }) =>
    db.selectFrom('audit_event').select(['data', 'personal']).where('action', '=', 'account.described').execute(),
  );
  expect(entries).toEqual([
    {
      data: {},
      personal: {
        before: { displayName: owner.name, company: '' },
        after: { displayName: 'Olga Ohm', company: 'Quokka' },
      },
    },
  ]);
});
