import type { Severity } from '@sightline/contract/core/severities.ts';
import { getRepositoryById, listRepositories } from '@sightline/contract/sources/repositories.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createScanResult, createTestRepository, createTestScanner } from '#testing/findings.ts';
import { shareTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';

let server: TestServer;
let org: TestOrganization;
let call: ReturnType<TestServer['as']>;
beforeAll(async () => {
  server = await shareTestServer();
  org = await server.make.organization('acme');
  call = server.as(org.owner, org.id);
});
afterAll(() => server.close());

const results = (severity: Severity, count: number) =>
  Array.from({ length: count }, (_, index) => createScanResult({ severity, ruleId: severity, line: 1 + 10 * index }));
const get = (repositoryId: string) => call(getRepositoryById, { params: { repositoryId } });

test('reports the severity counts and the scanner status of a repository', async () => {
  const { send, repositoryId } = await createTestScanner(server, org);
  expect(await get(repositoryId)).toMatchObject({ scannerStatus: 'not_configured', severityCounts: null });
  async function* broken() {
    yield createScanResult();
    throw new Error('cut off');
  }
  await expect(send(broken())).rejects.toThrow('cut off');
  expect(await get(repositoryId)).toMatchObject({ scannerStatus: 'error', severityCounts: null });
  await send([...results('critical', 2), ...results('low', 3)]);
  const counts = { critical: 2, high: 0, medium: 0, low: 3, info: 0 };
  expect(await get(repositoryId)).toMatchObject({ scannerStatus: 'healthy', severityCounts: counts });
  await expect(send(broken())).rejects.toThrow('cut off');
  expect(await get(repositoryId)).toMatchObject({ scannerStatus: 'error', severityCounts: counts });
  await send([]);
  expect(await get(repositoryId)).toMatchObject({
    scannerStatus: 'healthy',
    severityCounts: { critical: 0, high: 0, medium: 0, low: 0, info: 0 },
  });
});

test('sorts repositories by their most severe open findings', async () => {
  const other = await server.make.organization('sorted');
  const callOther = server.as(other.owner, other.id);
  const [worst, second, mild] = [
    await createTestScanner(server, other),
    await createTestScanner(server, other),
    await createTestScanner(server, other),
  ];
  const unscanned = await createTestRepository(server, other);
  await worst.send([...results('critical', 2)]);
  await second.send([...results('critical', 1), ...results('high', 9)]);
  await mild.send([...results('info', 20)]);
  const order = [worst.repositoryId, second.repositoryId, mild.repositoryId, unscanned];
  const ids = async (sort: 'severity-desc' | 'severity-asc') =>
    (await callOther(listRepositories, { query: { sort } })).rows.map(({ id }) => id);
  expect(await ids('severity-desc')).toEqual(order);
  expect(await ids('severity-asc')).toEqual(order.toReversed());
  const page = await callOther(listRepositories, { query: { sort: 'severity-desc', perPage: 1, page: 2 } });
  expect([page.total, page.rows[0]?.severityCounts]).toEqual([4, { critical: 1, high: 9, medium: 0, low: 0, info: 0 }]);
});
