import { listAlertImports, retryAlertImport } from '@sightline/contract/vulnerabilities/alert-imports.ts';
import type { AlertKind } from '@sightline/sandbox/github/alerts/alert.ts';
import { createStory } from '@sightline/sandbox/testing/repository.ts';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Tx } from '#database/database.ts';
import { type SandboxGithub, startSandboxGithub } from '#providers/github/sandbox.fixture.ts';
import { startTestServer, superuserUrl, type TestOrganization, type TestServer } from '#testing/server.ts';
import { syncRepositories } from '../../sources/code-hosts/commands.ts';
import { unpackBody } from '../../sources/webhooks/body.ts';
import { webhookHelpers } from '../../sources/webhooks/deliveries.fixture.ts';
import { retireRef } from '../findings/commands.ts';
import { queueAlertImport } from './commands.ts';
import { importRepositoryAlerts } from './import-alerts.ts';

let story: Awaited<ReturnType<typeof createStory>>;
let sandbox: SandboxGithub;
let server: TestServer;
let acme: TestOrganization;
let repositoryId: string;

beforeAll(async () => {
  story = await createStory();
  sandbox = await startSandboxGithub([story.path]);
  server = await startTestServer({ environment: sandbox.environment, jobs: true });
  acme = await server.make.organization();
  await bind(acme, String(sandbox.install().id));
  await syncRepositories(server.services, acme.id, 'github', String(sandbox.install().id));
  await inAcme(async ({ db }) => {
    await db.updateTable('repository').set({ tracked: true }).execute();
    await db
      .insertInto('organization_flag')
      .values({ org_id: acme.id, name: 'dependabotInIntegrations', enabled: true })
      .execute();
  });
  repositoryId = (await inAcme(({ db }) => db.selectFrom('repository').select('id').executeTakeFirstOrThrow())).id;
  sandbox.sandbox.deliverTo(`${server.url}/api/webhooks/github`);
  await sandbox.sandbox.refresh();
});
afterAll(async () => {
  await server.close();
  await sandbox.close();
  await story.remove();
});

const { inOrg, bind, waitUntilProcessed } = webhookHelpers(() => server);
const inAcme = <Result>(work: (tx: Tx) => Promise<Result>) => inOrg(acme.id, work);

/** Sends an alert webhook of the sandbox and waits until it is processed without an error. */
const deliverAlert = async (path: 'alerts' | 'alerts/change', kind: AlertKind, more: object = {}) => {
  const location = path === 'alerts' ? { path: 'src/login.ts', line: 2 } : {};
  await sandbox.control(path, { repository: 'sandbox/widgets', kind, ...location, ...more });
  expect((await waitUntilProcessed(acme.id)).filter((row) => row.error !== null)).toEqual([]);
};
const readAll = () => importRepositoryAlerts(server.services, acme.id, repositoryId);
const readings = () =>
  inAcme(({ db }) => db.selectFrom('alert_reading').select(['source', 'state', 'alerts']).orderBy('source').execute());
const findings = () =>
  inAcme(({ db }) =>
    db
      .selectFrom('finding as f')
      .innerJoin('finding_title as t', 't.id', 'f.title_id')
      .select(['t.title', 'f.status', 'f.severity', 'f.category', 'f.data_source', 'f.ref', 'f.path', 'f.line'])
      .orderBy('t.title')
      .orderBy('f.path')
      .execute(),
  );
const statuses = async () => Object.fromEntries((await findings()).map(({ title, status }) => [title, status]));
const scans = () =>
  inAcme(({ db }) =>
    db.selectFrom('scan').select(['source', 'ref', 'complete', 'state', 'counts']).orderBy('received_at').execute(),
  );
/** Returns the stored alerts, without scan IDs and times. */
const storedAlerts = () =>
  inAcme(({ db }) =>
    db
      .selectFrom('finding_instance')
      .select([
        'fingerprint',
        'finding_id',
        'ref',
        'state',
        'suppressed',
        'path',
        'line',
        'digest',
        'scanner_reference',
      ])
      .orderBy('ref')
      .orderBy('fingerprint')
      .execute(),
  );

test('records disabled scanners without reporting an error', async () => {
  await readAll();
  expect(await readings()).toEqual([
    { source: 'code_scanning', state: 'off', alerts: 0 },
    { source: 'dependabot', state: 'off', alerts: 0 },
    { source: 'secret_scanning', state: 'off', alerts: 0 },
  ]);
  expect(await scans()).toEqual([]);
});

