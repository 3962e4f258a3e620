import { enableRepositories } from '@sightline/contract/sources/repositories.ts';
import { getFindingTrend, listFindings } from '@sightline/contract/vulnerabilities/findings.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createScanResult, createTestScanner } from '#testing/findings.ts';
import { shareTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';

let server: TestServer;
let org: TestOrganization;
let call: ReturnType<TestServer['as']>;
beforeAll(async () => {
  server = await shareTestServer();
});
beforeEach(async () => {
  org = await server.make.organization('acme');
  call = server.as(org.owner, org.id);
});
afterAll(() => server.close());

const result = (ruleId: string, daysAgo = 0) =>
  createScanResult({ ruleId, discoveredAt: new Date(Date.now() - daysAgo * 86_400_000).toISOString() });
const trend = (days: 30 | 90 = 30) => call(getFindingTrend, { query: { days } });
const hourAgo = () => new Date(Date.now() - 3_600_000).toISOString();
const countFixed = async () => (await call(listFindings, { query: { status: ['fixed'], fixedFrom: hourAgo() } })).total;

test('returns a trend without findings before the first scan', async () => {
  const { points, overdue, lastScanAt } = await trend();
  expect(points).toHaveLength(30);
  expect(points.every(({ opened, fixed }) => opened === 0 && fixed === 0)).toBe(true);
  expect([overdue.critical, lastScanAt]).toEqual([0, null]);
});

test('counts a finding as fixed on the day of its fix, until a scan reports it again', async () => {
  const { send } = await createTestScanner(server, org);
  await send([result('a'), result('b')]);
  await send([result('a')]);
  expect((await trend()).points.at(-1)).toMatchObject({ opened: 2, fixed: 1 });
  expect(await countFixed()).toBe(1);
  await send([result('a'), result('b')]);
  expect((await trend()).points.at(-1)).toMatchObject({ opened: 2, fixed: 0 });
  expect(await countFixed()).toBe(0);
});

test('counts by day for 30 days and by week for 90 days, and overdue findings by severity', async () => {
  const { send } = await createTestScanner(server, org);
  await send([result('a', 29), result('b', 29), result('c', 31), result('d', 200)]);
  const [month, quarter] = [await trend(30), await trend(90)];
  expect([month.interval, month.points[0]?.opened]).toEqual(['day', 2]);
  expect(month.points.reduce((sum, { opened }) => sum + opened, 0)).toBe(2);
  expect([quarter.interval, quarter.points.length]).toEqual(['week', 13]);
  expect(quarter.points.reduce((sum, { opened }) => sum + opened, 0)).toBe(3);
  // The limit of high findings is 30 days.
  expect(quarter.overdue).toEqual({ critical: 0, high: 2, medium: 0, low: 0, info: 0 });
  expect((await call(listFindings, { query: { overdue: 'true' } })).total).toBe(2);
});

test('excludes disabled repositories', async () => {
  const [shown, hidden] = [await createTestScanner(server, org), await createTestScanner(server, org)];
  for (const { send } of [shown, hidden]) {
    await send([result('a'), result('b')]);
    await send([result('a')]);
  }
  await call(enableRepositories, {
    body: { providerRepos: { github: { acme: [{ id: hidden.repositoryId, tracked: false }] } } },
  });
  expect((await trend()).points.at(-1)).toMatchObject({ opened: 2, fixed: 1 });
});
