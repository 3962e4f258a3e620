import {
  createPolicy,
  decideAboutTools,
  getPolicy,
  listPolicies,
  type PolicyTool,
  revertToolDecisions,
} from '@sightline/contract/compliance/policies.ts';
import { listAudit } from '@sightline/contract/organization/audit.ts';
import { listTools } from '@sightline/contract/tools/tools.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestRepository } from '#testing/findings.ts';
import { refusalOf, shareTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { recordSightings } from '../../tools/tools/record-sightings.ts';

let server: TestServer;
let org: TestOrganization;
beforeAll(async () => {
  server = await shareTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  org = await server.make.organization();
  const repositoryId = await createTestRepository(server, org);
  const at = new Date();
  await server.services.database.withOrg(org.id, (tx) =>
    recordSightings(
      tx,
      org.id,
      toolIds.map((id) => ({
        tab: 'ci/cd' as const,
        entry: { id, name: id, vendor: 'Acme', icon: null, kind: 'cli' as const, categories: [] },
        source: 'repository' as const,
        repositoryId,
        version: '1.0',
        at,
      })),
    ),
  );
});

const toolIds = Array.from({ length: 52 }, (_, index) => `tool-${String(index).padStart(2, '0')}`);
const owner = () => server.as(org.owner, org.id);
const approvals = async () => {
  const { rows } = await owner()(listTools, { body: { perPage: 100 } });
  return Map.groupBy(rows, ({ approval }) => approval.state);
};
const allTools = (ids: readonly string[], versions: PolicyTool['versions'] = null) => ({
  repositories: null,
  branches: [],
  tools: ids.map((id) => ({ id, versions })),
});
const everyTool = { filter: { tab: 'ci/cd' as const }, total: 52 };

test('approves every tool of the filter in one policy version with one audit entry, and undoes it', async () => {
  const denied = await owner()(createPolicy, {
    body: { name: 'No', kind: 'tool-deny', scope: allTools(['tool-00', 'other']), settings: {} },
  });
  const outcome = await owner()(decideAboutTools, { body: { decision: 'approved', tools: everyTool } });
  expect(outcome).toMatchObject({ decided: 52, unchanged: 0, overruled: 1, policy: 'Approved tools' });
  expect((await approvals()).get('approved')).toHaveLength(52);
  const { entries } = await owner()(listAudit, { query: { action: ['policy.created', 'policy.changed'] } });
  expect(entries.map(({ action }) => action).toSorted()).toEqual([
    'policy.changed',
    'policy.created',
    'policy.created',
  ]);

  const again = await owner()(decideAboutTools, { body: { decision: 'approved', tools: everyTool } });
  expect(again).toMatchObject({ decided: 0, unchanged: 52, changes: [] });

  await owner()(revertToolDecisions, { body: { changes: outcome.changes } });
  const states = await approvals();
  expect([states.get('unreviewed')?.length, states.get('denied')?.map(({ id }) => id)]).toEqual([51, ['tool-00']]);
  expect((await owner()(getPolicy, { params: { policyId: denied.id } })).scope).toEqual(allTools(['other', 'tool-00']));
  expect(await refusalOf(owner()(revertToolDecisions, { body: { changes: outcome.changes } }))).toEqual({
    status: 409,
    code: 'conflict',
  });
});

test('archives a contradicting policy that names no other tool, and restores it when undone', async () => {
  const { id } = await owner()(createPolicy, {
    body: { name: 'Yes', kind: 'tool-allow', scope: allTools(['tool-01']), settings: {}, mode: 'warn' },
  });
  const { changes } = await owner()(decideAboutTools, { body: { decision: 'denied', tools: { ids: ['tool-01'] } } });
  expect(await owner()(getPolicy, { params: { policyId: id } })).toMatchObject({ until: expect.any(String) });
  await owner()(revertToolDecisions, { body: { changes } });
  const { rows } = await owner()(listPolicies, {});
  expect(rows.map(({ name, mode, version }) => [name, mode, version])).toEqual([['Yes', 'warn', 2]]);
});

test('decides about versions in the chosen policy, and keeps decisions about other versions', async () => {
  const denied = await owner()(createPolicy, {
    body: { name: 'Old', kind: 'tool-deny', scope: allTools(['tool-02'], ['0.*']), settings: {} },
  });
  const tools = { ids: ['tool-02'] };
  const body = { decision: 'approved' as const, tools, versions: ['1.*'], policyId: null };
  expect(await owner()(decideAboutTools, { body })).toMatchObject({ decided: 1, overruled: 0 });
  const wrongKind = owner()(decideAboutTools, { body: { ...body, policyId: denied.id } });
  expect(await refusalOf(wrongKind)).toEqual({ status: 409, code: 'conflict' });
  expect((await owner()(getPolicy, { params: { policyId: denied.id } })).version).toBe(1);
});

test('is refused if the number of matching tools has changed, and for members who are not owners', async () => {
  const stale = { decision: 'denied' as const, tools: { ...everyTool, total: 51 } };
  await expect(owner()(decideAboutTools, { body: stale })).rejects.toMatchObject({
    status: 409,
    body: { message: 'The list has changed: 52 tools match the filters now. Check the list and decide again.' },
  });
  const reviewer = await server.make.member(org.id, 'rol_reviewer');
  const refused = server.as(reviewer, org.id)(decideAboutTools, { body: { ...stale, tools: everyTool } });
  expect(await refusalOf(refused)).toEqual({ status: 403, code: 'forbidden' });
  expect((await approvals()).get('unreviewed')).toHaveLength(52);
});
