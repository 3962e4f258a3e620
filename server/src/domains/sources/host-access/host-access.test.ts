import type { PlantedAccess } from '@sightline/sandbox/git/model.ts';
import { createStory } from '@sightline/sandbox/testing/repository.ts';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type SandboxGithub, startSandboxGithub } from '#providers/github/sandbox.fixture.ts';
import { startTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { webhookHelpers } from '../webhooks/deliveries.fixture.ts';
import { queueAccess } from './commands.ts';

let story: Awaited<ReturnType<typeof createStory>>;
let sandbox: SandboxGithub;
let server: TestServer;
let acme: TestOrganization;
let repositoryId: string;
const { enableOnly, inOrg, waitUntilProcessed } = webhookHelpers(() => server);
beforeAll(async () => {
  story = await createStory();
  sandbox = await startSandboxGithub([story.path]);
  server = await startTestServer({ environment: sandbox.environment, jobs: true });
  acme = await server.make.organization();
  repositoryId = await enableOnly(acme, sandbox);
  sandbox.sandbox.deliverTo(`${server.url}/api/webhooks/github`);
}, 120_000);
beforeEach(async () => {
  await plant(access);
  await waitUntilProcessed(acme.id);
  await read();
});
afterAll(async () => {
  await server.close();
  await sandbox.close();
  await story.remove();
});

const access: PlantedAccess = {
  people: [{ login: 'ada', role: 'write', via: 'direct' }],
  teams: [],
  keys: [{ id: 11, title: 'Deploy', isReadOnly: false, addedBy: 'ada' }],
  apps: [],
  owners: ['boss'],
};
const plant = (planted: Partial<PlantedAccess>) =>
  sandbox.control('access', { repository: 'sandbox/widgets', ...access, ...planted });

const rowsOf = <Row extends Record<string, unknown>>(text: string) =>
  inOrg(acme.id, (tx) => tx.query<Row>({ name: '', text, values: [acme.id] }));
const readings = () =>
  rowsOf<{ id: string; parts: Record<string, string>; trigger: string }>(
    'select id, parts, trigger from access_reading where org_id = $1 order by captured_at',
  );

/** Waits until no job reads the access. */
const settled = () =>
  vi.waitFor(
    async () => {
      const { rows } = await server.services.database.pool.query<{ open: number }>(
        `select count(*)::int as open from pgboss.job where name = 'host-access.read' and state < 'completed'`,
      );
      expect(rows[0]?.open).toBe(0);
    },
    { timeout: 30_000 },
  );

/** Reads the access after all pending readings, and returns the reading. */
async function read() {
  await settled();
  const { length } = await readings();
  await inOrg(acme.id, (tx) => queueAccess(server.services, tx, acme.id, { repositoryId, trigger: 'poll' }));
  await settled();
  const all = await readings();
  expect(all.length).toBeGreaterThan(length);
  return all.at(-1);
}

/** The history of a holder, oldest first. */
async function historyOf(name: string): Promise<(string | null)[]> {
  const rows = await rowsOf<{ name: string; permission: string | null }>(
    `select h.name, c.permission from access_change c join access_holder h on h.org_id = c.org_id and h.id = c.holder_id
     where c.org_id = $1 order by c.at`,
  );
  return rows.filter((row) => row.name === name).map(({ permission }) => permission);
}

test('records each reading and only the changes, each in a ledger entry without names', async () => {
  const before = (await historyOf('ada')).length;
  await read();
  expect((await historyOf('ada')).length).toBe(before);
  await plant({ people: [{ login: 'ada', role: 'admin', via: 'direct' }] });
  await read();
  await plant({ people: [] });
  await waitUntilProcessed(acme.id);
  await read();
  expect((await historyOf('ada')).slice(-3)).toEqual(['write', 'admin', null]);
  const [entry] = await rowsOf<{ entry: string }>(
    `select e.entry from access_change c
     join ledger_known e on e.entry_id = c.entry_id
     where c.org_id = $1 and c.permission is null order by c.at desc limit 1`,
  );
  const { kind, person, subject } = JSON.parse(entry?.entry ?? '{}');
  expect([kind, person]).toEqual(['access.read', null]);
  expect(subject).toMatchObject({ repository: repositoryId, parts: { people: 'read' } });
  expect(subject.changes).toMatchObject([{ kind: 'person', account: null, permission: null, routes: [] }]);
  expect(entry?.entry).not.toContain('"ada"');
});

test('a part without permission leaves its holders as they were', async () => {
  const installation = [...sandbox.sandbox.host.installations.keys()][0];
  const permit = (level: string) => sandbox.control('permissions', { installation, name: 'administration', level });
  const before = await historyOf('Deploy');
  await permit('none');
  await waitUntilProcessed(acme.id);
  await plant({ keys: [] });
  expect((await read())?.parts).toMatchObject({ people: 'read', keys: 'forbidden' });
  expect(await historyOf('Deploy')).toEqual(before);
  await permit('read');
  await waitUntilProcessed(acme.id);
  await read();
  expect((await historyOf('Deploy')).at(-1)).toBeNull();
});

test('a failed request stores nothing, so that no access seems to end', async () => {
  const { length } = await readings();
  const before = await historyOf('ada');
  await sandbox.control('faults', { match: '/collaborators', status: 502, times: 1000 });
  await inOrg(acme.id, (tx) => queueAccess(server.services, tx, acme.id, { repositoryId }));
  await vi.waitFor(
    async () => {
      const faults = (await (await fetch(`${sandbox.sandbox.url}/_sandbox/faults`)).json()) as { times: number }[];
      expect(faults[0]?.times).toBeLessThan(1000);
    },
    { timeout: 20_000 },
  );
  expect((await readings()).length).toBe(length);
  await fetch(`${sandbox.sandbox.url}/_sandbox/faults`, { method: 'DELETE' });
  await read();
  expect(await historyOf('ada')).toEqual(before);
});

test('a webhook about a collaborator reads the access at once, so that short access is recorded', async () => {
  const { length } = await readings();
  await plant({ people: [...access.people, { login: 'visitor', role: 'write', via: 'outside' }] });
  await vi.waitFor(async () => expect(await historyOf('visitor')).toEqual(['write']), { timeout: 20_000 });
  await plant({});
  await vi.waitFor(async () => expect(await historyOf('visitor')).toEqual(['write', null]), { timeout: 20_000 });
  expect((await readings()).slice(length).every(({ trigger }) => trigger === 'webhook')).toBe(true);
});

test('a new login of an account is the same holder', { tags: 'full' }, async () => {
  const ada = sandbox.user('ada');
  const { length } = await historyOf('ada');
  const { byLogin } = sandbox.sandbox.host.users;
  byLogin.delete('ada');
  byLogin.set('ada-l', Object.assign(ada, { login: 'ada-l' }));
  await plant({ people: [{ login: 'ada-l', role: 'write', via: 'direct' }], keys: [] });
  await read();
  expect((await historyOf('ada-l')).length).toBe(length);
  byLogin.delete('ada-l');
  byLogin.set('ada', Object.assign(ada, { login: 'ada' }));
});
