import { listIntegrations } from '@sightline/contract/sources/integrations.ts';
import { createStory } from '@sightline/sandbox/testing/repository.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { HostFailed } from '#providers/code-host.ts';
import { type SandboxGerrit, startSandboxGerrit } from '#providers/gerrit/sandbox.fixture.ts';
import { startTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { enableOn } from '../../../architecture/generated-history/code-host-fixtures.ts';
import { webhookHelpers } from '../webhooks/deliveries.fixture.ts';
import { reconcileJobs } from './jobs.ts';
import { reconcileRepository } from './reconcile.ts';

let story: Awaited<ReturnType<typeof createStory>>;
let sandbox: SandboxGerrit;
let server: TestServer;
let acme: TestOrganization;

const { inOrg } = webhookHelpers(() => server);
const patience = { timeout: 60_000 };

beforeAll(async () => {
  story = await createStory('widgets');
  sandbox = await startSandboxGerrit([story.path]);
  server = await startTestServer({
    environment: sandbox.environment,
    jobs: true,
    codeHosts: sandbox.codeHosts,
    destinations: [sandbox.sandbox.url],
  });
  acme = await server.make.organization();
  await enableOn(server, acme, 'gerrit', { token: sandbox.passwordOf(), email: 'ada' });
  await vi.waitFor(async () => {
    const row = await inOrg(acme.id, ({ db }) => db.selectFrom('repository_import').select('state').executeTakeFirst());
    expect(row?.state).toBe('done');
  }, patience);
}, 90_000);
afterAll(async () => {
  await server.close();
  await sandbox.close();
  await story.remove();
});

test('the scheduled job imports from a code host without webhooks, and its card reports no missed ones', async () => {
  const sha = await story.commit('Found by polling', { 'polled.txt': 'p\n' });
  await sandbox.sandbox.refresh();
  const job = reconcileJobs(server.services).find(({ name }) => name === 'reconcile.polled');
  expect(job?.cron).toBe('*/10 * * * *');
  await job?.handle({} as never);
  await vi.waitFor(async () => {
    const found = await inOrg(acme.id, ({ db }) =>
      db.selectFrom('commit').where('org_id', '=', acme.id).where('sha', '=', sha).select('branch').execute(),
    );
    expect(found).toEqual([{ branch: 'main' }]);
  }, patience);
  await vi.waitFor(async () => {
    const row = await inOrg(acme.id, ({ db }) =>
      db.selectFrom('repository_reconcile').select(['healed', 'failure']).executeTakeFirst(),
    );
    expect(row).toEqual({ healed: 1, failure: null });
  }, patience);
  const cards = await server.as(acme.owner, acme.id)(listIntegrations, {});
  expect(cards.find(({ name }) => name === 'gerrit')).toMatchObject({ status: 'active', notes: [] });
});

test('the card of a polled code host states that it fails to answer, and when it last answered', async () => {
  const card = async () => {
    const cards = await server.as(acme.owner, acme.id)(listIntegrations, {});
    return cards.find(({ name }) => name === 'gerrit');
  };
  const { id } = await inOrg(acme.id, ({ db }) =>
    db.selectFrom('repository').select('id').where('tracked', '=', true).executeTakeFirstOrThrow(),
  );
  const poll = () => reconcileRepository(server.services, acme.id, id);
  await poll();
  const row = await inOrg(acme.id, ({ db }) =>
    db.selectFrom('repository_reconcile').select('reconciled_at').executeTakeFirstOrThrow(),
  );
  const readAt = row.reconciled_at?.toISOString();
  expect(await card()).toMatchObject({ status: 'active', lastSyncAt: readAt });
  await sandbox.control('faults', { match: '^/gerrit/a/', status: 500, times: 1000 });
  await expect(poll()).rejects.toThrow(HostFailed);
  expect(await card()).toMatchObject({
    status: 'error',
    lastSyncAt: readAt,
    problem: { code: 'host_unanswered', message: expect.stringContaining('1 repository') },
  });
  await fetch(`${sandbox.sandbox.url}/_sandbox/faults`, { method: 'DELETE' });
  await poll();
  const now = await card();
  expect(now).toMatchObject({ status: 'active', problem: null });
  expect(Date.parse(now?.lastSyncAt ?? '')).toBeGreaterThan(Date.parse(readAt ?? ''));
});
