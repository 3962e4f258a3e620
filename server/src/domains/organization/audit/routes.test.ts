import { exportAudit, getAuditEntry, getAuditFilters, listAudit } from '@sightline/contract/organization/audit.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AuditActor, type AuditEntry, recordAuditEntry } from '#core/audit.ts';
import { newId } from '#core/ids.ts';
import {
  refusalOf,
  shareTestServer,
  type TestAccount,
  type TestOrganization,
  type TestServer,
} from '#testing/server.ts';

let server: TestServer;
let acme: TestOrganization;
let auditor: TestAccount;
let ada: TestAccount;
beforeAll(async () => {
  server = await shareTestServer();
  acme = await server.make.organization('Acme');
  auditor = await server.make.member(acme.id, 'rol_auditor');
  ada = await server.make.member(acme.id, 'rol_contributor');
});
afterAll(() => server.close());

const write = (orgId: string, actor: AuditActor, entry: AuditEntry) =>
  server.services.database.withOrg(orgId, (tx) =>
    recordAuditEntry(tx, { people: server.services.people, orgId, actor, entry }),
  );

async function writeAs(org: TestOrganization, who: TestAccount, entry: AuditEntry): Promise<void> {
  const personId = await server.personOf(org.id, who);
  await write(org.id, { accountId: who.id, personId, requestId: newId(), address: '192.0.2.7' }, entry);
}

const roleChanged = (who: TestAccount, to: string): AuditEntry => ({
  action: 'member.role_changed',
  subject: { kind: 'member', id: who.id },
  data: { before: { role: 'rol_contributor' }, after: { role: to } },
});

const log = (query: Parameters<typeof fetchLog>[0] = {}, org = acme) => fetchLog(query, org);
const fetchLog = (query: NonNullable<Parameters<ReturnType<TestServer['as']>>[1]> & object, org: TestOrganization) =>
  server.as(org.owner, org.id)(listAudit, { query: query as never });

const wordsIn = (entry: { sentence: { text: string }[] } | undefined) =>
  entry?.sentence.map(({ text }) => text).join(' ');

describe('read access', () => {
  test.each([listAudit, getAuditFilters, getAuditEntry, exportAudit])(
    'requires a token for $method $path',
    async ({ path }) => {
      expect((await fetch(`${server.url}/api${path.replace(':auditId', newId())}`)).status).toBe(401);
    },
  );

  test('is granted to owners, reviewers and auditors, not to contributors', async () => {
    const reviewer = await server.make.member(acme.id, 'rol_reviewer');
    for (const who of [acme.owner, reviewer, auditor]) {
      expect(await server.as(who, acme.id)(getAuditFilters, {})).toHaveProperty('actions');
    }
    for (const call of [listAudit, getAuditFilters]) {
      expect(await refusalOf(server.as(ada, acme.id)(call, {}))).toEqual({ status: 403, code: 'forbidden' });
    }
  });

  test('returns the same error for an entry of another organization as for an unknown one', async () => {
    const other = await server.make.organization('Other');
    await writeAs(other, other.owner, roleChanged(other.owner, 'rol_auditor'));
    const [entry] = (await log({}, other)).entries;
    const get = (auditId: string) => refusalOf(server.as(acme.owner, acme.id)(getAuditEntry, { params: { auditId } }));
    expect(await get(entry?.id ?? '')).toEqual({ status: 404, code: 'not_found' });
    expect(await get(newId())).toEqual({ status: 404, code: 'not_found' });
    expect(await refusalOf(log({ older: entry?.id } as never))).toEqual({ status: 400, code: 'validation_failed' });
    expect(await refusalOf(log({ older: newId() } as never))).toEqual({ status: 400, code: 'validation_failed' });
    expect((await log()).entries.map(({ id }) => id)).not.toContain(entry?.id);
  });
});

test('an entry contains actor, action, target, IP address, and values before and after', async () => {
  await writeAs(acme, acme.owner, roleChanged(ada, 'rol_auditor'));
  const [entry] = (await log()).entries;
  expect(entry).toMatchObject({
    action: 'member.role_changed',
    actor: { kind: 'account', id: acme.owner.id, name: acme.owner.name, email: acme.owner.email },
    subject: { kind: 'member', id: ada.id, name: ada.name },
    sentence: [
      { text: 'changed the role of' },
      { text: ada.name, subject: true },
      { text: 'from Code Contributor to Auditor' },
    ],
    address: '192.0.2.7',
    browser: null,
  });
  const detail = await server.as(auditor, acme.id)(getAuditEntry, { params: { auditId: entry?.id ?? '' } });
  expect(detail).toMatchObject({
    ...entry,
    before: { role: 'rol_contributor' },
    after: { role: 'rol_auditor' },
    more: {},
    requestId: expect.any(String),
  });
});

