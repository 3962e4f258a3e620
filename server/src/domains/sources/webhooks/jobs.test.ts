import { archiveOrganization, restoreOrganization } from '@sightline/contract/organization/organizations.ts';
import { listInstallationFailures, retryInstallationFailure } from '@sightline/contract/platform/operator.ts';
import { createStory } from '@sightline/sandbox/testing/repository.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Tx } from '#database/database.ts';
import { type SandboxGithub, startSandboxGithub } from '#providers/github/sandbox.fixture.ts';
import { startTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { queueRepositorySync, syncRepositories } from '../code-hosts/commands.ts';
import { webhookHelpers } from './deliveries.fixture.ts';

let story: Awaited<ReturnType<typeof createStory>>;
let sandbox: SandboxGithub;
let server: TestServer;
let acme: TestOrganization;
let installationId: string;

beforeAll(async () => {
  story = await createStory();
  sandbox = await startSandboxGithub([story.path]);
  server = await startTestServer({ environment: sandbox.environment, jobs: true });
  acme = await server.make.organization();
  installationId = String(sandbox.install().id);
  await bind(acme, installationId);
  await syncRepositories(server.services, acme.id, 'github', installationId);
  await inAcme(({ db }) => db.updateTable('repository').set({ tracked: true }).execute());
  sandbox.sandbox.deliverTo(`${server.url}/api/webhooks/github`);
  await sandbox.sandbox.refresh();
});
afterAll(async () => {
  await server.close();
  await sandbox.close();
  await story.remove();
});

const { inOrg, bind, post, waitUntilProcessed: finished } = webhookHelpers(() => server);
const inAcme = <Result>(work: (tx: Tx) => Promise<Result>) => inOrg(acme.id, work);
const waitUntilProcessed = (orgId = acme.id) => finished(orgId);

test('imports the commits of a push as the code host reports them', { tags: 'full' }, async () => {
  const sha = await story.commit('Push this\n\nCo-authored-by: Bob <info@example.org>', {
    'src/pushed.ts': 'one\ntwo\n',
  });
  await sandbox.sandbox.refresh();
  expect((await waitUntilProcessed()).filter((row) => row.error !== null)).toEqual([]);
  const commit = await inAcme(({ db }) =>
    db.selectFrom('commit').where('sha', '=', sha).selectAll().executeTakeFirstOrThrow(),
  );
  expect(commit).toMatchObject({ branch: 'main', author_login: 'ada', additions: 2, deletions: 0 });
  expect(commit.parents).toHaveLength(1);
  const repository = await inAcme(({ db }) => db.selectFrom('repository').selectAll().executeTakeFirstOrThrow());
  expect(repository.pushed_at?.getTime()).toBeGreaterThanOrEqual(commit.committed_at.getTime());
});

test('imports an opened pull request and its merge', { tags: 'full' }, async () => {
  story.git(['checkout', '--quiet', '-b', 'feature/more']);
  await story.commit('More of it', { 'src/more.ts': 'more\n' });
  await sandbox.sandbox.refresh();
  await waitUntilProcessed();
  const pulls = () =>
    inAcme(({ db }) =>
      db.selectFrom('pull_request').where('head_ref', '=', 'feature/more').select(['status', 'additions']).execute(),
    );
  expect(await pulls()).toEqual([{ status: 'in-progress', additions: 1 }]);
  story.git(['checkout', '--quiet', 'main']);
  story.merge('feature/more', "Merge branch 'feature/more'");
  await sandbox.sandbox.refresh();
  expect((await waitUntilProcessed()).filter((row) => row.error !== null)).toEqual([]);
  expect(await pulls()).toEqual([{ status: 'accepted', additions: 1 }]);
});

test('imports all commits of a large push', { tags: 'full' }, async () => {
  for (let number = 1; number <= 25; number += 1) await story.commit(`Many, ${number}`);
  const shas = story.git(['rev-list', '-25', 'main']).split('\n');
  await sandbox.sandbox.refresh();
  await waitUntilProcessed();
  const { count } = await inAcme(({ db }) =>
    db
      .selectFrom('commit')
      .where('sha', 'in', shas)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
  );
  expect(Number(count)).toBe(25);
});

test('uses the payload when the code host refuses, and delays the delivery when rate limited', {
  tags: 'full',
}, async () => {
  const repository = await inAcme(({ db }) => db.selectFrom('repository').selectAll().executeTakeFirstOrThrow());
  const payloadRepository = {
    id: Number(repository.provider_repo_id),
    name: repository.name,
    full_name: repository.full_name,
    private: true,
    html_url: repository.html_url,
    default_branch: 'main',
    pushed_at: 1_800_000_000,
  };
  const push = (sha: string, ref = 'refs/heads/main') => ({
    ref,
    before: '1'.repeat(40),
    after: sha,
    installation: { id: Number(installationId) },
    repository: payloadRepository,
    commits: [
      {
        id: sha,
        message: 'From the payload',
        timestamp: '2026-01-01T00:00:00+02:00',
        author: { name: 'Ada', email: 'ada@example.org', username: 'ada' },
        added: ['a.ts'],
      },
    ],
  });
  const find = (sha: string) =>
    inAcme(({ db }) => db.selectFrom('commit').where('sha', '=', sha).selectAll().executeTakeFirst());
  await post('push', push('a'.repeat(40)));
  await post('push', push('b'.repeat(40), 'refs/tags/v2'));
  await post('push', { ...push('0'.repeat(40)), deleted: true, commits: [] });
  expect((await waitUntilProcessed()).filter((row) => row.error !== null)).toEqual([]);
  const commit = await find('a'.repeat(40));
  expect(commit).toMatchObject({ message: 'From the payload', parents: null, additions: null });
  expect(commit?.files).toEqual([{ path: 'a.ts', status: 'added', additions: null, deletions: null }]);
  expect(await find('b'.repeat(40))).toBeUndefined();

  await sandbox.control('faults', { match: '/commits/c{40}', status: 429, retryAfter: 6 });
  await post('push', push('c'.repeat(40)));
  await vi.waitFor(
    async () => {
      const pending = await inAcme(({ db }) =>
        db.selectFrom('webhook_delivery').where('processed_at', 'is', null).select('not_before').execute(),
      );
      expect(pending).toEqual([{ not_before: expect.any(Date) }]);
    },
    { timeout: 5_000 },
  );
  expect(await find('c'.repeat(40))).toBeUndefined();
  await waitUntilProcessed();
  expect(await find('c'.repeat(40))).toMatchObject({ message: 'From the payload' });
});

test('lists a failed delivery for operators, who can retry it', async () => {
  const operator = await server.make.account();
  await server.services.database.global(({ db }) =>
    db.updateTable('account').set({ is_operator: true }).where('id', '=', operator.id).execute(),
  );
  const org = await server.make.organization();
  await bind(org, '4712');
  const failedId = await post('repository', {
    action: 'renamed',
    repository: { id: 'no number' },
    installation: { id: 4712 },
  });
  await waitUntilProcessed(org.id);
  const listed = () => server.as(operator)(listInstallationFailures, { query: { search: org.id } });
  expect((await listed()).rows).toMatchObject([
    { kind: 'host_webhook', id: failedId, item: 'repository', organization: { id: org.id } },
  ]);
  const retry = (failureId: string) =>
    server.as(operator)(retryInstallationFailure, {
      params: { organizationId: org.id, kind: 'host_webhook', failureId },
    });
  const [before] = await waitUntilProcessed(org.id);
  await retry(failedId);
  const [after] = await waitUntilProcessed(org.id);
  expect(after?.processed_at?.getTime()).toBeGreaterThan(before?.processed_at?.getTime() ?? Number.POSITIVE_INFINITY);
  expect(after?.error).toBe(before?.error);
  await expect(retry('another')).rejects.toMatchObject({ status: 404 });

  await inOrg(org.id, ({ db }) => db.updateTable('webhook_delivery').set({ body_deleted_at: new Date() }).execute());
  await expect(retry(failedId)).rejects.toMatchObject({ status: 409 });
  expect((await listed()).rows).toEqual([]);
});

test('processes deliveries in order and continues after a failed one', async () => {
  const org = await server.make.organization();
  await bind(org, '4711');
  const repository = (name: string) => ({
    id: 900_001,
    name,
    full_name: `octo/${name}`,
    private: true,
    html_url: `http://localhost/octo/${name}`,
    default_branch: 'main',
  });
  const about = { installation: { id: 4711 } };
  await post('repository', { action: 'created', repository: repository('one'), ...about });
  const broken = await post('repository', { action: 'renamed', repository: { id: 'no number' }, ...about });
  await post('repository', { action: 'renamed', repository: repository('two'), ...about });
  const last = await post('repository', { action: 'renamed', repository: repository('three'), ...about });
  const rows = await waitUntilProcessed(org.id);
  expect(rows.map((row) => row.received_at.getTime())).toEqual(rows.map((row) => row.received_at.getTime()).sort());
  expect(rows.at(-1)?.delivery_id).toBe(last);
  expect(rows.filter((row) => row.error !== null).map((row) => row.delivery_id)).toEqual([broken]);
  const names = () =>
    inOrg(org.id, ({ db }) => db.selectFrom('repository').select(['full_name', 'removed_at', 'tracked']).execute());
  expect(await names()).toEqual([{ full_name: 'octo/three', removed_at: null, tracked: false }]);
  await post('installation_repositories', { action: 'removed', repositories_removed: [{ id: 900_001 }], ...about });
  await waitUntilProcessed(org.id);
  expect(await names()).toMatchObject([{ removed_at: expect.any(Date) }]);
});

test('suspends, resumes and uninstalls an installation', async () => {
  const org = await server.make.organization();
  await bind(org, '815');
  const send = async (action: string, id = 815) => {
    const installation = {
      id,
      account: { login: 'octo' },
      html_url: 'http://localhost',
      permissions: { issues: 'read' },
    };
    await post('installation', { action, installation });
    await waitUntilProcessed(org.id);
    return inOrg(org.id, ({ db }) => db.selectFrom('installation').selectAll().executeTakeFirstOrThrow());
  };
  expect((await send('suspend')).suspended_at).not.toBeNull();
  expect((await send('unsuspend')).suspended_at).toBeNull();
  expect((await send('new_permissions_accepted')).permissions).toEqual({ issues: 'read' });
  expect((await send('deleted')).deleted_at).not.toBeNull();
  const audit = await inOrg(org.id, ({ db }) =>
    db.selectFrom('audit_event').select(['action', 'actor_kind']).orderBy('id').execute(),
  );
  expect(audit.map((row) => row.action)).toEqual([
    'integration.suspended',
    'integration.resumed',
    'integration.permissions_changed',
    'integration.disconnected',
  ]);
  expect(new Set(audit.map((row) => row.actor_kind))).toEqual(new Set(['integration']));
});

test('keeps a job queued by one process while another holds the lock', { tags: 'full' }, async () => {
  const org = await server.make.organization();
  await bind(org, '816');
  await inOrg(org.id, async (tx) => {
    await tx.query({ name: '', text: 'select pg_advisory_xact_lock(7318202, hashtext($1))', values: [org.id] });
    await post('star', { installation: { id: 816 } });
    await vi.waitFor(async () => {
      const { rows } = await server.services.database.pool.query(
        `select from pgboss.job where name = 'webhook.work' and state = 'completed' and singleton_key = $1`,
        [org.id],
      );
      expect(rows.length).toBeGreaterThan(0);
    }, 10_000);
  });
  await waitUntilProcessed(org.id);
});

test('updates the repository picker after a sync requested by a job', async () => {
  await inAcme(async (tx) => {
    await tx.db.updateTable('repository').set({ name: 'stale', full_name: 'sandbox/stale' }).execute();
    await queueRepositorySync(server.services, tx, acme.id, { provider: 'github', installationId });
  });
  await vi.waitFor(
    async () => {
      const rows = await inAcme(({ db }) => db.selectFrom('repository').select('full_name').execute());
      expect(rows).toEqual([{ full_name: 'sandbox/widgets' }]);
    },
    { timeout: 10_000 },
  );
});

test('stores deliveries for an archived organization and processes them after restoring', {
  tags: 'full',
}, async () => {
  const call = server.as(acme.owner, acme.id);
  await call(archiveOrganization, {});
  const sha = await story.commit('Pushed while archived', { 'src/late.ts': 'late\n' });
  await sandbox.sandbox.refresh();
  const open = () =>
    inAcme(({ db }) => db.selectFrom('webhook_delivery').where('processed_at', 'is', null).select('event').execute());
  await vi.waitFor(async () => expect(await open()).toContainEqual({ event: 'push' }), { timeout: 10_000 });
  await vi.waitFor(
    async () => {
      const { rows } = await server.services.database.pool.query(
        `select from pgboss.job where name = 'webhook.work' and state in ('created', 'active') and singleton_key = $1`,
        [acme.id],
      );
      expect(rows).toHaveLength(0);
    },
    { timeout: 10_000 },
  );
  const found = () => inAcme(({ db }) => db.selectFrom('commit').where('sha', '=', sha).select('sha').execute());
  expect(await found()).toEqual([]);
  expect(await open()).toContainEqual({ event: 'push' });
  await call(restoreOrganization, {});
  await waitUntilProcessed();
  expect(await found()).toEqual([{ sha }]);
});
