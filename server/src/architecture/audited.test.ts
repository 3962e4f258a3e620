import { readdir, readFile } from 'node:fs/promises';
import type { Endpoint } from '@sightline/contract/core/endpoint.ts';
import { type AuditAction, auditActions } from '@sightline/contract/organization/audit-actions.ts';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '#testing/server.ts';
import { sequenceEntries } from '../domains/ledger/ledger/sequence.ts';
import { listAuditEntriesAfter } from '../domains/organization/audit/queries.ts';
import { ocsfEventOf } from '../domains/organization/audit-streams/ocsf/event.ts';
import { problemsOf } from '../domains/organization/audit-streams/testing/validate-event.ts';
import { endpoints } from '../domains/platform/documentation/endpoints.ts';
import { statusForOwner } from './access-matrix.ts';
import { recordTableChanges, type TableChangeRecorder } from './change-recorder.ts';
import type { EndpointCase, RequestInput, RequestNames } from './endpoint-case.ts';
import { caseOf } from './endpoint-cases.ts';
import { githubEnvironment } from './github-environment.ts';
import { endpointKeyOf, exampleRequestOf, payloadOf, requestNamesOf, requestUrlOf } from './requests.ts';
import { createSceneSnapshots, type SceneSnapshots } from './scene-snapshots.ts';
import { seedOrganization } from './seed.ts';
import type { Seed } from './seeded.ts';

let server: TestServer;
let superuser: pg.Client;
let changes: TableChangeRecorder;
let scenes: SceneSnapshots;
let seed: Seed;
beforeAll(async () => {
  // Omits the logs of intended failures.
  server = await startTestServer({ environment: { ...githubEnvironment, LOG_LEVEL: 'silent' } });
  seed = await seedOrganization(server, 'quokka');
  changes = await recordTableChanges(server);
  scenes = createSceneSnapshots(server, changes, [seed]);
  superuser = changes.superuser;
  await superuser.query(`create function broken() returns trigger language plpgsql as
    $$ begin raise exception 'the audit log is out of order'; end $$`);
});
afterAll(async () => {
  await changes?.close();
  await server?.close();
});

/** Runs `work` while the audit log accepts no entry. */
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

