import {
  createPolicy,
  deletePolicy,
  getPolicy,
  type PolicyOutcome,
  type PolicyScope,
  restorePolicy,
  updatePolicy,
} from '@sightline/contract/compliance/policies.ts';
import {
  decidePolicyChange,
  listPolicyChanges,
  withdrawPolicyChange,
} from '@sightline/contract/compliance/policy-changes.ts';
import { getAuditEntry, listAudit } from '@sightline/contract/organization/audit.ts';
import { changeMemberRole, deactivateMember } from '@sightline/contract/organization/members.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { shareTestServer, type TestAccount, type TestOrganization, type TestServer } from '#testing/server.ts';

let server: TestServer;
let org: TestOrganization;
let second: TestAccount;
beforeAll(async () => {
  server = await shareTestServer();
});
beforeEach(async () => {
  org = await server.make.organization();
  second = await server.make.member(org.id, 'rol_owner');
});
afterAll(() => server.close());

const scope: PolicyScope = { repositories: null, branches: [], tools: [] };
const secrets = (limit: number) =>
  ({ name: 'Secrets', kind: 'sla', scope, mode: 'observe', settings: { 'VUL-02': { limit } } }) as const;
const as = (account: TestAccount) => server.as(account, org.id);
const owner = () => as(org.owner);
const decide = (account: TestAccount, changeId: string, approve = true) =>
  as(account)(decidePolicyChange, { params: { changeId }, body: { approve, reason: 'Agreed in the weekly review.' } });
const pendingOf = ({ pendingChange }: PolicyOutcome) => {
  if (!pendingChange) throw new Error('The change was applied.');
  return pendingChange;
};
const refused = (text: RegExp) => ({ status: 409, body: { message: expect.stringMatching(text) } });
const pending = async (account = org.owner) => (await as(account)(listPolicyChanges, {})).rows;
/** The limit in force for exposed secrets; undefined: the default. */
const limitInForce = () =>
  server.services.database.withOrg(org.id, async ({ db }) => {
    const row = await db
      .selectFrom('control_setting')
      .select('setting')
      .where('org_id', '=', org.id)
      .where('valid_until', 'is', null)
      .executeTakeFirst();
    return (row?.setting as { limit?: number } | undefined)?.limit;
  });
/** A policy with this limit, which is stricter than the default. */
const strictPolicy = async (limit = 2) => {
  const { policy } = await owner()(createPolicy, { body: secrets(limit) });
  if (!policy) throw new Error('The policy was not created.');
  return { policyId: policy.id };
};

test('applies a weakening only after another owner approved it, and records who requested it', async () => {
  const params = await strictPolicy();
  const outcome = await owner()(updatePolicy, { params, body: { ...secrets(30), version: 1 } });
  expect(outcome).toMatchObject({
    policy: { version: 1, hasPendingChange: true, settings: { 'VUL-02': { limit: 2 } } },
    pendingChange: {
      state: 'pending',
      before: { settings: { 'VUL-02': { limit: 2 } } },
      after: { settings: { 'VUL-02': { limit: 30 } } },
      weakened: [{ control: 'VUL-02', parameter: 'limit', before: '2', after: '30' }],
      allowed: { approve: false, reject: false, withdraw: true },
    },
  });
  expect(await limitInForce()).toBe(2);
  const { id } = pendingOf(outcome);
  expect(await pending(second)).toMatchObject([{ id, allowed: { approve: true, reject: true, withdraw: false } }]);
  await expect(decide(org.owner, id)).rejects.toMatchObject(refused(/Another person must decide/));
  await expect(decide(org.owner, id, false)).rejects.toMatchObject(refused(/Withdraw it/));
  expect(await limitInForce()).toBe(2);

  await decide(second, id);
  expect(await limitInForce()).toBe(30);
  const policy = await owner()(getPolicy, { params });
  expect(policy).toMatchObject({ version: 2, hasPendingChange: false, author: { id: org.owner.id } });
  const { entries } = await owner()(listAudit, {});
  expect(entries.slice(0, 3).map(({ action, actor }) => [action, actor.name])).toEqual([
    ['policy_change.approved', second.name],
    ['policy.changed', second.name],
    ['policy_change.requested', org.owner.name],
  ]);
  const { more } = await owner()(getAuditEntry, { params: { auditId: entries[1]?.id ?? '' } });
  expect(more).toMatchObject({ requestedBy: await server.personOf(org.id, org.owner), change: id });
  const decided = await owner()(listPolicyChanges, { query: { view: 'decided' } });
  expect(decided.rows).toMatchObject([
    { state: 'approved', decidedBy: { id: second.id }, selfApproved: false, reason: 'Agreed in the weekly review.' },
  ]);
});

