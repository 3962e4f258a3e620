import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { shareTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import type { PersonName } from './people.ts';

let server: TestServer;
let org: TestOrganization;
beforeAll(async () => {
  server = await shareTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  org = await server.make.organization();
});

/** The persons behind accounts, each `login` or `login number`. */
const persons = (kind: PersonName['kind'], ...accounts: string[]) =>
  server.services.database.withOrg(org.id, (tx) =>
    server.services.people.resolve(
      tx,
      org.id,
      accounts.map((account) => {
        const [value = '', hostId] = account.split(' ');
        return { names: [{ kind, value, hostId }], display: value, picture: null, source: 'test' };
      }),
    ),
  );

test('keeps the person of an account that gets another login', async () => {
  const [ada] = await persons('github', 'ada 1');
  expect(await persons('github', 'lovelace 1')).toEqual([ada]);
  // Pushes contain only the login.
  expect(await persons('github', 'lovelace', 'ada')).toEqual([ada, ada]);
});

test('treats another account under the same login as another person', async () => {
  const [ada] = await persons('github', 'ada 1');
  const [other] = await persons('github', 'ada 2');
  expect(other).not.toBe(ada);
  expect(await persons('github', 'ada', 'lovelace 1', 'ada 2')).toEqual([other, ada, other]);
});

test('resolves both persons again when a login moves back', async () => {
  const [one] = await persons('github', 'ada 1');
  const [two] = await persons('github', 'ada 2');
  for (const _ of [1, 2, 3]) {
    expect(await persons('github', 'ada 1')).toEqual([one]);
    expect(await persons('github', 'ada 2')).toEqual([two]);
  }
});

test('stores the ID of an account that was known only by its login', async () => {
  const [ada] = await persons('github', 'ada');
  expect(await persons('github', 'ada 1', 'lovelace 1')).toEqual([ada, ada]);
  expect(await persons('github', 'ada 2')).not.toEqual([ada]);
});

test('does not distinguish accounts of several GitLab instances by their numbers', async () => {
  const [ada] = await persons('gitlab', 'ada 1');
  expect(await persons('gitlab', 'ada 2', 'ada 1')).toEqual([ada, ada]);
});

test('keeps organizations apart', async () => {
  const [ada] = await persons('github', 'ada 1');
  org = await server.make.organization('Other');
  expect(await persons('github', 'ada 1')).not.toEqual([ada]);
});