async function ask(endpoint: Endpoint, make?: (names: RequestNames) => RequestInput): Promise<number> {
  const names = requestNamesOf(seed);
  const input = make ? make(names) : exampleRequestOf(endpoint, names);
  const { headers, ...sent } = payloadOf(endpoint, input);
  const token = await server.token(seed.org.owner, endpoint.scope === 'account' ? undefined : seed.org.id);
  const answer = await server.app.inject({
    method: endpoint.method,
    url: requestUrlOf(endpoint, input),
    headers: {
      ...(endpoint.scope !== 'public' && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...sent,
  });
  return answer.statusCode;
}

interface AuditedCall extends Pick<EndpointCase, 'endpoint' | 'writes' | 'writesNothing' | 'auditing'> {
  name: string;
  /** The status of the response to the owner. */
  good: number;
}
const rows: AuditedCall[] = endpoints.map((endpoint) => ({
  ...caseOf(endpoint),
  name: endpointKeyOf(endpoint),
  good: statusForOwner(endpoint),
}));
const undeclared = rows.filter(({ writes, writesNothing }) => writes === undefined && writesNothing === undefined);

test('declares for every non-GET endpoint its audit entries or the reason for none', () => {
  expect(undeclared.filter(({ endpoint }) => endpoint.method !== 'GET').map(({ name }) => name)).toEqual([]);
});

/** Restores the organization for the request, and discards the changes that this causes. */
async function prepareScene(endpoint: Endpoint, before?: (server: TestServer, seed: Seed) => Promise<void>) {
  await scenes.ensure(seed, endpoint);
  await before?.(server, seed);
  await changes.take();
}

test.each(undeclared)('$name changes nothing', async ({ endpoint, good }) => {
  await prepareScene(endpoint);
  expect(await ask(endpoint)).toBe(good);
  expect(await changes.take()).toEqual([]);
});

test.each(rows.filter(({ writesNothing }) => writesNothing !== undefined))(
  '$name writes no audit entry, as declared',
  async ({ endpoint, good }) => {
    await prepareScene(endpoint);
    // 404 is valid too: some endpoints have nothing to change until another request has run.
    const status = await ask(endpoint);
    expect([good, 404]).toContain(status);
    expect(await changes.take()).not.toContain('audit_event');
  },
);

const written = rows.flatMap(({ writes, auditing, ...row }) => (writes ? [{ ...row, writes, ...auditing }] : []));
test.each(written)('$name writes its audit entry in the same transaction', async ({ endpoint, good, ...row }) => {
  await prepareScene(endpoint, row.before);
  const known = new Set((await entriesOf()).map(({ id }) => id));
  expect(await withBrokenAudit(() => ask(endpoint, row.request))).toBe(row.status ?? 500);
  expect((await changes.take()).filter((table) => !row.traces?.includes(table))).toEqual([]);

  expect(await ask(endpoint, row.request)).toBe(good);
  const entries = (await entriesOf()).filter(({ id }) => !known.has(id));
  expect(entries.map(({ action }) => action).toSorted()).toEqual([...row.writes].toSorted());
  const { rows } = await superuser.query(
    `select a.action, l.kind from audit_event a left join ledger_known l on l.org_id = a.org_id and l.entry_id = a.id
     where a.id = any($1)`,
    [entries.map(({ id }) => id)],
  );
  expect(rows).toEqual(rows.map(({ action }) => ({ action, kind: `audit.${action}` })));
});

test('maps every entry that a call recorded to a valid OCSF event', async () => {
  const { database, ledger } = server.services;
  const seen = new Set<string>();
  for (const orgId of new Set((await entriesOf()).map(({ org_id }) => org_id))) {
    while ((await sequenceEntries(ledger, orgId)) > 0);
    const sequenced = await database.withOrg(orgId, (tx) =>
      listAuditEntriesAfter(tx, orgId, { epoch: 0, leafIndex: -1 }, 10_000),
    );
    for (const { position, entry } of sequenced) {
      if (!entry) throw new Error('An entry has no row');
      const event = ocsfEventOf({ orgId, position, entry });
      expect([event, problemsOf(event)]).toEqual([event, []]);
      seen.add(entry.action);
    }
  }
  const made = new Set<string>(written.flatMap(({ writes }) => writes));
  expect([...made].filter((action) => !seen.has(action))).toEqual([]);
});

test('keeps email and network addresses out of audit entries except for their personal part', async () => {
  const { rows } = await superuser.query<{ action: string; data: string }>(
    'select action, data::text as data from audit_event union all select kind, entry from ledger_known',
  );
  expect(rows.length).toBeGreaterThan(10);
  const personal = /[\w.+-]+@[\w-]+\.\w+|\b\d{1,3}(\.\d{1,3}){3}\b|::1\b|\bOlga|\bByron/;
  expect(rows.filter(({ data }) => personal.test(data))).toEqual([]);
});

test('defines a sentence for every recorded action and for no other', async () => {
  const recorded = new Set<string>();
  const source = new URL('..', import.meta.url);
  for (const file of await readdir(source, { recursive: true })) {
    if (
      !file.endsWith('.ts') ||
      file.startsWith('architecture/') ||
      file.includes('.test.') ||
      file.includes('.fixture.') ||
      file.includes('testing/')
    )
      continue;
    const text = await readFile(new URL(file, source), 'utf8');
    for (const action of Object.keys(auditActions)) if (text.includes(`'${action}'`)) recorded.add(action);
  }
  // Installations of earlier releases contain this action.
  const former = ['account.signed_in'];
  expect(
    Object.keys(auditActions)
      .filter((action) => !recorded.has(action))
      .toSorted(),
  ).toEqual(former);
});
