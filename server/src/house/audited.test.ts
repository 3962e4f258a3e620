import { readdir, readFile } from 'node:fs/promises';
import { type AuditAction, auditActions } from '@sightline/contract/audit-actions.ts';
import type { Endpoint } from '@sightline/contract/endpoint.ts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { startTestServer, type TestServer } from '#testing/server.ts';
import { endpoints } from '../features/documentation/endpoints.ts';
import { statusForOwner } from './access-matrix.ts';
import { audited } from './audited.ts';
import { everything } from './everything.ts';
import { addressOf, keyOf, type Names, namesOf, payloadOf, requestOf } from './requests.ts';
import { githubEnvironment, type Seed, seedOrganization } from './seed.ts';

let server: TestServer;
let superuser: pg.Client;
beforeAll(async () => {
  // What fails on purpose need not be told.
  server = await startTestServer({ environment: { ...githubEnvironment, LOG_LEVEL: 'silent' } });
  const { rows } = await server.services.database.pool.query<{ name: string }>('select current_database() as name');
  const url = new URL(inject('cluster').url);
  url.pathname = `/${rows[0]?.name}`;
  superuser = new pg.Client({ connectionString: url.href });
  await superuser.connect();
  await superuser.query(`create function broken() returns trigger language plpgsql as
    $$ begin raise exception 'the audit log is out of order'; end $$`);
});
afterAll(async () => {
  await superuser?.end();
  await server?.close();
});

/** With an audit log that takes no entry. */
async function withBrokenAudit<Result>(work: () => Promise<Result>): Promise<Result> {
  await superuser.query(
    'create trigger broken before insert on audit_event for each statement execute function broken()',
  );
  try {
    return await work();
  } finally {
    await superuser.query('drop trigger broken on audit_event');
  }
}

const entriesOf = async (): Promise<{ id: string; action: AuditAction; org_id: string }[]> =>
  (await superuser.query('select id, action, org_id from audit_event')).rows;

async function ask(endpoint: Endpoint, seed: Seed, make?: (names: Names) => object): Promise<number> {
  const names = namesOf(seed);
  const input = make ? make(names) : requestOf(endpoint, names);
  const { headers, ...sent } = payloadOf(endpoint, input);
  const token = await server.token(seed.org.owner, endpoint.scope === 'account' ? undefined : seed.org.id);
  const answer = await server.app.inject({
    method: endpoint.method,
    url: addressOf(endpoint, input),
    headers: {
      ...(endpoint.scope !== 'public' && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...sent,
  });
  return answer.statusCode;
}

test('every call that is no GET says what it writes into the audit log, or why nothing', () => {
  const named = new Set(Object.keys(audited));
  expect(
    endpoints
      .filter(({ method }) => method !== 'GET')
      .filter((one) => !named.has(keyOf(one)))
      .map(keyOf),
  ).toEqual([]);
  const known = new Set(endpoints.map(keyOf));
  expect([...named].filter((key) => !known.has(key))).toEqual([]);
});

describe.each(endpoints.map((endpoint) => ({ name: keyOf(endpoint), endpoint })))('$name', ({ name, endpoint }) => {
  const row = audited[name];
  const good = statusForOwner(endpoint);

  test.runIf(row === undefined)('changes nothing', async () => {
    const seed = await seedOrganization(server, 'quokka');
    const before = await everything(superuser);
    expect(await ask(endpoint, seed)).toBe(good);
    expect(await everything(superuser)).toEqual(before);
  });

  test.runIf(row && 'none' in row)('is not audited, for a reason', async () => {
    const seed = await seedOrganization(server, 'quokka');
    const before = await entriesOf();
    // Not found is an answer too: some have nothing to change until somebody did something elsewhere.
    expect([good, 404]).toContain(await ask(endpoint, seed));
    expect(await entriesOf()).toEqual(before);
  });

  test.runIf(row && 'writes' in row)('is audited in its own transaction', async () => {
    if (!row || !('writes' in row)) return;
    const seed = await seedOrganization(server, 'quokka');
    await row.before?.(server, seed);
    const besidesTraces = async () =>
      (await everything(superuser)).filter((table) => !row.traces?.includes(table.name));
    const before = await besidesTraces();
    expect(await withBrokenAudit(() => ask(endpoint, seed, row.input))).toBe(500);
    expect(await besidesTraces()).toEqual(before);

    const known = new Set((await entriesOf()).map(({ id }) => id));
    expect(await ask(endpoint, seed, row.input)).toBe(good);
    const written = (await entriesOf()).filter(({ id }) => !known.has(id));
    expect(written.map(({ action }) => action).toSorted()).toEqual([...row.writes].toSorted());
    const { rows } = await superuser.query(
      `select a.action, l.kind from audit_event a left join ledger_known l on l.org_id = a.org_id and l.entry_id = a.id
       where a.id = any($1)`,
      [written.map(({ id }) => id)],
    );
    expect(rows).toEqual(rows.map(({ action }) => ({ action, kind: `audit.${action}` })));
  });
});

test('what was written holds no address of a person or a network outside its personal part', async () => {
  const { rows } = await superuser.query<{ action: string; data: string }>(
    'select action, data::text as data from audit_event union all select kind, entry from ledger_known',
  );
  expect(rows.length).toBeGreaterThan(10);
  const personal = /[\w.+-]+@[\w-]+\.\w+|\b\d{1,3}(\.\d{1,3}){3}\b|::1\b|\bOlga|\bByron/;
  expect(rows.filter(({ data }) => personal.test(data))).toEqual([]);
});

test('there is a sentence for what is recorded, and for nothing else', async () => {
  const recorded = new Set<string>();
  const source = new URL('..', import.meta.url);
  for (const file of await readdir(source, { recursive: true })) {
    if (!file.endsWith('.ts') || file.startsWith('house/') || file.includes('.test.') || file.includes('testing/'))
      continue;
    const text = await readFile(new URL(file, source), 'utf8');
    for (const action of Object.keys(auditActions)) if (text.includes(`'${action}'`)) recorded.add(action);
  }
  // Installations older than this release hold it.
  const former = ['account.signed_in'];
  expect(
    Object.keys(auditActions)
      .filter((action) => !recorded.has(action))
      .toSorted(),
  ).toEqual(former);
});