test('creates a finding at once from a single alert webhook', async () => {
  await deliverAlert('alerts', 'code_scanning');
  await deliverAlert('alerts', 'dependabot', { path: 'package.json' });
  await deliverAlert('alerts', 'secret_scanning', { path: 'a.txt', line: 1 });
  const shown = { status: 'open', ref: 'refs/heads/main' };
  expect(await findings()).toEqual([
    {
      ...shown,
      title: 'Code injection',
      severity: 1,
      category: 'sast',
      data_source: 'codeql',
      path: 'src/login.ts',
      line: 2,
    },
    {
      ...shown,
      title: 'Exposed secret: Sandbox API Key',
      severity: 1,
      category: 'secret',
      data_source: 'secret scanning',
      path: 'a.txt',
      line: 1,
    },
    {
      ...shown,
      title: 'right-pad-sandbox runs out of memory',
      severity: 2,
      category: 'sca',
      data_source: 'dependabot',
      path: 'package.json',
      line: null,
    },
  ]);
});

test('imports the same rows with a full read as with single alert webhooks', async () => {
  const before = await storedAlerts();
  await readAll();
  expect(await storedAlerts()).toEqual(before);
  expect(await readings()).toMatchObject([
    { source: 'code_scanning', state: 'read', alerts: 1 },
    { source: 'dependabot', state: 'read', alerts: 1 },
    { source: 'secret_scanning', state: 'read', alerts: 1 },
  ]);
  const completeScans = (await scans()).filter(({ complete }) => complete);
  expect(completeScans.map(({ counts }) => counts)).toEqual(
    Array(3).fill({ new: 0, unchanged: 1, fixed: 0, reopened: 0, rejected: 0 }),
  );
  // Another read without changes imports nothing.
  await readAll();
  expect((await scans()).filter(({ complete }) => complete)).toHaveLength(3);
});

const dismissals = [
  ['code_scanning', 'Code injection', 'false positive', 'false_positive'],
  ['dependabot', 'right-pad-sandbox runs out of memory', 'tolerable_risk', 'will_not_fix'],
  ['secret_scanning', 'Exposed secret: Sandbox API Key', 'used_in_tests', 'used_in_tests'],
] as const;

test.each(dismissals)(
  '%s: mirrors dismissal, reopening and fixing at GitHub',
  async (kind, title, reason, dismissReason) => {
    const alert = { number: 1 };
    await deliverAlert('alerts/change', kind, { ...alert, action: 'dismiss', reason });
    await vi.waitFor(async () => expect((await statuses())[title]).toBe('dismissed'), 20_000);
    expect((await storedAlerts()).map(({ suppressed }) => suppressed)).toContainEqual({
      reason: dismissReason,
      comment: '',
    });
    const reopenedAt = Date.now();
    await deliverAlert('alerts/change', kind, { ...alert, action: 'reopen' });
    await vi.waitFor(async () => expect((await statuses())[title]).toBe('open'), 20_000);
    await deliverAlert('alerts/change', kind, { ...alert, action: 'fix' });
    await vi.waitFor(async () => expect((await statuses())[title]).toBe('fixed'), 20_000);
    const before = await storedAlerts();
    await readAll();
    expect(await storedAlerts()).toEqual(before);
    // GitHub reports times in whole seconds: two changes within a second would be identical deliveries.
    await vi.waitFor(() => expect(Date.now()).toBeGreaterThan(reopenedAt + 1_000), { timeout: 5_000 });
    await deliverAlert('alerts/change', kind, { ...alert, action: 'reopen' });
    await vi.waitFor(async () => expect((await statuses())[title]).toBe('open'), 20_000);
  },
);

test('finds changes of a lost webhook with a full read', { tags: ['full'] }, async () => {
  sandbox.sandbox.deliverTo('http://127.0.0.1:9/nowhere');
  await sandbox.control('alerts', {
    repository: 'sandbox/widgets',
    kind: 'code_scanning',
    path: 'a.txt',
    tool: 'Trivy',
  });
  await sandbox.control('alerts/change', {
    repository: 'sandbox/widgets',
    kind: 'dependabot',
    number: 1,
    action: 'fix',
  });
  sandbox.sandbox.deliverTo(`${server.url}/api/webhooks/github`);
  await inAcme((tx) => queueAlertImport(server.services, tx, acme.id, { repositoryId }));
  await vi.waitFor(async () => {
    expect((await findings()).map(({ data_source }) => data_source)).toContain('trivy');
    expect((await statuses())['right-pad-sandbox runs out of memory']).toBe('fixed');
  }, 10_000);
});

