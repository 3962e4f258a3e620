import { urlOf } from '@sightline/contract/core/client.ts';
import { uploadSarif } from '@sightline/contract/vulnerabilities/scans.ts';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newId } from '#core/ids.ts';
import { type CrashScene, createScene } from './testing/scene.ts';

const runs = 60;
const resultsPerRun = 5;
let scene: CrashScene;
let client: pg.Client;

beforeAll(async () => {
  scene = await createScene();
}, 240_000);
afterAll(async () => {
  await client?.end();
  await scene?.installation.close();
});

test('imports a file with many runs completely after the server was killed', {
  tags: 'full',
  timeout: 240_000,
}, async () => {
  client = new pg.Client({ connectionString: await scene.installation.databaseUrl() });
  await client.connect();
  await makeRepository();
  const token = await scene.token();
  const params = { provider: 'github', repoPath: 'acme/api' } as const;
  const sent = fetch(urlOf(`${scene.installation.url}/api`, uploadSarif, { params, query: {} }), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/sarif+json' },
    body: file(),
  }).then(
    async (answer) => `${answer.status} ${await answer.text()}`,
    () => 'the connection was lost',
  );

  await vi.waitFor(async () => expect((await stored()).received).toBeGreaterThan(0), { timeout: 60_000, interval: 5 });
  await scene.server.end('SIGKILL');
  expect(await sent).toBe('the connection was lost');
  const { done, findings } = await stored();
  expect(done === 0 ? findings === 0 : done === runs).toBe(true);

  await scene.installation.start();
  // Another process takes over an upload after 30 seconds.
  await vi.waitFor(async () => expect((await stored()).uploads).toBe(0), { timeout: 150_000, interval: 500 });
  expect(await stored()).toEqual({
    scans: runs,
    done: runs,
    received: runs * resultsPerRun,
    findings: runs * resultsPerRun,
    uploads: 0,
  });
});

const file = () =>
  JSON.stringify({
    version: '2.1.0',
    runs: Array.from({ length: runs }, (_, run) => ({
      tool: { driver: { name: `Scanner ${run}` } },
      results: Array.from({ length: resultsPerRun }, (__, line) => ({
        ruleId: `rule-${run}`,
        message: { text: `Number ${line}` },
        locations: [
          { physicalLocation: { artifactLocation: { uri: `src/${run}.ts` }, region: { startLine: 10 * (line + 1) } } },
        ],
      })),
    })),
  });

const makeRepository = () =>
  client.query(
    `insert into repository (org_id, id, provider, provider_repo_id, installation_id, owner, name, full_name, default_branch,
       is_private, html_url, tracked)
     values ($1, $2, 'github', '1', '1', 'acme', 'api', 'acme/api', 'main', true, 'https://code.example/acme/api', true)`,
    [scene.orgId, newId()],
  );

async function stored() {
  const { rows } = await client.query<Record<'scans' | 'done' | 'received' | 'findings' | 'uploads', number>>(
    `select (select count(*)::int from scan) as scans, (select count(*)::int from scan where state = 'done') as done,
       (select coalesce(sum(received), 0)::int from scan) as received, (select count(*)::int from finding) as findings,
       (select count(*)::int from scan_upload) as uploads`,
  );
  const [row] = rows;
  if (!row) throw new Error('The database did not respond');
  return row;
}
