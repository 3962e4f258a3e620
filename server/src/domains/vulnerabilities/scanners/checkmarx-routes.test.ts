import { listAudit } from '@sightline/contract/organization/audit.ts';
import {
  connectScanner,
  disconnectScanner,
  getScanner,
  listScannerProjects,
  matchScannerProject,
  syncScanner,
  testScanner,
} from '@sightline/contract/sources/integrations.ts';
import { createStory } from '@sightline/sandbox/testing/repository.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type SandboxGithub, startSandboxGithub } from '#providers/github/sandbox.fixture.ts';
import { refusalOf, startTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { createCheckmarxHelpers, ofCheckmarx } from './checkmarx-connected.fixture.ts';

let story: Awaited<ReturnType<typeof createStory>>;
let github: SandboxGithub;
let server: TestServer;
let acme: TestOrganization;

beforeAll(async () => {
  story = await createStory();
  github = await startSandboxGithub([story.path]);
  const environment = { ...github.environment, CHECKMARX_BASE_URL: github.sandbox.url };
  server = await startTestServer({ environment, jobs: true });
});
afterAll(async () => {
  await server.close();
  await github.close();
  await story.remove();
});
beforeEach(async () => {
  acme = await server.make.organization();
  const { kept } = github.sandbox.tenant;
  Object.assign(kept, { webhooks: [], revoked: [], mayRead: true, mayHook: true });
});

const { inOrg, enable, key, connect, settled, scan, findings } = createCheckmarxHelpers(
  () => server,
  () => github,
);
const owner = () => server.as(acme.owner, acme.id);
const connectionBody = (change: object = {}) => ({ tenant: 'sandbox', apiKey: key(), ...change });
const testConnection = (change: object = {}) =>
  owner()(testScanner, { params: ofCheckmarx, body: connectionBody(change) });
const repository = 'sandbox/widgets';

describe('connecting', () => {
  test('reads projects and newest scans and returns them without the key', async () => {
    await enable(acme);
    expect(await owner()(getScanner, { params: ofCheckmarx })).toBeNull();
    const settings = await connect(acme);
    expect(settings).toMatchObject({ tenant: 'sandbox', baseURL: github.sandbox.url, keyEnd: key().slice(-4) });
    const { sync, webhook } = await settled(acme);
    expect(sync).toMatchObject({ state: 'idle', error: null, projects: { done: 2, total: 2 } });
    expect(webhook).toBe('registered');
    const found = await findings(acme.id);
    expect(found).toHaveLength(sync.results);
    expect(new Set(found.map(({ category }) => category))).toEqual(
      new Set(['sast', 'sca', 'container', 'secret', 'scorecard']),
    );
    expect(found.filter(({ status }) => status === 'dismissed').map(({ title }) => title)).toEqual([
      'Command Injection',
    ]);
    const { rows } = await owner()(listScannerProjects, { params: ofCheckmarx });
    expect(rows.map(({ name, matchedBy, repository: to }) => [name, matchedBy, to?.fullName ?? null])).toEqual([
      ['Nightly archive', null, null],
      [repository, 'url', repository],
    ]);
  });

  test('records connection, key change and disconnection in the audit log', async () => {
    await connect(acme);
    await settled(acme);
    await connect(acme);
    await owner()(syncScanner, { params: ofCheckmarx });
    await owner()(disconnectScanner, { params: ofCheckmarx });
    const { entries } = await owner()(listAudit, { query: { perPage: 100 } });
    const actions = entries.map(({ action }) => action).filter((action) => action.startsWith('integration.'));
    expect(actions.toSorted()).toEqual([
      'integration.changed',
      'integration.connected',
      'integration.disconnected',
      'integration.sync_requested',
    ]);
    expect(entries.find(({ action }) => action === 'integration.connected')?.subject.name).toBe(
      'Checkmarx One of sandbox',
    );
  });

  test('reports the error at the affected field and stores nothing', async () => {
    const expired = key();
    await github.control('checkmarx/expire-key', {});
    const cases: [object, string, string | null][] = [
      [{ tenant: 'somebody-else' }, 'wrong_tenant', 'tenant'],
      [{ apiKey: 'not a key' }, 'bad_key', 'apiKey'],
      [{ apiKey: `${key()}x` }, 'bad_key', 'apiKey'],
      [{ apiKey: expired }, 'expired_key', 'apiKey'],
      [{ baseURL: 'https://no-such-host.invalid' }, 'refused_host', 'baseURL'],
      [{ baseURL: 'https://10.0.0.1' }, 'refused_host', 'baseURL'],
    ];
    for (const [change, code, field] of cases) {
      const { ok, problem } = await testConnection(change);
      expect([ok, problem?.code, problem?.field]).toEqual([false, code, field]);
      expect(problem?.message).toMatch(/^[A-Z].{30,}\.$/);
      const refused = await owner()(connectScanner, { params: ofCheckmarx, body: connectionBody(change) }).catch(
        (error) => error,
      );
      expect([code, refused.status, refused.refusal.details[0].field]).toEqual([code, 400, field]);
      expect(refused.refusal.message).toBe(problem?.message);
    }
    // The key contains its tenant, so that no request is needed to reject it.
    expect((await testConnection({ tenant: 'somebody-else' })).problem?.message).toContain(
      'belongs to the tenant “sandbox”',
    );
    expect(await owner()(getScanner, { params: ofCheckmarx })).toBeNull();
  });

  test.each([
    ['forbidden', { mayRead: false }, 'no_permission'],
    ['slow or broken', undefined, 'unreachable'],
  ])('distinguishes a tenant that is %s from a wrong key', async (_, rights, code) => {
    if (rights) await github.control('checkmarx/rights', rights);
    else await github.control('faults', { match: '^/api/projects', status: 503 });
    const { problem } = await testConnection();
    expect(problem?.code).toBe(code);
  });

  test('rejects a host that is not Checkmarx One or redirects elsewhere', async () => {
    await github.control('faults', { match: '^/api/projects', status: 404 });
    expect((await testConnection()).problem).toMatchObject({ code: 'wrong_host', field: 'baseURL' });
  });

  test('accepts pasted values with spaces and a base URL with a path', async () => {
    const settings = await owner()(connectScanner, {
      params: ofCheckmarx,
      body: { tenant: ' Sandbox ', apiKey: ` ${key()}\n`, baseURL: `${github.sandbox.url}/projects?x=1` },
    });
    expect(settings).toMatchObject({ tenant: 'Sandbox', baseURL: github.sandbox.url });
  });

  test('tests the stored key only at the host it was entered for', async () => {
    expect((await owner()(testScanner, { params: ofCheckmarx, body: {} })).problem?.code).toBe('bad_key');
    await connect(acme);
    expect(await owner()(testScanner, { params: ofCheckmarx, body: {} })).toEqual({
      ok: true,
      problem: null,
      projects: 2,
    });
    const elsewhere = await owner()(testScanner, { params: ofCheckmarx, body: { baseURL: 'https://example.org' } });
    expect(elsewhere.problem).toMatchObject({ code: 'bad_key', field: 'apiKey' });
  });

  test('is restricted to owners', async () => {
    for (const role of ['rol_contributor', 'rol_reviewer', 'rol_auditor'] as const) {
      const member = server.as(await server.make.member(acme.id, role), acme.id);
      expect(await refusalOf(member(connectScanner, { params: ofCheckmarx, body: connectionBody() }))).toMatchObject({
        status: 403,
      });
      expect(await refusalOf(member(getScanner, { params: ofCheckmarx }))).toMatchObject({ status: 403 });
      expect(await refusalOf(member(disconnectScanner, { params: ofCheckmarx }))).toMatchObject({ status: 403 });
    }
    expect(await owner()(connectScanner, { params: ofCheckmarx, body: connectionBody() })).toMatchObject({
      tenant: 'sandbox',
    });
    await owner()(disconnectScanner, { params: ofCheckmarx });
    expect(await owner()(getScanner, { params: ofCheckmarx })).toBeNull();
  });
});

describe('a sync', () => {
  test('adds one new and one fixed finding, and changes nothing for the same scan', async () => {
    await enable(acme);
    await connect(acme);
    await settled(acme);
    const before = await findings(acme.id);
    await owner()(syncScanner, { params: ofCheckmarx });
    await settled(acme);
    expect(await findings(acme.id)).toEqual(before);

    await scan({ project: repository, add: 1, remove: 1 });
    await vi.waitFor(
      async () => {
        const after = await findings(acme.id);
        expect(after).toHaveLength(before.length + 1);
        expect(after.filter(({ status }) => status === 'fixed')).toHaveLength(1);
      },
      { timeout: 30_000 },
    );
  });

  test('fixes nothing for a scan with a failed engine', async () => {
    await enable(acme);
    await connect(acme);
    await settled(acme);
    const before = await findings(acme.id);
    await scan({ project: repository, remove: 3, status: 'Partial' });
    await settled(acme);
    await owner()(syncScanner, { params: ofCheckmarx });
    await settled(acme);
    expect(await findings(acme.id)).toEqual(before);
  });

  test('matches a project manually and removes it from its previous repository', async () => {
    const ids = await enable(acme);
    await connect(acme);
    await settled(acme);
    const { rows } = await owner()(listScannerProjects, { params: ofCheckmarx, query: { search: 'archive' } });
    const [archive] = rows;
    if (!archive) throw new Error('no archive');
    const before = await findings(acme.id);
    const repositoryId = ids.get(repository) ?? '';
    const params = { ...ofCheckmarx, projectId: archive.id };
    const matched = await owner()(matchScannerProject, { params, body: { repositoryId } });
    expect(matched).toMatchObject({ matchedBy: 'manual', repository: { fullName: repository } });
    await settled(acme);
    const analyses = () =>
      inOrg(acme.id, ({ db }) =>
        db.selectFrom('analysis').where('org_id', '=', acme.id).select('category').orderBy('category').execute(),
      );
    await vi.waitFor(
      async () => expect((await analyses()).map(({ category }) => category)).toContain('sast-2'),
      20_000,
    );
    await settled(acme);
    // Results of both projects are one finding; results of the other project stay open.
    expect((await findings(acme.id)).filter(({ status }) => status === 'fixed')).toEqual([]);
    expect((await findings(acme.id)).length).toBeGreaterThanOrEqual(before.length);

    const none = await owner()(matchScannerProject, { params, body: { repositoryId: null } });
    expect(none).toMatchObject({ matchedBy: 'manual', repository: null });
    const open = async () => (await findings(acme.id)).filter(({ status }) => status !== 'fixed');
    await vi.waitFor(async () => expect(await open()).toHaveLength(before.length), { timeout: 30_000 });
    await owner()(syncScanner, { params: ofCheckmarx });
    await settled(acme);
    const again = await owner()(listScannerProjects, { params: ofCheckmarx, query: { search: 'archive' } });
    expect(again.rows[0]).toMatchObject({ matchedBy: 'manual', repository: null });
  });

  test('hides projects and repositories of another organization', async () => {
    const ids = await enable(acme);
    await connect(acme);
    await settled(acme);
    const { rows } = await owner()(listScannerProjects, { params: ofCheckmarx });
    const params = { ...ofCheckmarx, projectId: rows[0]?.id ?? '' };
    const other = await server.make.organization('Other');
    const theirs = server.as(other.owner, other.id);
    const body = { repositoryId: ids.get(repository) ?? '' };
    expect(await refusalOf(theirs(matchScannerProject, { params, body }))).toMatchObject({ status: 404 });
    const [foreign] = await enable(other).then((map) => [...map.values()]);
    const mine = owner()(matchScannerProject, { params, body: { repositoryId: foreign ?? '' } });
    expect(await refusalOf(mine)).toMatchObject({ status: 404 });
  });
});

describe('a failing connection', () => {
  test('shows an expired key as a problem and recovers with a new one', async () => {
    await enable(acme);
    await connect(acme);
    await settled(acme);
    await github.control('checkmarx/expire-key', {});
    await owner()(syncScanner, { params: ofCheckmarx });
    await vi.waitFor(
      async () => expect((await owner()(getScanner, { params: ofCheckmarx }))?.sync.state).toBe('failed'),
      {
        timeout: 20_000,
      },
    );
    const row = () =>
      inOrg(acme.id, ({ db }) =>
        db
          .selectFrom('integration')
          .where('org_id', '=', acme.id)
          .select(['status', 'problem', 'sync_error'])
          .executeTakeFirstOrThrow(),
      );
    expect(await row()).toMatchObject({ status: 'error', problem: { code: 'expired_key' } });
    await connect(acme);
    await settled(acme);
    expect(await row()).toEqual({ status: 'active', problem: null, sync_error: null });
  });

  test('retries a failed call and waits for a rate-limited one', { tags: 'full' }, async () => {
    await enable(acme);
    await connect(acme);
    await settled(acme);
    await github.control('faults', { match: '^/api/results', status: 500, times: 2 });
    await github.control('faults', { match: '^/api/scans', status: 429, retryAfter: 1 });
    await github.control('checkmarx/scan', { project: repository, add: 0, remove: 1 });
    await owner()(syncScanner, { params: ofCheckmarx });
    await vi.waitFor(
      async () =>
        expect((await findings(acme.id)).filter(({ status }) => status === 'fixed').length).toBeGreaterThan(0),
      { timeout: 40_000 },
    );
  });

  test('deletes key and webhook on disconnect and keeps the findings', async () => {
    await enable(acme);
    await connect(acme);
    await settled(acme);
    const before = await findings(acme.id);
    expect(github.sandbox.tenant.kept.webhooks).toHaveLength(1);
    await owner()(disconnectScanner, { params: ofCheckmarx });
    expect(github.sandbox.tenant.kept.webhooks).toHaveLength(0);
    expect(await owner()(getScanner, { params: ofCheckmarx })).toBeNull();
    expect(await findings(acme.id)).toEqual(before);
    const row = await inOrg(acme.id, ({ db }) =>
      db.selectFrom('integration').where('org_id', '=', acme.id).selectAll().executeTakeFirstOrThrow(),
    );
    expect(row).toMatchObject({ status: 'inactive', secret: null, hook_secret: null });
    expect(await refusalOf(owner()(syncScanner, { params: ofCheckmarx }))).toMatchObject({ status: 409 });
    await connect(acme);
    await settled(acme);
    expect(await findings(acme.id)).toEqual(before);
  });
});