test('fixes findings that exist only on a deleted branch and keeps all others', { tags: ['full'] }, async () => {
  story.git(['branch', 'feature/alerts']);
  await sandbox.sandbox.refresh();
  await waitUntilProcessed(acme.id);
  await deliverAlert('alerts', 'code_scanning', {
    path: 'README.md',
    title: 'On the branch',
    refs: ['feature/alerts'],
  });
  await deliverAlert('alerts', 'code_scanning', { path: 'b.txt', title: 'On both', refs: ['main', 'feature/alerts'] });
  expect(await statuses()).toMatchObject({ 'On the branch': 'open', 'On both': 'open' });
  story.git(['branch', '-D', 'feature/alerts']);
  await sandbox.sandbox.refresh();
  await waitUntilProcessed(acme.id);
  expect(await statuses()).toMatchObject({ 'On the branch': 'fixed', 'On both': 'open' });
  const [entry] = await inAcme(({ db }) =>
    db.selectFrom('audit_event').where('action', '=', 'repository.ref_retired').selectAll().execute(),
  );
  expect(entry).toMatchObject({
    actor_kind: 'integration',
    actor_id: 'github',
    subject_kind: 'repository',
    subject_id: repositoryId,
    data: { ref: 'refs/heads/feature/alerts', results: 2 },
  });
  // GitHub still lists them for a branch that it once analyzed.
  await readAll();
  expect(await statuses()).toMatchObject({ 'On the branch': 'fixed', 'On both': 'open' });
});

test('counts findings on a pull request while it is open', { tags: ['full'] }, async () => {
  story.git(['checkout', '--quiet', '-b', 'feature/pulled']);
  await story.commit('Something new', { 'src/new.ts': 'new\n' });
  await sandbox.sandbox.refresh();
  await waitUntilProcessed(acme.id);
  const { number } = await inAcme(({ db }) =>
    db.selectFrom('pull_request').where('head_ref', '=', 'feature/pulled').select('number').executeTakeFirstOrThrow(),
  );
  const ref = `refs/pull/${number}/merge`;
  await deliverAlert('alerts', 'code_scanning', {
    path: 'src/new.ts',
    line: 1,
    title: 'In the pull request',
    refs: [ref],
  });
  await readAll();
  expect(await statuses()).toMatchObject({ 'In the pull request': 'open' });
  story.git(['checkout', '--quiet', 'main']);
  story.merge('feature/pulled', "Merge branch 'feature/pulled'");
  await sandbox.sandbox.refresh();
  expect((await waitUntilProcessed(acme.id)).filter((row) => row.error !== null)).toEqual([]);
  expect(await statuses()).toMatchObject({ 'In the pull request': 'fixed' });
});

test('records a missing permission, waits for a rate limit, and fixes no finding for either', async () => {
  const before = await statuses();
  const fault = { match: 'dependabot/alerts', status: 403, message: 'Resource not accessible by integration' };
  await sandbox.control('faults', fault);
  await readAll();
  expect(await readings()).toContainEqual({ source: 'dependabot', state: 'forbidden', alerts: 0 });
  // Short, since the requests of the next tests wait for it too.
  await sandbox.control('faults', { match: 'secret-scanning/alerts', status: 403, retryAfter: 6 });
  await expect(readAll()).rejects.toMatchObject({ name: 'HostLimited' });
  expect(await statuses()).toEqual(before);
});

test('treats no branch as deleted while the repository is unreachable, and never the default branch', async () => {
  story.git(['branch', 'feature/stays']);
  await sandbox.sandbox.refresh();
  await waitUntilProcessed(acme.id);
  await deliverAlert('alerts', 'code_scanning', {
    path: 'c.txt',
    title: 'On a branch that stays',
    refs: ['feature/stays'],
  });
  const before = await statuses();
  await sandbox.control('faults', { match: 'repos/sandbox/widgets', status: 404, times: 1000 });
  await readAll();
  await fetch(`${sandbox.sandbox.url}/_sandbox/faults`, { method: 'DELETE' });
  expect(await readings()).toMatchObject([{ state: 'off' }, { state: 'off' }, { state: 'off' }]);
  expect(await inAcme((tx) => retireRef(server.services, tx, acme.id, { repositoryId, ref: 'refs/heads/main' }))).toBe(
    0,
  );
  expect(await statuses()).toEqual(before);
  expect(before).toMatchObject({ 'On a branch that stays': 'open' });
  await readAll();
});