test('holds back every way to weaken: a new policy, an archived one and a restored one', async () => {
  const created = await owner()(createPolicy, { body: secrets(30) });
  expect(created.policy).toBeNull();
  expect(pendingOf(created)).toMatchObject({ action: 'create', before: null });
  await decide(second, pendingOf(created).id);
  expect(await limitInForce()).toBe(30);
  const params = { policyId: pendingOf(created).policyId };
  // The default of 3 days is stricter.
  expect(await owner()(deletePolicy, { params })).toMatchObject({ pendingChange: null, policy: { version: 1 } });
  const restored = pendingOf(await owner()(restorePolicy, { params }));
  expect(restored).toMatchObject({ action: 'restore', before: null });
  expect(await limitInForce()).toBeUndefined();
  await decide(second, restored.id);
  expect(await owner()(updatePolicy, { params, body: { ...secrets(1), version: 2 } })).toMatchObject({
    pendingChange: null,
    policy: { version: 3 },
  });
  const archived = pendingOf(await owner()(deletePolicy, { params }));
  expect(archived).toMatchObject({ action: 'archive', after: null });
  expect(await limitInForce()).toBe(1);
  await decide(second, archived.id);
  expect(await owner()(getPolicy, { params })).toMatchObject({ version: 3, until: expect.any(String) });
});

test('lets a Digest Reviewer approve, and no other role', async () => {
  const { id } = pendingOf(await owner()(createPolicy, { body: secrets(30) }));
  for (const role of ['rol_contributor', 'rol_auditor'] as const) {
    const member = await server.make.member(org.id, role);
    expect(await pending(member)).toMatchObject([{ id, allowed: { approve: false, reject: false, withdraw: false } }]);
    await expect(decide(member, id)).rejects.toMatchObject({ status: 403 });
    await expect(as(member)(withdrawPolicyChange, { params: { changeId: id } })).rejects.toMatchObject({ status: 403 });
  }
  await decide(await server.make.member(org.id, 'rol_reviewer'), id);
  expect(await limitInForce()).toBe(30);
});

test('changes nothing after a rejection or a withdrawal, and needs a reason', async () => {
  const first = pendingOf(await owner()(createPolicy, { body: secrets(30) }));
  await expect(
    as(second)(decidePolicyChange, { params: { changeId: first.id }, body: { approve: false, reason: 'No' } }),
  ).rejects.toMatchObject({ status: 400, body: { details: [{ field: 'reason' }] } });
  await decide(second, first.id, false);
  await expect(decide(second, first.id)).rejects.toMatchObject(refused(/it was rejected/));
  const next = pendingOf(await owner()(createPolicy, { body: secrets(30) }));
  await expect(as(second)(withdrawPolicyChange, { params: { changeId: next.id } })).rejects.toMatchObject({
    status: 403,
  });
  await owner()(withdrawPolicyChange, { params: { changeId: next.id } });
  await expect(decide(second, next.id)).rejects.toMatchObject(refused(/it was withdrawn/));
  expect([await limitInForce(), await pending()]).toEqual([undefined, []]);
});

test('hides a change from other organizations', async () => {
  const { id } = pendingOf(await owner()(createPolicy, { body: secrets(30) }));
  const other = await server.make.organization();
  const stranger = server.as(other.owner, other.id);
  const body = { approve: true, reason: 'Agreed in the weekly review.' };
  await expect(stranger(decidePolicyChange, { params: { changeId: id }, body })).rejects.toMatchObject({ status: 404 });
  await expect(stranger(withdrawPolicyChange, { params: { changeId: id } })).rejects.toMatchObject({ status: 404 });
  expect((await stranger(listPolicyChanges, {})).rows).toEqual([]);
  expect(await limitInForce()).toBeUndefined();
});

test('applies a change once if two owners approve it at the same time', async () => {
  const third = await server.make.member(org.id, 'rol_owner');
  const { id, policyId } = pendingOf(await owner()(createPolicy, { body: secrets(30) }));
  const outcomes = await Promise.allSettled([decide(second, id), decide(third, id)]);
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: refused(/no longer pending: it was approved/),
  });
  expect((await owner()(getPolicy, { params: { policyId } })).versions).toHaveLength(1);
});

