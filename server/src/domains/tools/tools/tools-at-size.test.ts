import { createPolicy } from '@sightline/contract/compliance/policies.ts';
import { listTools } from '@sightline/contract/tools/tools.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestRepository, makeTestCommitter } from '#testing/findings.ts';
import { signLedger } from '#testing/ledger.ts';
import {
  refusalOf,
  shareTestServer,
  type TestAccount,
  type TestOrganization,
  type TestServer,
} from '#testing/server.ts';
import { recordSightings, type ToolSightingInput } from './record-sightings.ts';

let server: TestServer;
let org: TestOrganization;
let contributor: TestAccount;
let [api, site] = ['', ''];
const sizes: number[] = [];
const day = (number: number) => new Date(Date.UTC(2026, 2, number, 12));
const entryOf = (id: string) => ({
  id,
  name: id,
  vendor: null,
  icon: null,
  kind: 'cli' as const,
  categories: ['Build'] as const,
});

beforeAll(async () => {
  server = await shareTestServer();
  org = await server.make.organization();
  contributor = await server.make.member(org.id, 'rol_contributor');
  [api, site] = [await createTestRepository(server, org), await createTestRepository(server, org)];
  await makeTestCommitter(server, org, contributor, site);
  const build = { tab: 'ci/cd', entry: entryOf('build'), source: 'github-actions' } as const;
  const personId = await server.personOf(org.id, contributor);
  const editor = { tab: 'developer', entry: entryOf('editor'), source: 'vscode', program: 'vscode', personId } as const;
  await see({ ...build, repositoryId: api, version: '1.0', at: day(1) });
  await see({ ...build, repositoryId: site, version: '2.0', at: day(2) }, { ...editor, version: null, at: day(2) });
  const scope = { repositories: null, branches: [], tools: [{ id: 'build', versions: ['2.*'] }] };
  await owner()(createPolicy, {
    body: { name: 'No build 2', kind: 'tool-deny', mode: 'observe', scope, settings: {} },
  });
  sizes.push(await signLedger(server, org));
});
afterAll(() => server.close());

const owner = () => server.as(org.owner, org.id);

async function see(...sightings: ToolSightingInput[]): Promise<void> {
  await server.services.database.withOrg(org.id, (tx) => recordSightings(tx, org.id, sightings));
  sizes.push(await signLedger(server, org));
}
const listAt = (size: number | undefined, body: object = {}, account = org.owner) =>
  server.as(account, org.id)(listTools, { body: { ...body, ledgerSize: `1.${size}` } });

test('exports the tools at a size as CSV, without those seen later', async () => {
  const [first, second] = sizes;
  const exportAt = async (size: number | undefined) => {
    const answer = await fetch(`${server.url}/api/v2/tools/inventory/export`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await server.token(org.owner, org.id)}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ ledgerSize: `1.${size}` }),
    });
    expect([answer.status, answer.headers.get('content-disposition')]).toEqual([
      200,
      expect.stringContaining(`at-1.${size}`),
    ]);
    return (await answer.text()).trim().split('\r\n').slice(1);
  };
  expect(await exportAt(first)).toEqual([expect.stringMatching(/"1\.0".*"build"/)]);
  expect(await exportAt(second)).toEqual([expect.stringMatching(/"2\.0".*"build"/)]);
});

test('lists the tools that had been seen at each size, with version, holders and approval', async () => {
  const [first, second, third] = sizes;
  expect((await listAt(first)).rows).toMatchObject([
    {
      id: 'build',
      version: '1.0',
      firstSeen: day(1).toISOString(),
      lastSeen: day(1).toISOString(),
      projects: { total: 1, items: [{ id: api }] },
      approval: { state: 'unreviewed' },
    },
  ]);
  expect((await listAt(second)).rows).toMatchObject([
    { version: '2.0', lastSeen: day(2).toISOString(), projects: { total: 2 }, approval: { state: 'unreviewed' } },
  ]);
  expect((await listAt(third)).rows).toMatchObject([
    { version: '2.0', approval: { state: 'denied', policy: { name: 'No build 2', version: 1 } } },
  ]);
  expect((await listAt(first, { tab: 'developer' })).total).toBe(0);
  expect((await listAt(second, { tab: 'developer' })).rows).toMatchObject([
    { id: 'editor', people: { total: 1, items: [{ name: contributor.name }] } },
  ]);
});

test('states what sightings do not record', async () => {
  const [build] = (await listAt(sizes[1])).rows;
  expect(build).toMatchObject({ sources: [], inUse: null, recorded: { missing: ['sources', 'inUse', 'people'] } });
  const [editor] = (await listAt(sizes[1], { tab: 'developer' })).rows;
  expect(editor).toMatchObject({ version: null, recorded: { missing: ['sources', 'inUse', 'version'] } });
});

test('filters by holders, approval and time, and ends a range of days at the time of the size', async () => {
  const [, second, third] = sizes;
  const idsAt = async (size: number | undefined, body: object) => (await listAt(size, body)).rows.map(({ id }) => id);
  expect(await idsAt(second, { projects: [site] })).toEqual(['build']);
  expect(await idsAt(sizes[0], { projects: [site] })).toEqual([]);
  expect(await idsAt(third, { approvals: ['denied'] })).toEqual(['build']);
  expect(await idsAt(third, { approvals: ['approved'] })).toEqual([]);
  expect(await idsAt(third, { period: '2026-03-01,2026-03-02' })).toEqual(['build']);
  expect(await idsAt(third, { period: '2026-01-01,2026-02-01' })).toEqual([]);
  // Entries were received today, long after the sightings.
  expect(await idsAt(third, { activeRange: '7' })).toEqual([]);
  for (const filter of [{ search: 'build' }, { vendors: ['x'] }, { statuses: ['gone'] }, { sources: ['vscode'] }]) {
    expect(await refusalOf(listAt(third, filter))).toMatchObject({ status: 400 });
  }
});

test('shows a Code Contributor only tools of their repositories and their own', async () => {
  const [first, second] = sizes;
  expect((await listAt(first, {}, contributor)).total).toBe(0);
  expect((await listAt(second, {}, contributor)).rows).toMatchObject([
    { id: 'build', version: '2.0', projects: { total: 1, items: [{ id: site }] } },
  ]);
  expect((await listAt(second, { tab: 'developer' }, contributor)).total).toBe(1);
});
