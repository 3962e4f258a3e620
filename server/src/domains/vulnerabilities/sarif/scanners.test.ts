import { severities } from '@sightline/contract/core/severities.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestRepository } from '#testing/findings.ts';
import { shareTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { codeScanners } from './testing/code-scanners.ts';
import { oddFiles } from './testing/odd-files.ts';
import { packageScanners } from './testing/package-scanners.ts';
import { sendUpload } from './testing/uploads.ts';

let server: TestServer;
let org: TestOrganization;
let token: string;
beforeAll(async () => {
  server = await shareTestServer();
  org = await server.make.organization();
  token = await server.token(org.owner, org.id);
});
afterAll(() => server?.close());

/** Summarizes the stored findings of a repository. */
async function listed(repositoryId: string) {
  const rows = await server.services.database.withOrg(org.id, ({ db }) =>
    db
      .selectFrom('finding')
      .select(['severity', 'category', 'status', 'path', 'line'])
      .where('org_id', '=', org.id)
      .where('repository_id', '=', repositoryId)
      .execute(),
  );
  const tally = (status: string) => {
    const counts: Record<string, number> = {};
    for (const row of rows.filter((one) => one.status === status)) {
      const name = `${severities[row.severity]} ${row.category}`;
      counts[name] = (counts[name] ?? 0) + 1;
    }
    return counts;
  };
  const places = rows
    .filter(({ status, path }) => status === 'open' && path !== null)
    .map(({ path, line }) => `${path}${line === null ? '' : `:${line}`}`);
  return { open: tally('open'), dismissed: tally('dismissed'), places: places.sort() };
}

const sum = (scans: { counts: Record<string, number> | null }[], name: string) =>
  scans.reduce((total, { counts }) => total + (counts?.[name] ?? 0), 0);
const totalOf = (counts: Record<string, number>) => Object.values(counts).reduce((total, count) => total + count, 0);

interface Log {
  runs: { results?: unknown[] }[];
}
const half = (log: Log): Log => ({
  ...log,
  runs: log.runs.map((run) => ({ ...run, results: run.results?.filter((_, index) => index % 2 === 1) ?? [] })),
});

describe('imports a file of', () => {
  test.each([...codeScanners, ...packageScanners, ...oddFiles])('$name', async (file) => {
    const { name, open, dismissed = {}, rejected = 0, places, before = '' } = file;
    const log = file.log as Log;
    const repositoryName = name.replaceAll(/\W+/g, '-').slice(0, 40);
    const id = await createTestRepository(server, org, repositoryName);
    const to = { token, repository: `acme/${repositoryName}` };
    const text = before + JSON.stringify(log);
    const total = totalOf(open) + totalOf(dismissed);

    const first = await sendUpload(server, text, to);
    expect([first.status, first.refusal.message]).toEqual([202, undefined]);
    const found = await listed(id);
    expect(found).toEqual({ open, dismissed, places: places ?? found.places });
    expect([sum(first.scans, 'new'), sum(first.scans, 'rejected')]).toEqual([total, rejected]);

    const again = await sendUpload(server, text, to);
    expect([sum(again.scans, 'unchanged'), sum(again.scans, 'new'), sum(again.scans, 'fixed')]).toEqual([total, 0, 0]);
    expect(await listed(id)).toEqual(found);

    const fewer = await sendUpload(server, before + JSON.stringify(half(log)), to);
    const unchanged = sum(fewer.scans, 'unchanged');
    expect([sum(fewer.scans, 'new'), sum(fewer.scans, 'fixed')]).toEqual([0, total - unchanged]);

    const restored = await sendUpload(server, text, to);
    expect([sum(restored.scans, 'new'), sum(restored.scans, 'reopened')]).toEqual([0, total - unchanged]);
    expect(await listed(id)).toEqual(found);
  });
});
