import {
  enableRepositories,
  getRepository,
  listProviderRepos,
  retryImport,
} from '@sightline/contract/sources/repositories.ts';
import { createStory } from '@sightline/sandbox/testing/repository.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type SandboxGithub, startSandboxGithub } from '#providers/github/sandbox.fixture.ts';
import { startTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { syncRepositories } from '../code-hosts/commands.ts';
import { webhookHelpers } from '../webhooks/deliveries.fixture.ts';

let story: Awaited<ReturnType<typeof createStory>>;
let other: Awaited<ReturnType<typeof createStory>>;
let sandbox: SandboxGithub;
let server: TestServer;
let org: TestOrganization;

beforeAll(async () => {
  story = await createStory();
  other = await createStory('gadgets');
  sandbox = await startSandboxGithub([story.path, other.path]);
  server = await startTestServer({ environment: sandbox.environment, jobs: true });
  org = await server.make.organization();
  const installation = String(sandbox.install().id);
  await bind(org, installation);
  await syncRepositories(server.services, org.id, 'github', installation);
});
afterAll(async () => {
  await server.close();
  await sandbox.close();
  await Promise.all([story.remove(), other.remove()]);
});

const { inOrg, bind } = webhookHelpers(() => server);
const soon = { timeout: 80_000, interval: 100 };
const keyOf = (name: string) => ({ provider: 'github', repoPath: `sandbox/${name}` }) as const;

async function enable(name: string): Promise<void> {
  const call = server.as(org.owner, org.id);
  const { providerRepos } = await call(listProviderRepos, {});
  const repository = providerRepos.github?.sandbox?.find((one) => one.name === name);
  if (!repository) throw new Error(`the sandbox offers no ${name}`);
  const chosen = { github: { sandbox: [{ id: repository.id, tracked: true }] } };
  await call(enableRepositories, { body: { providerRepos: chosen } });
}

const stateOf = async (name: string) =>
  (await server.as(org.owner, org.id)(getRepository, { params: keyOf(name) })).import;
const failure = (match: string, times: number, status = 500) => sandbox.control('faults', { match, status, times });

/** The connections that hold an import lock. */
const lockHolders = () =>
  inOrg(org.id, (tx) =>
    tx.query({
      name: '',
      text: `select l.pid from pg_locks l join pg_database d on d.oid = l.database and d.datname = current_database()
             join repository r on r.org_id = $1 and (l.classid::bigint << 32) | l.objid::bigint = hashtextextended(r.id::text, 7318206)
             where l.locktype = 'advisory' and l.objsubid = 1`,
      values: [org.id],
    }),
  );

test('retries a failed import automatically, without a lock that blocks the next attempt', {
  tags: ['full'],
  timeout: 90_000,
}, async () => {
  await failure('/repos/sandbox/widgets/commits\\?', 3);
  await enable('widgets');
  await vi.waitFor(async () => expect(await stateOf('widgets')).toMatchObject({ state: 'done', error: null }), soon);
  await vi.waitFor(async () => expect(await lockHolders()).toEqual([]), 4_000);
});

test('ends a repeatedly failing import as failed with its reason, and Retry imports the rest', {
  tags: 'full',
  timeout: 180_000,
}, async () => {
  await failure('/repos/sandbox/gadgets/commits\\?', 10_000);
  await enable('gadgets');
  await vi.waitFor(
    async () => expect(await stateOf('gadgets')).toMatchObject({ state: 'queued', error: 'GitHub answered 500' }),
    soon,
  );
  // The next attempt is the last.
  await inOrg(org.id, ({ db }) => db.updateTable('repository_import').set({ attempts: 4 }).execute());
  await vi.waitFor(
    async () => expect(await stateOf('gadgets')).toMatchObject({ state: 'failed', error: 'GitHub answered 500' }),
    soon,
  );
  await vi.waitFor(async () => expect(await lockHolders()).toEqual([]), 4_000);
  await fetch(`${sandbox.sandbox.url}/_sandbox/faults`, { method: 'DELETE' });
  await server.as(org.owner, org.id)(retryImport, { params: keyOf('gadgets') });
  await vi.waitFor(async () => expect(await stateOf('gadgets')).toMatchObject({ state: 'done', error: null }), soon);
});
