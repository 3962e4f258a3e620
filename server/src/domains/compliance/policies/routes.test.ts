import {
  createPolicy,
  deletePolicy,
  dryRunPolicy,
  dryRunProposedPolicy,
  getPoliciesStatus,
  getPolicy,
  listPolicies,
  listPolicyKinds,
  type PolicyOutcome,
  type PolicyScope,
  restorePolicy,
  updatePolicy,
} from '@sightline/contract/compliance/policies.ts';
import { listAudit } from '@sightline/contract/organization/audit.ts';
import { queryEvents } from '@sightline/contract/timeline/events.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '#core/ids.ts';
import { createTestRepository } from '#testing/findings.ts';
import { approvePolicyChange } from '#testing/policies.ts';
import { shareTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { policyJobs } from './jobs.ts';

let server: TestServer;
let org: TestOrganization;
beforeAll(async () => {
  server = await shareTestServer();
});
afterAll(() => server.close());

const everywhere: PolicyScope = { repositories: null, branches: [], tools: [] };
const secrets = (limit: number) => ({
  ...({ name: 'Secrets', kind: 'sla', scope: everywhere, mode: 'observe' } as const),
  settings: { 'VUL-02': { limit } },
});
const owner = () => server.as(org.owner, org.id);
/** The policy after a change, which a second person approves if it weakens a control. */
const applied = async (outcome: Promise<PolicyOutcome>) => approvePolicyChange(server, org, await outcome);
const fresh = async () => {
  org = await server.make.organization();
};

/** The settings of controls, oldest first. */
const settings = () =>
  server.services.database.withOrg(org.id, ({ db }) =>
    db.selectFrom('control_setting').selectAll().where('org_id', '=', org.id).orderBy('version').execute(),
  );

test('creates, updates, archives and restores a policy, each with a linked audit entry', async () => {
  await fresh();
  const created = await applied(owner()(createPolicy, { body: secrets(5) }));
  expect(created).toMatchObject({ version: 1, mode: 'observe', settings: { 'VUL-02': { limit: 5 } }, until: null });
  const params = { policyId: created.id };
  const changed = await applied(owner()(updatePolicy, { params, body: { ...secrets(2), version: 1 } }));
  expect(changed).toMatchObject({ version: 2, settings: { 'VUL-02': { limit: 2 } } });
  await expect(owner()(updatePolicy, { params, body: { ...secrets(9), version: 1 } })).rejects.toMatchObject({
    status: 409,
  });
  await applied(owner()(deletePolicy, { params }));
  await expect(owner()(deletePolicy, { params })).rejects.toMatchObject({ status: 409 });
  const ended = await owner()(getPolicy, { params });
  expect(ended.until).not.toBeNull();
  expect(ended.allowed).toEqual({ change: false, delete: false, restore: true });
  expect((await owner()(listPolicies, {})).rows).toEqual([]);
  expect((await owner()(listPolicies, { query: { state: 'ended' } })).total).toBe(1);
  const again = await applied(owner()(restorePolicy, { params }));
  expect(again).toMatchObject({ version: 3, settings: { 'VUL-02': { limit: 2 } }, until: null });
  const { versions } = await owner()(getPolicy, { params });
  expect(versions.map(({ version, until }) => [version, until !== null])).toEqual([
    [3, false],
    [2, true],
    [1, true],
  ]);
  const audit = await owner()(listAudit, {});
  const entries = audit.entries.filter(({ action }) => /^policy\./.test(action));
  expect(entries.map(({ action }) => action)).toEqual([
    'policy.restored',
    'policy.deleted',
    'policy.changed',
    'policy.created',
  ]);
  const { events } = await owner()(queryEvents, { body: { query: 'kind:policy' } });
  expect(
    events.map(({ summary: { phrase, parameters } }) => [phrase, parameters.slice(1).map(({ display }) => display)]),
  ).toEqual([
    ['{0} restored the policy {1}, which {2} again', ['Secrets', 'observes']],
    ['{0} approved a change that weakens the policy {1}', ['Secrets']],
    ['{0} requested a change that weakens the policy {1}', ['Secrets']],
    ['{0} changed the policy {1}, which now {2}', ['Secrets', 'observes']],
    ['{0} approved a change that weakens the policy {1}', ['Secrets']],
    ['{0} requested a change that weakens the policy {1}', ['Secrets']],
  ]);
  const stored = await settings();
  expect(stored.map((row) => [row.version, row.setting, row.valid_until !== null])).toEqual([
    [1, { limit: 5 }, true],
    [2, { limit: 2 }, true],
    [3, { limit: 2 }, false],
  ]);
  expect(stored.map((row) => row.entry_id)).toEqual([entries[3]?.id, entries[2]?.id, entries[0]?.id]);
  expect(stored[0]?.ended_entry_id).toBe(entries[2]?.id);
});

test('prefers the policy that names a repository, and applies the strictest value of each parameter', async () => {
  await fresh();
  const named = await createTestRepository(server, org);
  const merge = (approvals: number, scope: PolicyScope) => ({
    ...({ name: `Approvals ${approvals}`, kind: 'merge', mode: 'observe', scope } as const),
    settings: { 'CHG-01': { approvals } },
  });
  await owner()(createPolicy, { body: merge(1, { ...everywhere, branches: ['release/*'] }) });
  const two = await applied(owner()(createPolicy, { body: merge(2, everywhere) }));
  await owner()(createPolicy, { body: merge(3, { ...everywhere, repositories: [named] }) });
  const now = (await settings()).filter((row) => row.valid_until === null);
  expect(now.map((row) => [row.repositories, row.setting, row.policy_id !== null])).toEqual([
    [null, { branches: ['release/*'], approvals: 2, newMemberDays: 7 }, false],
    [[named], { branches: [], approvals: 3, newMemberDays: 7 }, true],
  ]);
  await applied(owner()(deletePolicy, { params: { policyId: two.id } }));
  const then = (await settings()).filter((row) => row.valid_until === null);
  expect(then.map((row) => [row.repositories, row.setting])).toEqual([
    [[named], { branches: [], approvals: 3, newMemberDays: 7 }],
    [null, { branches: ['release/*'], approvals: 1, newMemberDays: 7 }],
  ]);
});

test('requires a simulation of exactly the same rules before a policy is enforced', async () => {
  await fresh();
  const { name: _, mode: __, ...rules } = secrets(5);
  const enforced = { ...secrets(5), mode: 'enforce' as const };
  await expect(owner()(createPolicy, { body: enforced })).rejects.toMatchObject({ status: 409 });
  const run = await owner()(dryRunProposedPolicy, { body: rules });
  expect(run.controls.map(({ control }) => control)).toEqual(['VUL-02']);
  await expect(
    owner()(createPolicy, { body: { ...enforced, settings: { 'VUL-02': { limit: 6 } } } }),
  ).rejects.toMatchObject({
    status: 409,
  });
  const created = await applied(owner()(createPolicy, { body: enforced }));
  const params = { policyId: created.id };
  // A new name does not change the rules.
  const renamed = await owner()(updatePolicy, { params, body: { ...enforced, name: 'Keys', version: 1 } });
  expect(renamed).toMatchObject({ policy: { version: 2 }, pendingChange: null });
  const next = { ...enforced, settings: { 'VUL-02': { limit: 4 } } };
  await expect(owner()(updatePolicy, { params, body: { ...next, version: 2 } })).rejects.toMatchObject({ status: 409 });
  await owner()(dryRunPolicy, { params, body: { ...rules, settings: next.settings } });
  expect(await owner()(updatePolicy, { params, body: { ...next, version: 2 } })).toMatchObject({
    policy: { version: 3, mode: 'enforce' },
  });
  await server.services.database.withOrg(org.id, ({ db }) =>
    db
      .updateTable('policy_dry_run')
      .set({ created_at: new Date(Date.now() - 25 * 3_600_000) })
      .where('org_id', '=', org.id)
      .execute(),
  );
  await expect(owner()(createPolicy, { body: enforced })).rejects.toMatchObject({ status: 409 });
});

test('keeps a parameter that only one of several policies sets beside the defaults of the others', async () => {
  await fresh();
  // As stored by a version of Sightline without the parameter.
  await server.services.database.withOrg(org.id, ({ db }) =>
    db
      .insertInto('policy')
      .values({
        org_id: org.id,
        id: newId(),
        version: 1,
        name: 'Older',
        kind: 'merge',
        mode: 'observe',
        author: org.owner.id,
        valid_from: new Date(),
        scope: JSON.stringify(everywhere),
        settings: JSON.stringify({ 'CHG-01': { branches: ['release/*'] } }),
        entry_id: newId(),
      })
      .execute(),
  );
  const settingsOfChanges = { 'CHG-01': { approvals: 2 } };
  await owner()(createPolicy, {
    body: { name: 'Newer', kind: 'merge', mode: 'observe', scope: everywhere, settings: settingsOfChanges },
  });
  expect((await settings()).map((row) => row.setting)).toEqual([
    { branches: ['release/*'], approvals: 2, newMemberDays: 7 },
  ]);
});

test('restores a policy in enforce mode only while a simulation of its rules is recent', async () => {
  await fresh();
  const { name: _, mode: __, ...rules } = secrets(5);
  const ageSimulations = () =>
    server.services.database.withOrg(org.id, ({ db }) =>
      db
        .updateTable('policy_dry_run')
        .set({ created_at: new Date(Date.now() - 25 * 3_600_000) })
        .where('org_id', '=', org.id)
        .execute(),
    );
  await owner()(dryRunProposedPolicy, { body: rules });
  const { id } = await applied(owner()(createPolicy, { body: { ...secrets(5), mode: 'enforce' } }));
  const params = { policyId: id };
  await applied(owner()(deletePolicy, { params }));
  expect(await applied(owner()(restorePolicy, { params }))).toMatchObject({ version: 2, mode: 'enforce' });

  await ageSimulations();
  await applied(owner()(deletePolicy, { params }));
  expect(await applied(owner()(restorePolicy, { params }))).toMatchObject({ version: 3, mode: 'observe' });

  const body = { ...secrets(5), mode: 'enforce' as const, version: 3 };
  await owner()(dryRunPolicy, { params, body: rules });
  await owner()(updatePolicy, { params, body });
  await applied(owner()(deletePolicy, { params }));
  expect(await applied(owner()(restorePolicy, { params }))).toMatchObject({ version: 5, mode: 'enforce' });
});

test('rejects an invalid field with 400 and names it', async () => {
  await fresh();
  const expectInvalid = async (body: object, field: string) => {
    await expect(owner()(createPolicy, { body: { ...secrets(5), ...body } as never })).rejects.toMatchObject({
      status: 400,
      body: { details: [{ field }] },
    });
  };
  await expectInvalid({ settings: { 'VUL-02': { limit: 0 } } }, 'settings.VUL-02.limit');
  await expectInvalid({ settings: { 'VUL-02': { never: 1 } } }, 'settings.VUL-02.never');
  await expectInvalid({ settings: { 'CHG-01': { approvals: 1 } } }, 'settings.CHG-01');
  await expectInvalid({ settings: {} }, 'settings');
  await expectInvalid({ scope: { ...everywhere, branches: ['main'] } }, 'scope.branches');
  await expectInvalid({ scope: { ...everywhere, repositories: [newId()] } }, 'scope.repositories');
  await expectInvalid({ scope: { ...everywhere, tools: [{ id: 'x', versions: null }] } }, 'scope.tools');
  await expectInvalid({ kind: 'tool-deny', settings: {} }, 'scope.tools');
  await expectInvalid({ name: ' ' }, 'name');
});

test('lets owners write policies and other members read them, and hides them from other organizations', async () => {
  await fresh();
  const created = await applied(owner()(createPolicy, { body: secrets(5) }));
  const params = { policyId: created.id };
  for (const role of ['rol_contributor', 'rol_reviewer', 'rol_auditor'] as const) {
    const member = server.as(await server.make.member(org.id, role), org.id);
    expect((await member(getPolicy, { params })).allowed).toEqual({ change: false, delete: false, restore: false });
    expect(await member(getPoliciesStatus, {})).toHaveLength(1);
    await expect(member(createPolicy, { body: secrets(1) })).rejects.toMatchObject({ status: 403 });
    await expect(member(deletePolicy, { params })).rejects.toMatchObject({ status: 403 });
  }
  const other = await server.make.organization();
  const otherOwner = server.as(other.owner, other.id);
  await Promise.all(
    [
      otherOwner(getPolicy, { params }),
      otherOwner(deletePolicy, { params }),
      otherOwner(restorePolicy, { params }),
      otherOwner(updatePolicy, { params, body: { ...secrets(1), version: 1 } }),
    ].map((call) => expect(call).rejects.toMatchObject({ status: 404 })),
  );
});

test('derives the status of a policy from the latest runs for its repositories', async () => {
  await fresh();
  const named = await createTestRepository(server, org);
  const merge = {
    name: 'Four eyes',
    kind: 'merge',
    mode: 'observe',
    settings: { 'CHG-01': { approvals: 1 } },
  } as const;
  const all = await applied(owner()(createPolicy, { body: { ...merge, scope: everywhere } }));
  const narrowed = { ...everywhere, repositories: [named] };
  const some = await applied(owner()(createPolicy, { body: { ...merge, scope: narrowed } }));
  expect((await owner()(getPoliciesStatus, {})).map(({ status }) => status)).toEqual([null, null]);
  await insertRun([
    [named, 'pass'],
    [named, 'missing_evidence'],
    [null, 'fail'],
  ]);
  const status = await owner()(getPoliciesStatus, {});
  expect(status.find(({ policyId }) => policyId === all.id)).toMatchObject({
    status: 'failing',
    counts: { population: 3, fail: 1, missing_evidence: 1 },
  });
  expect(status.find(({ policyId }) => policyId === some.id)).toMatchObject({
    status: 'missing_evidence',
    counts: { population: 2, fail: 0, missing_evidence: 1 },
  });
});

test('notifies once of each new violation of a policy in warn mode, excluding earlier violations', async () => {
  await fresh();
  const merge = {
    name: 'Four eyes',
    kind: 'merge',
    scope: everywhere,
    settings: { 'CHG-01': { approvals: 2 } },
  } as const;
  const created = await applied(owner()(createPolicy, { body: { ...merge, mode: 'warn' } }));
  await owner()(createPolicy, { body: { ...merge, name: 'Quiet', mode: 'observe' } });
  const runWarnJob = async (runId: string) => {
    const job = policyJobs(server.services).find(({ name }) => name === 'policies.warn');
    await job?.handle({ orgId: org.id, runId } as never);
    const rows = await server.services.database.withOrg(org.id, ({ db }) =>
      db.selectFrom('notification_pending').select('notification').where('org_id', '=', org.id).orderBy('id').execute(),
    );
    return rows.map(({ notification }) => notification as { type: string; rows: number; policy: { id: string } });
  };
  // Evaluated with the defaults: the violation precedes any policy.
  expect(await runWarnJob(await insertRun([[null, 'fail']]))).toEqual([]);
  const later = await insertRun(
    [
      [null, 'fail'],
      [null, 'fail'],
      [null, 'pass'],
      [null, 'fail'],
    ],
    1,
  );
  const notices = await runWarnJob(later);
  expect(notices).toMatchObject([{ type: 'policy.violated', rows: 2, policy: { id: created.id } }]);
  expect(await runWarnJob(later)).toHaveLength(1);
});

test('lists for each policy kind the controls it may set, with their parameters', async () => {
  await fresh();
  const kinds = await owner()(listPolicyKinds, {});
  expect(kinds).toHaveLength(8);
  expect(kinds[0]).toMatchObject({
    kind: 'merge',
    controls: [
      { id: 'CHG-01', parameters: [{ name: 'branches' }, { name: 'approvals' }, { name: 'newMemberDays' }] },
      {},
      {},
      {},
      {},
      {},
    ],
  });
});

/** Adds a run of CHG-01 with items of repositories. */
async function insertRun(rows: readonly (readonly [string | null, string])[], setting = 0): Promise<string> {
  const id = newId();
  const count = (verdict: string) => rows.filter(([, one]) => one === verdict).length;
  await server.services.database.withOrg(org.id, async ({ db }) => {
    await db
      .insertInto('control_run')
      .values({
        org_id: org.id,
        id,
        control_id: 'CHG-01',
        catalog_version: '1.0.0',
        as_of_epoch: 1,
        as_of_size: 1,
        period_from: new Date('2026-01-01'),
        period_to: new Date('2026-04-01'),
        status: 'failing',
        population: rows.length,
        pass: count('pass'),
        fail: count('fail'),
        waived: 0,
        missing_evidence: count('missing_evidence'),
        completeness: '[]',
        exclusions: '[]',
        weakenings: '[]',
        seed: '',
        reasons: '{}',
        rows_sha256: Buffer.alloc(32),
        rows_of: id,
        is_reevaluation: false,
        entry_id: newId(),
      })
      .execute();
    await db
      .insertInto('control_row')
      .values(
        rows.map(([repository_id, verdict], ord) => ({
          org_id: org.id,
          run_id: id,
          ord,
          subject: `row ${ord}`,
          repository_id,
          verdict,
          reasons: [],
          leaves: [],
          setting,
        })),
      )
      .execute();
  });
  return id;
}