test('allows owners to request another read of alerts, and shows the result to every member', async () => {
  const { full_name: repoPath } = await inAcme(({ db }) =>
    db.selectFrom('repository').select('full_name').executeTakeFirstOrThrow(),
  );
  const params = { provider: 'github', repoPath } as const;
  const before = await server.as(acme.owner, acme.id)(listAlertImports, { params });
  expect(before).toMatchObject([
    { source: 'code_scanning', state: 'read', message: null },
    { source: 'dependabot', state: 'read' },
    { source: 'secret_scanning', state: 'read' },
  ]);
  await server.as(acme.owner, acme.id)(retryAlertImport, { params });
  await vi.waitFor(
    async () => {
      const [after] = await server.as(acme.owner, acme.id)(listAlertImports, { params });
      expect(Date.parse(after?.readAt ?? '')).toBeGreaterThan(Date.parse(before[0]?.readAt ?? ''));
    },
    { timeout: 20_000, interval: 100 },
  );
  const reviewer = await server.make.member(acme.id, 'rol_reviewer');
  expect(await server.as(reviewer, acme.id)(listAlertImports, { params })).toHaveLength(3);
  await expect(server.as(reviewer, acme.id)(retryAlertImport, { params })).rejects.toMatchObject({ status: 403 });
});

test('shows an internal error while reading with a reference and hides its text', { tags: ['full'] }, async () => {
  const superuser = new pg.Client({ connectionString: superuserUrl(server.databaseUrl) });
  await superuser.connect();
  await superuser.query(`
    create function refuse_scan() returns trigger language plpgsql as $$ begin raise exception 'inner detail'; end $$;
    create trigger refuse_scan before insert on scan for each row execute function refuse_scan()`);
  const { full_name: repoPath } = await inAcme(({ db }) =>
    db.selectFrom('repository').select('full_name').executeTakeFirstOrThrow(),
  );
  sandbox.sandbox.deliverTo('http://127.0.0.1:9/nowhere');
  try {
    await sandbox.control('alerts', { repository: 'sandbox/widgets', kind: 'dependabot', path: 'README.md' });
    await expect(readAll()).rejects.toThrow('inner detail');
  } finally {
    sandbox.sandbox.deliverTo(`${server.url}/api/webhooks/github`);
    await superuser.query('drop trigger refuse_scan on scan');
    await superuser.end();
  }
  const shown = await server.as(acme.owner, acme.id)(listAlertImports, {
    params: { provider: 'github', repoPath },
  });
  const failed = shown.filter(({ state }) => state === 'failed');
  expect(failed.length).toBeGreaterThan(0);
  for (const { message } of failed)
    expect(message).toMatch(/^An internal error stopped reading alerts\. Reference: [0-9a-f-]{36}$/);
  await readAll();
});

test('reads alerts of any number of refs in batches', { tags: 'full', timeout: 240_000 }, async () => {
  const refs = Array.from({ length: 25 }, (_, index) => `refs/pull/${1000 + index}/merge`);
  const alert = {
    repository: 'sandbox/widgets',
    kind: 'code_scanning',
    path: 'b.txt',
    line: 1,
    title: 'On many refs',
    refs,
  };
  await sandbox.control('alerts', alert);
  expect((await waitUntilProcessed(acme.id, 120_000)).filter((row) => row.error !== null)).toEqual([]);
  await inAcme((tx) => queueAlertImport(server.services, tx, acme.id, { repositoryId }));
  const completedScans = async () =>
    (await scans()).filter(({ complete, state, ref }) => complete && state === 'done' && refs.includes(ref));
  await vi.waitFor(async () => expect(new Set((await completedScans()).map(({ ref }) => ref)).size).toBe(25), {
    timeout: 60_000,
    interval: 200,
  });
  await vi.waitFor(
    async () => {
      const { alerts } = (await readings()).find(({ source }) => source === 'code_scanning') ?? { alerts: 0 };
      expect(alerts).toBeGreaterThanOrEqual(25);
    },
    { timeout: 60_000, interval: 200 },
  );
});

test('stores no secret', async () => {
  const { rows: tables } = await server.services.database.pool.query<{ name: string }>(
    `select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`,
  );
  for (const { name } of tables) {
    const rows = await inAcme((tx) =>
      tx.query<{ row: string }>({ name: '', text: `select t::text as row from ${name} t`, values: [] }).catch(() => []),
    );
    expect(
      rows.filter(({ row }) => row.includes('NOT_A_SECRET')),
      name,
    ).toEqual([]);
  }
  const deliveries = await inAcme(({ db }) =>
    db.selectFrom('webhook_delivery').where('event', '=', 'secret_scanning_alert').select(['body', 'packed']).execute(),
  );
  expect(deliveries.length).toBeGreaterThan(3);
  // Long deliveries are compressed, so that the check above cannot read them.
  expect(deliveries.map(unpackBody).filter((body) => body.includes('NOT_A_SECRET'))).toEqual([]);
});
