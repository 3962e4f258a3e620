import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listAudit } from '@sightline/contract/organization/audit.ts';
import { createStory } from '@sightline/sandbox/testing/repository.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SandboxGitea, startSandboxGitea } from '#providers/gitea/sandbox.fixture.ts';
import { startTestServer, type TestServer } from '#testing/server.ts';
import { operatorCliOf } from './testing/in-process.ts';

let repository: Awaited<ReturnType<typeof createStory>>;
let sandbox: SandboxGitea;
let server: TestServer;
let folder: string;
beforeAll(async () => {
  repository = await createStory('widgets');
  sandbox = await startSandboxGitea([repository.path]);
  server = await startTestServer({ destinations: [] });
  folder = await mkdtemp(join(tmpdir(), 'sightline-code-host-'));
}, 60_000);
afterAll(async () => {
  await server.close();
  await sandbox.close();
  await repository.remove();
  await rm(folder, { recursive: true, force: true });
});

test('connects, lists and disconnects a code host as the operator', async () => {
  const acme = await server.make.organization();
  const file = join(folder, 'token');
  await writeFile(file, `${sandbox.tokenOf()}\n`, { mode: 0o600 });
  const { ask } = operatorCliOf(server);
  const at = ['--org', acme.id] as const;
  const options = ['--as', acme.owner.email, '--url', sandbox.baseURL, '--token-file', file];
  // The sandbox is on this machine.
  await expect(ask('code-hosts', 'connect', 'gitea', ...at, ...options)).rejects.toThrow();
  await ask('outbound', 'allow', '127.0.0.1', ...at, '--purpose', 'code-host');
  expect(await ask('code-hosts', 'connect', 'gitea', ...at, ...options, '--select', 'all')).toMatchObject({
    available: ['sandbox'],
    selected: ['sandbox'],
  });
  const { hosts } = (await ask('code-hosts', 'list', ...at)) as { hosts: unknown[] };
  expect(hosts).toContainEqual({
    provider: 'gitea',
    connected: true,
    login: 'ada',
    failure: null,
    selected: ['sandbox'],
  });
  await ask('code-hosts', 'disconnect', 'gitea', ...at);
  expect(await ask('code-hosts', 'list', ...at)).toMatchObject({
    hosts: expect.arrayContaining([{ provider: 'gitea', connected: false, login: null, failure: null, selected: [] }]),
  });
  const { entries } = await server.as(acme.owner, acme.id)(listAudit, {
    query: { action: ['integration.connected', 'integration.disconnected'] },
  });
  expect(new Set(entries.map(({ actor }) => actor.kind))).toEqual(new Set(['operator']));
});