test('refuses to approve after the policy was changed, and has one open change per policy', async () => {
  const params = await strictPolicy();
  const change = pendingOf(await owner()(updatePolicy, { params, body: { ...secrets(30), version: 1 } }));
  await expect(owner()(updatePolicy, { params, body: { ...secrets(40), version: 1 } })).rejects.toMatchObject(
    refused(/awaits a decision/),
  );
  await expect(as(second)(deletePolicy, { params })).rejects.toMatchObject(refused(/awaits a decision/));
  // A stricter version applies at once.
  expect(await owner()(updatePolicy, { params, body: { ...secrets(1), version: 1 } })).toMatchObject({
    policy: { version: 2 },
    pendingChange: null,
  });
  expect(await pending(second)).toMatchObject([
    { outdated: expect.stringMatching(/was changed/), allowed: { approve: false, reject: true } },
  ]);
  await expect(decide(second, change.id)).rejects.toMatchObject(refused(/The policy was changed after this request/));
  expect(await limitInForce()).toBe(1);
  await decide(second, change.id, false);
  expect(await pending()).toEqual([]);
});

test('refuses to approve if the change would weaken more than was requested', async () => {
  const kept = await strictPolicy(1);
  const { policy } = await owner()(createPolicy, { body: { ...secrets(2), mode: 'warn' } });
  const params = { policyId: policy?.id ?? '' };
  // The other policy keeps the limit at one day: only the mode becomes weaker.
  const change = pendingOf(
    await owner()(updatePolicy, { params, body: { ...secrets(90), mode: 'observe', version: 1 } }),
  );
  expect(change.weakened).toMatchObject([{ parameter: 'mode' }]);
  await decide(second, pendingOf(await owner()(deletePolicy, { params: kept })).id);
  await expect(decide(second, change.id)).rejects.toMatchObject(refused(/would weaken other settings/));
  expect(await limitInForce()).toBe(2);
});

test('refuses to approve the request of a person who is no longer an owner', async () => {
  const { id } = pendingOf(await as(second)(createPolicy, { body: secrets(30) }));
  await owner()(changeMemberRole, {
    params: { userId: second.id },
    body: { oldRole: 'rol_owner', newRole: 'rol_contributor' },
  });
  await expect(decide(org.owner, id)).rejects.toMatchObject(refused(/no longer an Account Owner/));
  expect(await limitInForce()).toBeUndefined();
});

test('refuses the same person under another account', async () => {
  await server.make.member(org.id, 'rol_reviewer');
  const { id } = pendingOf(await owner()(createPolicy, { body: secrets(30) }));
  const personId = await server.personOf(org.id, org.owner);
  await server.services.database.withOrg(org.id, ({ db }) =>
    db
      .updateTable('identity')
      .set({ person_id: personId })
      .where('org_id', '=', org.id)
      .where('kind', '=', 'account')
      .where('value', '=', second.id)
      .execute(),
  );
  server.services.memberships.forget(second.id);
  await expect(decide(second, id)).rejects.toMatchObject(refused(/Another person must decide/));
  expect(await limitInForce()).toBeUndefined();
});

test('does not let an owner become the only approver by deactivating the others', async () => {
  const { id } = pendingOf(await owner()(createPolicy, { body: secrets(30) }));
  await owner()(deactivateMember, { params: { userId: second.id } });
  expect(await pending()).toMatchObject([{ allowed: { approve: false, withdraw: true } }]);
  await expect(decide(org.owner, id)).rejects.toMatchObject(refused(/Another person must decide/));
  expect(await limitInForce()).toBeUndefined();
});

test('lets the only possible approver approve the own request, and records that', async () => {
  const alone = await server.make.organization();
  const call = server.as(alone.owner, alone.id);
  const { id, policyId, allowed } = pendingOf(await call(createPolicy, { body: secrets(30) }));
  expect(allowed).toEqual({ approve: true, reject: false, withdraw: true });
  const body = { approve: true, reason: 'There is no second owner yet.' };
  await call(decidePolicyChange, { params: { changeId: id }, body });
  const { rows } = await call(listPolicyChanges, { query: { view: 'decided', policyId } });
  expect(rows).toMatchObject([{ state: 'approved', selfApproved: true, decidedBy: { id: alone.owner.id } }]);
  const { entries } = await call(listAudit, { query: { action: ['policy_change.approved'] } });
  const { more } = await call(getAuditEntry, { params: { auditId: entries[0]?.id ?? '' } });
  expect(more).toMatchObject({ selfApproved: true, reason: 'There is no second owner yet.' });
});
