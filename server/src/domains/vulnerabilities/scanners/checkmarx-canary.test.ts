import { randomBytes } from 'node:crypto';
import { listAudit } from '@sightline/contract/organization/audit.ts';
import {
  connectScanner,
  disconnectScanner,
  getScanner,
  listIntegrations,
  listScannerProjects,
  syncScanner,
  testScanner,
} from '@sightline/contract/sources/integrations.ts';
import { createStory } from '@sightline/sandbox/testing/repository.ts';
import { symbols } from 'pino';
import { expect, test, vi } from 'vitest';
import { startSandboxGithub } from '#providers/github/sandbox.fixture.ts';
import { startTestServer, superuserUrl } from '#testing/server.ts';
import { rowsAsText } from '#testing/stored-data.ts';
import { createCheckmarxHelpers, ofCheckmarx } from './checkmarx-connected.fixture.ts';

test('exposes the key and its derivatives in no log line, response, table or job', {
  tags: ['full'],
  timeout: 120_000,
}, async () => {
  const lines: string[] = [];
  const story = await createStory();
  const github = await startSandboxGithub([story.path]);
  const environment = { ...github.environment, CHECKMARX_BASE_URL: github.sandbox.url, LOG_LEVEL: 'trace' };
  const server = await startTestServer({ environment, jobs: true });
  // Captures all further log lines instead of the standard output.
  Object.assign(server.services.log, { [symbols.streamSym]: { write: (line: string) => lines.push(line) } });
  try {
    const org = await server.make.organization();
    const { enable, key, connect, settled, scan } = createCheckmarxHelpers(
      () => server,
      () => github,
    );
    const owner = server.as(org.owner, org.id);
    const answers: unknown[] = [];
    const recordAnswer = async (call: Promise<unknown>) =>
      answers.push(await call.catch((error: { refusal?: unknown }) => error.refusal));
    const apiKey = key();
    const wrongKey = `${apiKey}${randomBytes(4).toString('hex')}`;
    await enable(org);
    await recordAnswer(connect(org));
    answers.push(await settled(org));
    await scan({ project: 'sandbox/widgets', add: 1 });
    await github.control('faults', { match: '^/api/', status: 500, times: 4 });
    await recordAnswer(owner(syncScanner, { params: ofCheckmarx }));
    answers.push(await settled(org));
    await recordAnswer(owner(testScanner, { params: ofCheckmarx, body: {} }));
    await recordAnswer(owner(testScanner, { params: ofCheckmarx, body: { tenant: 'elsewhere' } }));
    await recordAnswer(owner(connectScanner, { params: ofCheckmarx, body: { tenant: 'sandbox', apiKey: wrongKey } }));
    await recordAnswer(owner(connectScanner, { params: ofCheckmarx, body: { tenant: 'wrong', apiKey } }));
    await github.control('checkmarx/expire-key', {});
    await recordAnswer(owner(syncScanner, { params: ofCheckmarx }));
    await vi.waitFor(
      async () => expect((await owner(getScanner, { params: ofCheckmarx }))?.sync.error).toMatch(/expired/),
      {
        timeout: 20_000,
      },
    );
    for (const endpoint of [getScanner, listScannerProjects] as const)
      await recordAnswer(owner(endpoint as typeof getScanner, { params: ofCheckmarx }));
    for (const endpoint of [listIntegrations, listAudit] as const)
      await recordAnswer(owner(endpoint as typeof listIntegrations, {}));

    expect(lines.join('')).toContain('scanner.sync');
    const tables = (await rowsAsText(superuserUrl(server.databaseUrl))).replaceAll('""', '"');
    expect(tables).toContain('"tenant": "sandbox"');
    const { tokens, kept } = github.sandbox.tenant;
    const secrets = [
      apiKey,
      wrongKey,
      apiKey.split('.')[2] ?? '',
      ...tokens.keys(),
      ...kept.webhooks.map(({ secret }) => secret),
    ];
    expect(kept.webhooks).toHaveLength(1);
    for (const secret of secrets) {
      expect(secret.length).toBeGreaterThan(20);
      for (const encoded of [secret, Buffer.from(secret).toString('hex'), Buffer.from(secret).toString('base64')]) {
        expect(tables.includes(encoded), 'a table').toBe(false);
        expect(JSON.stringify(answers).includes(encoded), 'an answer').toBe(false);
        expect(lines.join('').includes(encoded), 'a log line').toBe(false);
      }
    }
    await recordAnswer(owner(disconnectScanner, { params: ofCheckmarx }));
  } finally {
    await server.close();
    await github.close();
    await story.remove();
  }
});
