import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listAudit } from '@sightline/contract/organization/audit.ts';
import { createStory } from '@sightline/sandbox/testing/repository.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SandboxGithub, startSandboxGithub } from '#providers/github/sandbox.fixture.ts';
import { startTestServer, type TestServer } from '#testing/server.ts';
import { createScannerHelpers } from '../domains/vulnerabilities/scanners/connected.fixture.ts';
import { operatorCliOf } from './testing/in-process.ts';

let story: Awaited<ReturnType<typeof createStory>>;
let github: SandboxGithub;
let server: TestServer;
beforeAll(async () => {
  story = await createStory();
  github = await startSandboxGithub([story.path]);
  server = await startTestServer({ environment: { ...github.environment, CHECKMARX_BASE_URL: github.sandbox.url } });
});
afterAll(async () => {
  await server.close();
  await github.close();
  await story.remove();
});

test('connects, syncs, lists and disconnects a scanner as the operator', async () => {
  const acme = await server.make.organization();
  const { connection } = createScannerHelpers(
    () => server,
    () => github,
    'semgrep',
  );
  const { ask } = operatorCliOf(server);
  const { apiKey, baseURL } = await connection();
  const file = join(story.path, 'token.txt');
  await writeFile(file, `${apiKey}\n`);
  const org = ['--org', acme.id];
  await ask('outbound', 'allow', '127.0.0.1', ...org, '--purpose', 'scanner');
  const connect = ['scanners', 'connect', 'semgrep', ...org, '--key-file', file, '--url', baseURL];
  expect(await ask(...connect)).toMatchObject({ scanner: 'semgrep', baseURL });
  expect(await ask('scanners', 'sync', 'semgrep', ...org)).toMatchObject({ queued: true });
  const listed = await ask<{ scanners: object[] }>('scanners', 'list', ...org);
  expect(listed.scanners).toContainEqual(expect.objectContaining({ scanner: 'semgrep', status: 'active' }));
  expect(JSON.stringify(listed)).not.toContain(apiKey);
  expect(await ask('scanners', 'disconnect', 'semgrep', ...org)).toMatchObject({ connected: false });
  const { entries } = await server.as(acme.owner, acme.id)(listAudit, { query: { perPage: 100 } });
  const own = entries.filter(({ action }) => action.startsWith('integration.'));
  expect(own.map(({ action, actor }) => [action, actor.kind])).toEqual([
    ['integration.disconnected', 'operator'],
    ['integration.sync_requested', 'operator'],
    ['integration.connected', 'operator'],
  ]);
});
