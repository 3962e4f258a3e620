import { readdir, readFile } from 'node:fs/promises';
import { severities } from '@sightline/contract/core/severities.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestRepository } from '#testing/findings.ts';
import { shareTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { sendUpload } from './testing/uploads.ts';

// Recorded files of many scanners beside the checkout; without them, these tests are skipped.
const folder = new URL('../../../../../../shared/fixtures/sarif/', import.meta.url);
const names = await readdir(folder).catch(() => []);
const files = names.filter((name) => name.endsWith('.sarif'));
if (files.length === 0) console.warn(`No SARIF files in ${folder.pathname}: skipped`);

let server: TestServer;
let org: TestOrganization;
let token: string;
beforeAll(async () => {
  server = await shareTestServer();
  org = await server.make.organization();
  token = await server.token(org.owner, org.id);
});
afterAll(() => server?.close());

interface FixtureRun {
  tool: { driver: { name: string; rules?: Rule[] }; extensions?: { rules?: Rule[] }[] };
  results?: {
    ruleId?: string;
    ruleIndex?: number;
    rule?: { index?: number };
    level?: string;
    suppressions?: object[];
  }[];
}
interface Rule {
  id: string;
  defaultConfiguration?: { level?: string };
  properties?: { 'security-severity'?: string };
}

type FixtureResult = NonNullable<FixtureRun['results']>[number];

/** Counts the expected findings independently of the product, from the file and the table in GitHub's documentation. */
function countExpected(runs: FixtureRun[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { tool, results = [] } of runs) {
    for (const result of results) {
      const status = result.suppressions?.length ? 'dismissed' : 'open';
      const key = `${severityOf(result, tool.driver.rules ?? [])} ${categoryOf(tool.driver.name)} ${status}`;
      counts[key] = (counts[key] ?? 0) + 1;
    }
  }
  return counts;
}

function severityOf(result: FixtureResult, rules: Rule[]): string | undefined {
  const index = result.rule?.index ?? result.ruleIndex;
  const rule = index === undefined ? rules.find(({ id }) => id === result.ruleId) : rules[index];
  const score = Number(rule?.properties?.['security-severity'] ?? Number.NaN);
  const level = result.level ?? rule?.defaultConfiguration?.level ?? 'warning';
  return Number.isNaN(score)
    ? { error: 'high', warning: 'medium', note: 'low', none: 'info' }[level]
    : severityOfScore(score);
}

function severityOfScore(score: number): string {
  if (score >= 9) return 'critical';
  if (score >= 7) return 'high';
  return score >= 4 ? 'medium' : 'low';
}

const categoryOf = (name: string) =>
  ({
    'dependency-check': 'sca',
    'Example-Application': 'sca',
    Dockle: 'container',
    Trivy: 'container',
    Gitleaks: 'secret',
    Scorecard: 'scorecard',
  })[name] ?? 'sast';

/** Counts the stored findings of a repository. */
async function countStored(repositoryId: string): Promise<Record<string, number>> {
  const rows = await server.services.database.withOrg(org.id, ({ db }) =>
    db
      .selectFrom('finding')
      .select(['severity', 'category', 'status', ({ fn }) => fn.countAll<number>().as('count')])
      .where('org_id', '=', org.id)
      .where('repository_id', '=', repositoryId)
      .groupBy(['severity', 'category', 'status'])
      .execute(),
  );
  return Object.fromEntries(
    rows.map(({ severity, category, status, count }) => [
      `${severities[severity]} ${category} ${status}`,
      Number(count),
    ]),
  );
}

const half = (runs: FixtureRun[]): FixtureRun[] =>
  runs.map((run) => ({ ...run, results: run.results?.filter((_, index) => index % 2 === 0) ?? [] }));

const sum = (scans: { counts: Record<string, number> | null }[], name: string) =>
  scans.reduce((total, { counts }) => total + (counts?.[name] ?? 0), 0);

describe.skipIf(files.length === 0)('real SARIF files', () => {
  test.each(files)('%s is imported completely, again, by half, and completely again', async (name) => {
    const text = await readFile(new URL(name, folder), 'utf8');
    const log = JSON.parse(text.replace(/^\ufeff/, '')) as { runs: FixtureRun[] };
    const expected = countExpected(log.runs);
    const total = Object.values(expected).reduce((a, b) => a + b, 0);
    const repositoryName = name.replaceAll('.', '-');
    const id = await createTestRepository(server, org, repositoryName);
    const to = { token, repository: `acme/${repositoryName}` };

    const first = await sendUpload(server, await readFile(new URL(name, folder)), to);
    expect([first.status, first.scans.flatMap(({ rejected }) => rejected)]).toEqual([202, []]);
    expect([sum(first.scans, 'new'), await countStored(id)]).toEqual([total, expected]);

    const second = await sendUpload(server, text, to);
    expect([sum(second.scans, 'unchanged'), sum(second.scans, 'new'), sum(second.scans, 'fixed')]).toEqual([
      total,
      0,
      0,
    ]);
    expect(await countStored(id)).toEqual(expected);

    const remaining = Object.values(countExpected(half(log.runs))).reduce((a, b) => a + b, 0);
    const third = await sendUpload(server, JSON.stringify({ ...log, runs: half(log.runs) }), to);
    expect([sum(third.scans, 'fixed'), sum(third.scans, 'new')]).toEqual([total - remaining, 0]);

    const fourth = await sendUpload(server, text, to);
    expect([sum(fourth.scans, 'reopened'), sum(fourth.scans, 'new')]).toEqual([total - remaining, 0]);
    expect(await countStored(id)).toEqual(expected);
  });
});
