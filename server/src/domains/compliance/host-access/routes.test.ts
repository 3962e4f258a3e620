import {
  exportHostAccess,
  getHostAccessStatus,
  type HostAccessQuery,
  listHostAccess,
} from '@sightline/contract/compliance/host-access.ts';
import { deactivateMember } from '@sightline/contract/organization/members.ts';
import type { HostPermission } from '@sightline/contract/sources/host-access.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { HostAccess, HostAccessHolder } from '#providers/host-access.ts';
import { createTestRepository } from '#testing/findings.ts';
import { shareTestServer, type TestAccount, type TestOrganization, type TestServer } from '#testing/server.ts';
import { storeAccess } from '../../sources/host-access/commands.ts';

let server: TestServer;
let org: TestOrganization;
let repository: string;
let ada: TestAccount;
beforeAll(async () => {
  server = await shareTestServer();
});
beforeEach(async () => {
  org = await server.make.organization();
  repository = await createTestRepository(server, org, 'api');
  ada = await server.make.member(org.id, 'rol_owner');
  const person = await server.personOf(org.id, ada);
  await server.services.database.withOrg(org.id, ({ db }) =>
    db
      .insertInto('identity')
      .values({
        org_id: org.id,
        kind: 'github',
        value: 'ada',
        person_id: person,
        source: 'test',
        confidence: 'declared',
        display: 'Ada Byron',
      })
      .execute(),
  );
});
afterAll(() => server.close());

const HOUR = 3_600_000;
const before = (hours: number) => new Date(Date.now() - hours * HOUR).toISOString();
const as = (account: TestAccount = org.owner) => server.as(account, org.id);
const allRead = { people: 'read', teams: 'read', keys: 'read', apps: 'read', owners: 'read', bypass: 'read' } as const;

const person = (login: string, permission: HostPermission, canBypass: boolean | null = false): HostAccessHolder => ({
  kind: 'person',
  id: login,
  name: login,
  user: { login, avatarUrl: null, isAgent: false },
  permission,
  routes: ['direct'],
  canBypass,
});
const app = (name: string, permission: HostPermission): HostAccessHolder => ({
  ...person(name, permission),
  kind: 'app',
  user: null,
});
const read = (at: string, holders: readonly HostAccessHolder[], parts: Partial<HostAccess['parts']> = {}) =>
  server.services.database.withOrg(org.id, (tx) =>
    storeAccess(server.services, tx, org.id, {
      repositoryId: repository,
      provider: 'github',
      capturedAt: at,
      trigger: 'poll',
      access: { parts: { ...allRead, ...parts }, holders },
    }),
  );

/** The access in words, as of a time. */
async function accessAt(query: Partial<HostAccessQuery> = {}) {
  const { rows } = await as()(listHostAccess, { query: { perPage: 100, ...query } });
  return rows.map(({ holder, permission, isMember, duties }) =>
    [
      holder.name,
      permission,
      isMember === null ? '-' : isMember ? 'member' : 'stranger',
      ...Object.values(duties),
    ].join(' '),
  );
}

test('lists the access as of a time, with the duties of each holder', async () => {
  await read(before(30), [person('ada', 'write', true), person('eve', 'admin', null), app('bot', 'write')]);
  await read(before(3), [person('ada', 'read'), app('bot', 'write')]);
  expect(await accessAt()).toEqual(['ada read member no no no no yes', 'bot write - yes unknown no no no']);
  expect(await accessAt({ at: before(10) })).toEqual([
    'ada write stranger yes yes yes no no',
    'bot write - yes unknown no no no',
    'eve admin stranger yes yes unknown yes no',
  ]);
  expect(await accessAt({ at: before(40) })).toEqual([]);
  expect(await accessAt({ member: 'no' })).toEqual(['bot write - yes unknown no no no']);
  expect(await accessAt({ duty: ['waive'] })).toEqual(['ada read member no no no no yes']);
  expect(await accessAt({ at: before(10), duty: ['write', 'bypass'] })).toHaveLength(1);
  expect(await accessAt({ kind: ['app'], permission: ['write'], search: 'API' })).toHaveLength(1);
  const { total, rows } = await as()(listHostAccess, {
    query: { at: before(10), perPage: 1, page: 2, sort: 'permission-desc' },
  });
  expect([total, rows[0]?.holder.name]).toEqual([3, 'ada']);
  await as()(deactivateMember, { params: { userId: ada.id } });
  expect((await accessAt())[0]).toBe('ada read stranger no no no no no');
});

test('names the repositories whose access is not known, as of a time', async () => {
  const status = (at?: string) => as()(getHostAccessStatus, { query: at === undefined ? {} : { at } });
  expect(await status()).toMatchObject({ repositories: 1, incomplete: 1, examples: [{ readAt: null, missing: [] }] });
  await read(before(30), []);
  expect(await status()).toMatchObject({ incomplete: 1, examples: [{ isTooOld: true }] });
  expect(await status(before(20))).toEqual({ repositories: 1, incomplete: 0, examples: [] });
  await read(before(1), [], { keys: 'forbidden', apps: 'not_offered' });
  expect(await status()).toMatchObject({ incomplete: 1, examples: [{ isTooOld: false, missing: ['keys'] }] });
});

test('exports the listed access as CSV', async () => {
  await read(before(3), [person('ada', 'write'), person('eve', 'read')]);
  const token = await server.token(org.owner, org.id);
  const answer = await fetch(`${server.url}/api${exportHostAccess.path}?permission=write`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  const [head, line, ...rest] = (await answer.text()).trimEnd().split('\r\n');
  expect(head).toContain('"as of","code host","kind","name","person"');
  // The name of the account, not that of the code host.
  expect(line).toContain(`"github","person","ada","${ada.name}","yes","acme/api","write","direct"`);
  expect(rest).toEqual([]);
});
