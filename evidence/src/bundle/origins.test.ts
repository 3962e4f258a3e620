import { expect, test } from 'vitest';
import type { CanonicalValue } from '../ledger/canonical.ts';
import { accountField, accountLines, accountsIn } from './accounts.ts';
import { codeHostLines, codeHostsOf } from './code-hosts.ts';

const period = { from: '2026-07-01T00:00:00.000Z', to: '2026-10-01T00:00:00.000Z' };
const scope = { period, repositories: null } as unknown as Parameters<typeof codeHostsOf>[2];
/** Builds the entry of a change with its origin. */
const change = (index: number, origin: CanonicalValue | undefined, repository = 'rep_1') => ({
  index,
  kind: 'change',
  subject: {
    change: `chg_${index}`,
    version: 1,
    push: null,
    number: index,
    repository,
    mergedAt: '2026-08-01T00:00:00.000Z',
    ...(origin !== undefined && { origin }),
  },
});
const github = { host: 'github.com', connection: 'ent_1', repository: '77' };

test('names each code host once, with its connection and repositories in order', () => {
  const entries = [
    change(1, { ...github, repository: '9' }, 'rep_9'),
    change(2, github),
    change(3, github),
    change(4, { host: 'git.example', connection: null, repository: '1' }),
  ];
  const hosts = codeHostsOf(entries, 5, scope);
  expect(hosts).toEqual([
    { host: 'git.example', connection: null, repositories: [{ id: 'rep_1', hostId: '1' }] },
    {
      host: 'github.com',
      connection: 'ent_1',
      repositories: [
        { id: 'rep_1', hostId: '77' },
        { id: 'rep_9', hostId: '9' },
      ],
    },
  ]);
  expect(codeHostLines(hosts)).toEqual([
    'Code host git.example, the connection was not recorded: repository 1',
    'Code host github.com, connected by entry ent_1: repositories 77, 9',
  ]);
  const many = Array.from({ length: 12 }, (_, position) => ({ id: `rep_${position}`, hostId: String(position) }));
  expect(codeHostLines([{ host: 'github.com', connection: 'ent_1', repositories: many }])[0]).toMatch(
    /repositories 0, 1, .*, 9 and 2 more$/,
  );
});

test.each([
  undefined,
  null,
  'github.com',
  { host: 'github.com', connection: 'ent_1' },
  { ...github, host: 7 },
  { ...github, connection: 7 },
  { ...github, repository: 7 },
  { ...github, more: true },
])('rejects a change whose code host is %j', (origin) => {
  expect(() => codeHostsOf([change(3, origin)], 5, scope)).toThrow('The change of entry 3 does not name its code host');
});

test('names the accounts of each person at the host of the change that discloses them', () => {
  const entries = [change(1, github), change(2, { ...github, host: 'git.example' }), change(3, null)];
  const disclosed = [
    { index: 1, field: accountField('per_b'), value: '12' },
    { index: 2, field: accountField('per_b'), value: '3' },
    { index: 1, field: accountField('per_a'), value: '11' },
    // Neither an account nor a change with a code host.
    { index: 1, field: 'title', value: 'Pay' },
    { index: 3, field: accountField('per_c'), value: '13' },
  ];
  const people = accountsIn(entries, disclosed, 5, scope);
  expect(people).toEqual([
    { person: 'per_a', accounts: [{ host: 'github.com', id: '11' }] },
    {
      person: 'per_b',
      accounts: [
        { host: 'git.example', id: '3' },
        { host: 'github.com', id: '12' },
      ],
    },
  ]);
  expect(accountLines(people)[1]).toBe('Person per_b: account 3 on git.example, account 12 on github.com');
  const [one] = people;
  const lines = accountLines(Array.from({ length: 52 }, () => one as (typeof people)[number]));
  expect([lines.length, lines.at(-1)]).toEqual([51, 'and 2 more people, see the manifest']);
  expect(() => accountsIn(entries, [{ index: 1, field: accountField('per_a'), value: 7 }], 5, scope)).toThrow(
    'The account that entry 1 discloses is invalid',
  );
});