test('names an actor without an account by its kind', async () => {
  const org = await server.make.organization();
  const personId = await server.personOf(org.id, org.owner);
  const signIn: AuditEntry = {
    action: 'login.failed',
    subject: { kind: 'account', id: org.owner.id },
    personal: { browser: 'Firefox on Linux' },
  };
  await write(
    org.id,
    { integration: 'github' },
    {
      action: 'integration.suspended',
      subject: { kind: 'installation', id: '7' },
      data: { provider: 'github', account: 'acme' },
    },
  );
  await write(
    org.id,
    { operator: 'root', requestId: newId() },
    {
      action: 'flag.changed',
      subject: { kind: 'flag', id: 'release2' },
      data: { before: { state: 'off' }, after: { state: 'on' } },
    },
  );
  await write(org.id, { stranger: true, personId, requestId: newId(), address: '192.0.2.9' }, signIn);
  const { entries } = await log({}, org);
  expect(entries.map((entry) => [entry.actor.name, wordsIn(entry), entry.address, entry.browser])).toEqual([
    ['Unknown person', 'failed to sign in as Olga Owner', '192.0.2.9', 'Firefox on Linux'],
    ['Operator root', expect.stringContaining('release2'), null, null],
    ['GitHub', 'suspended GitHub of acme', null, null],
  ]);
});

test('filters list the values in the log and narrow it alone and combined', async () => {
  const org = await server.make.organization('Filtered');
  const eve = await server.make.member(org.id, 'rol_contributor');
  await writeAs(org, org.owner, roleChanged(eve, 'rol_auditor'));
  await writeAs(org, eve, {
    action: 'member.left',
    subject: { kind: 'member', id: eve.id },
    data: { role: 'rol_auditor' },
  });
  await writeAs(org, org.owner, { action: 'organization.updated', subject: { kind: 'organization', id: org.id } });
  expect(await server.as(org.owner, org.id)(getAuditFilters, {})).toMatchObject({
    actions: [
      { value: 'member.left', count: 1 },
      { value: 'organization.updated', count: 1 },
      { value: 'member.role_changed', count: 1 },
    ],
    actors: [
      { value: `account:${eve.id}`, label: eve.name, count: 1 },
      { value: `account:${org.owner.id}`, label: org.owner.name, count: 2 },
    ],
    subjectKinds: [
      { value: 'member', label: 'Member', count: 2 },
      { value: 'organization', label: 'Organization', count: 1 },
    ],
  });
  const actions = async (query: object) => (await log(query as never, org)).entries.map(({ action }) => action);
  expect(await actions({ action: ['member.left', 'member.role_changed'] })).toEqual([
    'member.left',
    'member.role_changed',
  ]);
  expect(await actions({ actor: [`account:${org.owner.id}`] })).toEqual([
    'organization.updated',
    'member.role_changed',
  ]);
  expect(await actions({ subjectKind: ['organization'] })).toEqual(['organization.updated']);
  expect(await actions({ subject: `member:${eve.id}` })).toEqual(['member.left', 'member.role_changed']);
  expect(await actions({ actor: [`account:${org.owner.id}`], subjectKind: ['member'] })).toEqual([
    'member.role_changed',
  ]);
  expect(await actions({ from: '2100-01-01T00:00:00Z' })).toEqual([]);
  expect(await actions({ to: '2100-01-01T00:00:00Z', action: ['member.left'] })).toEqual(['member.left']);
  expect(await actions({ to: '2000-01-01T00:00:00Z' })).toEqual([]);
  expect(await refusalOf(log({ actoin: 'x' } as never, org))).toMatchObject({ status: 400 });
});

test('search requires every word to match actor, target, action, IP address or changes', async () => {
  const org = await server.make.organization('Searched');
  const zoe = await server.make.account('Zoë Zimmer');
  await server.services.database.withOrg(org.id, (tx) =>
    server.services.people.resolve(tx, org.id, [
      { names: [{ kind: 'account', value: zoe.id }], display: null, picture: null, source: 'sightline' },
    ]),
  );
  await writeAs(org, zoe, {
    action: 'repository.enabled',
    subject: { kind: 'repository', id: newId() },
    data: { fullName: 'acme/50%_off' },
  });
  await writeAs(org, org.owner, roleChanged(zoe, 'rol_auditor'));
  const found = async (search: string) => (await log({ search } as never, org)).entries.map(({ action }) => action);
  expect(await found('zimmer')).toEqual(['member.role_changed', 'repository.enabled']);
  expect(await found('ZIMMER enabled')).toEqual(['repository.enabled']);
  expect(await found('50%_off')).toEqual(['repository.enabled']);
  expect(await found('%')).toEqual(['repository.enabled']);
  expect(await found('192.0.2.7 role')).toEqual(['member.role_changed']);
  expect(await found(zoe.email)).toHaveLength(2);
  expect(await found('zimmer nothing-like-it')).toEqual([]);
});

