import {
  createPolicy,
  decideAboutTools,
  getPolicy,
  listPolicies,
  type PolicyTool,
  revertToolDecisions,
} from '@sightline/contract/compliance/policies.ts';
import { decidePolicyChange, listPolicyChanges } from '@sightline/contract/compliance/policy-changes.ts';
import type { CallInput } from '@sightline/contract/core/endpoint.ts';
import { listAudit } from '@sightline/contract/organization/audit.ts';
import { listTools } from '@sightline/contract/tools/tools.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestRepository } from '#testing/findings.ts';
import {
  refusalOf,
  shareTestServer,
  type TestAccount,
  type TestOrganization,
  type TestServer,
} from '#testing/server.ts';
import { recordSightings } from '../../tools/tools/record-sightings.ts';

let server: TestServer;
let org: TestOrganization;
let second: TestAccount;
beforeAll(async () => {
  server = await shareTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  org = await server.make.organization();
  second = await server.make.member(org.id, 'rol_owner');
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
const approve = (changeId: string) =>
  server.as(second, org.id)(decidePolicyChange, {
    params: { changeId },
    body: { approve: true, reason: 'Agreed in the weekly review.' },
  });
/** Creates a policy, with an approval if needed, and returns its ID. */
async function create(body: Omit<CallInput<typeof createPolicy>['body'], 'settings'>): Promise<string> {
  const { policy, pendingChange } = await owner()(createPolicy, { body: { ...body, settings: {} } });
  if (pendingChange) await approve(pendingChange.id);
  return policy?.id ?? pendingChange?.policyId ?? '';
}
const everyTool = { filter: { tab: 'ci/cd' as const }, total: 52 };

test('approves every tool of the filter in one pending change per policy, which another owner approves', async () => {
  const denied = await create({ name: 'No', kind: 'tool-deny', scope: allTools(['tool-00', 'other']) });
  const outcome = await owner()(decideAboutTools, { body: { decision: 'approved', tools: everyTool } });
  expect(outcome).toMatchObject({ decided: 0, pending: 52, overruled: 1, policy: 'Approved tools', changes: [] });
  expect(outcome.pendingChangeIds).toHaveLength(2);
  const states = await approvals();
  expect([states.get('approved'), states.get('denied')?.map(({ id }) => id)]).toEqual([undefined, ['tool-00']]);
  const { entries } = await owner()(listAudit, { query: { action: ['policy_change.requested', 'policy.changed'] } });
  expect(entries.map(({ action }) => action)).toEqual(['policy_change.requested', 'policy_change.requested']);

  for (const changeId of outcome.pendingChangeIds) await approve(changeId);
  expect((await approvals()).get('approved')).toHaveLength(52);
  expect((await owner()(getPolicy, { params: { policyId: denied } })).scope).toEqual(allTools(['other']));
  const again = await owner()(decideAboutTools, { body: { decision: 'approved', tools: everyTool } });
  expect(again).toMatchObject({ decided: 0, pending: 0, unchanged: 52, changes: [], pendingChangeIds: [] });
});

test('withdraws the pending changes of a decision that is undone, and only before they are decided', async () => {
  const denied = await create({ name: 'No', kind: 'tool-deny', scope: allTools(['tool-00', 'other']) });
  const body = { decision: 'approved' as const, tools: everyTool };
  const { pendingChangeIds } = await owner()(decideAboutTools, { body });
  expect(await owner()(revertToolDecisions, { body: { changes: [], pendingChangeIds } })).toEqual({ pending: 0 });
  const { rows } = await owner()(listPolicyChanges, { query: { view: 'decided' } });
  expect(rows.map(({ state }) => state)).toEqual(['withdrawn', 'withdrawn']);
  expect(await owner()(getPolicy, { params: { policyId: denied } })).toMatchObject({
    version: 1,
    hasPendingChange: false,
  });

  const next = await owner()(decideAboutTools, { body });
  const [first = '', second = ''] = next.pendingChangeIds;
  await approve(second);
  const refused = owner()(revertToolDecisions, { body: { changes: [], pendingChangeIds: [first, second] } });
  expect(await refusalOf(refused)).toEqual({ status: 409, code: 'conflict' });
  expect((await owner()(listPolicyChanges, {})).rows.map(({ id }) => id)).toEqual([first]);
});

test('denies at once in one version, and undoes it after an approval, because this weakens a control', async () => {
  const allowed = await create({ name: 'Yes', kind: 'tool-allow', scope: allTools(['tool-00', 'other']) });
  const outcome = await owner()(decideAboutTools, { body: { decision: 'denied', tools: everyTool } });
  expect(outcome).toMatchObject({
    decided: 52,
    pending: 0,
    overruled: 1,
    policy: 'Denied tools',
    pendingChangeIds: [],
  });
  expect((await approvals()).get('denied')).toHaveLength(52);
  const { entries } = await owner()(listAudit, { query: { action: ['policy.created', 'policy.changed'] } });
  expect(entries.slice(0, 2).map(({ action }) => action)).toEqual(['policy.changed', 'policy.created']);

  expect(await owner()(revertToolDecisions, { body: { changes: outcome.changes } })).toEqual({ pending: 2 });
  expect((await approvals()).get('denied')).toHaveLength(52);
  for (const { id } of (await owner()(listPolicyChanges, {})).rows) await approve(id);
  const states = await approvals();
  expect([states.get('unreviewed')?.length, states.get('approved')?.map(({ id }) => id)]).toEqual([51, ['tool-00']]);
  expect((await owner()(getPolicy, { params: { policyId: allowed } })).scope).toEqual(allTools(['other', 'tool-00']));
  expect(await refusalOf(owner()(revertToolDecisions, { body: { changes: outcome.changes } }))).toEqual({
    status: 409,
    code: 'conflict',
  });
});

test('archives a contradicting policy that names no other tool, and restores it when undone', async () => {
  const policyId = await create({ name: 'Yes', kind: 'tool-allow', scope: allTools(['tool-01']) });
  const { changes } = await owner()(decideAboutTools, { body: { decision: 'denied', tools: { ids: ['tool-01'] } } });
  expect(await owner()(getPolicy, { params: { policyId } })).toMatchObject({ until: expect.any(String) });
  await owner()(revertToolDecisions, { body: { changes } });
  for (const { id } of (await owner()(listPolicyChanges, {})).rows) await approve(id);
  const { rows } = await owner()(listPolicies, {});
  expect(rows.map(({ name, version }) => [name, version])).toEqual([['Yes', 2]]);
});

test('denies at once and awaits an approval to archive a contradicting policy that warns', async () => {
  const policyId = await create({ name: 'Yes', kind: 'tool-allow', scope: allTools(['tool-01']), mode: 'warn' });
  const tools = { ids: ['tool-01'] };
  const { changes, pendingChangeIds } = await owner()(decideAboutTools, { body: { decision: 'denied', tools } });
  expect([changes.length, pendingChangeIds.length]).toEqual([1, 1]);
  expect((await approvals()).get('denied')?.map(({ id }) => id)).toEqual(['tool-01']);
  expect(await owner()(getPolicy, { params: { policyId } })).toMatchObject({ until: null, hasPendingChange: true });
  expect(await owner()(revertToolDecisions, { body: { changes, pendingChangeIds } })).toEqual({ pending: 1 });
  expect(await owner()(getPolicy, { params: { policyId } })).toMatchObject({ until: null, hasPendingChange: false });
});

test('decides about versions in the chosen policy, and keeps decisions about other versions', async () => {
  const denied = await create({ name: 'Old', kind: 'tool-deny', scope: allTools(['tool-02'], ['0.*']) });
  const tools = { ids: ['tool-02'] };
  const body = { decision: 'approved' as const, tools, versions: ['1.*'], policyId: null };
  expect(await owner()(decideAboutTools, { body })).toMatchObject({ pending: 1, overruled: 0 });
  const wrongKind = owner()(decideAboutTools, { body: { ...body, policyId: denied } });
  expect(await refusalOf(wrongKind)).toEqual({ status: 409, code: 'conflict' });
  expect((await owner()(getPolicy, { params: { policyId: denied } })).version).toBe(1);
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
