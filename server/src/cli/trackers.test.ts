import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listAudit } from '@sightline/contract/organization/audit.ts';
import { renewToken, siteEmail, tokenOf } from '@sightline/sandbox/trackers/site.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTrackers, type TrackerWorld } from '../domains/sources/trackers/connected.fixture.ts';
import { operatorCliOf } from './testing/in-process.ts';

let world: TrackerWorld;
let folder: string;
beforeAll(async () => {
  world = await startTrackers();
  folder = await mkdtemp(join(tmpdir(), 'sightline-tracker-'));
}, 60_000);
afterAll(async () => {
  await world.close();
  await rm(folder, { recursive: true, force: true });
});

test('connects, tests, lists and disconnects an issue tracker', async () => {
  const { server, site } = world;
  const acme = await server.make.organization();
  const jira = site('jira-cloud');
  const file = join(folder, 'token');
  await writeFile(file, `${tokenOf(jira)}\n`, { mode: 0o600 });
  const { ask } = operatorCliOf(server);
  const at = ['--org', acme.id] as const;
  // The sandbox is on this machine.
  await ask('outbound', 'allow', '127.0.0.1', ...at, '--purpose', 'tracker');
  const options = ['--as', acme.owner.email, '--url', jira.url(), '--email', siteEmail, '--token-file', file];
  expect(await ask('tracker', 'connect', 'jira-cloud', ...at, ...options)).toMatchObject({ projects: 3 });
  expect(await ask('tracker', 'test', 'jira-cloud', ...at)).toMatchObject({ ok: true, projects: 3 });
  expect(await ask('tracker', 'list', ...at)).toMatchObject({
    trackers: [{ tracker: 'jira-cloud', status: 'active' }, { status: 'inactive' }, { status: 'inactive' }],
  });
  renewToken(jira);
  await expect(ask('tracker', 'test', 'jira-cloud', ...at)).rejects.toThrow('ended with 1');
  await ask('tracker', 'disconnect', 'jira-cloud', ...at);
  expect(await ask('tracker', 'list', ...at)).toMatchObject({ trackers: [{ status: 'inactive' }, {}, {}] });
  const { entries } = await server.as(acme.owner, acme.id)(listAudit, {
    query: { action: ['integration.connected', 'integration.disconnected'] },
  });
  expect(entries.map(({ actor }) => actor.kind)).toEqual(['operator', 'operator']);
});