test('pages in both directions stay consistent while entries are written', async () => {
  const org = await server.make.organization('Paged');
  const name = (n: number): AuditEntry => ({
    action: 'organization.updated',
    subject: { kind: 'organization', id: org.id },
    data: { after: { n } },
  });
  for (let n = 1; n <= 7; n += 1) await writeAs(org, org.owner, name(n));
  const first = await log({ perPage: 3 } as never, org);
  await writeAs(org, org.owner, name(8));
  const second = await log({ perPage: 3, older: first.older } as never, org);
  const third = await log({ perPage: 3, older: second.older } as never, org);
  expect([first, second, third].map(({ entries }) => entries.length)).toEqual([3, 3, 1]);
  expect(new Set([first, second, third].flatMap(({ entries }) => entries.map(({ id }) => id))).size).toBe(7);
  expect([first.newer, third.older]).toEqual([null, null]);
  const back = await log({ perPage: 3, newer: third.newer } as never, org);
  expect(back.entries).toEqual(second.entries);
  // With fewer entries than a page, the newest page is returned.
  const top = await log({ perPage: 3, newer: first.entries[0]?.id } as never, org);
  expect(top.newer).toBeNull();
  expect(top.entries).toHaveLength(3);
  expect(top.entries.slice(1)).toEqual(first.entries.slice(0, 2));
});

describe('an export', () => {
  const download = async (org: TestOrganization, query: Record<string, string>) => {
    const token = await server.token(org.owner, org.id);
    const answer = await fetch(`${server.url}/api/v2/audit/export?${new URLSearchParams(query)}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    // text() would remove the byte order mark, by which spreadsheets detect UTF-8.
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await answer.arrayBuffer());
    return { text, headers: answer.headers, status: answer.status };
  };

  test('has one line per entry in every format and cannot run as a formula', async () => {
    const org = await server.make.organization('Exported');
    await writeAs(org, org.owner, {
      action: 'repository.enabled',
      subject: { kind: 'repository', id: newId() },
      data: { fullName: '=cmd|"/c calc"!A1\nx', before: { tracked: false }, after: { tracked: true } },
    });
    await writeAs(org, org.owner, roleChanged(org.owner, 'rol_auditor'));
    const csv = await download(org, { format: 'csv', action: 'repository.enabled' });
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(csv.headers.get('content-disposition')).toMatch(/^attachment; filename="audit-log-acme-[\w-]+\.csv"$/);
    expect(csv.headers.get('x-total-count')).toBe('1');
    const [head, line, ...rest] = csv.text.split('\r\n');
    expect(head).toMatch(/^\ufeff"time","who",/);
    expect(line).toContain(`,"'=cmd|""/c calc""!A1 x",`);
    expect(rest).toEqual(['']);
    const json = await download(org, { format: 'json', action: 'repository.enabled,member.role_changed' });
    expect(json.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(JSON.parse(json.text)).toMatchObject([
      { action: 'member.role_changed' },
      { action: 'repository.enabled', before: { tracked: false }, after: { tracked: true } },
    ]);
    const lines = (await download(org, { format: 'ndjson' })).text.trimEnd().split('\n');
    expect(lines.map((text) => JSON.parse(text).action)).toEqual([
      'audit.exported',
      'audit.exported',
      'member.role_changed',
      'repository.enabled',
    ]);
    expect((await download(org, { format: 'json', search: 'nothing-like-it' })).text).toBe('[]\n');
    expect((await download(org, { format: 'xlsx' })).status).toBe(400);
  });

  test('is an audit entry with its filters, and stores search words as personal data', async () => {
    const org = await server.make.organization('Noted');
    await download(org, { format: 'ndjson', search: 'ada@example.org', action: 'member.left' });
    const [entry] = (await log({}, org)).entries;
    expect(wordsIn(entry)).toBe('exported the audit log as JSON lines');
    const rows = await server.services.database.withOrg(org.id, ({ db }) =>
      db.selectFrom('audit_event').select(['data', 'personal']).execute(),
    );
    expect(rows).toEqual([
      { data: { format: 'ndjson', entries: 0, action: ['member.left'] }, personal: { search: 'ada@example.org' } },
    ]);
  });
});
