import { listAudit } from '@sightline/contract/organization/audit.ts';
import { queryEvents } from '@sightline/contract/timeline/events.ts';
import {
  decideWaiver,
  listWaivers,
  requestFindingWaivers,
  requestWaiver,
  withdrawWaiver,
} from '@sightline/contract/vulnerabilities/waivers.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '#core/ids.ts';
import { createScanResult, createTestRepository, createTestScanner } from '#testing/findings.ts';
import { shareTestServer, type TestAccount, type TestOrganization, type TestServer } from '#testing/server.ts';
import { waiverJobs } from './jobs.ts';

let server: TestServer;
beforeAll(async () => {
  server = await shareTestServer();
});
afterAll(() => server.close());

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
const asked = (subject: string) => ({
  control: 'CHG-01' as const,
  subject,
  reason: 'The only reviewer is on leave',
  until: inDays(30),
});

interface WaiverScene {
  org: TestOrganization;
  reviewer: TestAccount;
  repositoryId: string;
}

/** An organization whose CHG-01 was judged once, over one row of a repository and one of none. */
async function judged(): Promise<WaiverScene> {
  const org = await server.make.organization();
  const reviewer = await server.make.member(org.id, 'rol_reviewer');
  const repositoryId = await createTestRepository(server, org);
  const id = newId();
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
        population: 2,
        pass: 0,
        fail: 2,
        waived: 0,
        missing_evidence: 0,
        completeness: '[]',
        exclusions: '[]',
        weakenings: '[]',
        seed: '',
        reasons: '{}',
        is_reevaluation: false,
        rows_sha256: Buffer.alloc(32),
        rows_of: id,
        entry_id: newId(),
      })
      .execute();
    await db
      .insertInto('control_row')
      .values(
        [repositoryId, null].map((repository_id, ord) => ({
          org_id: org.id,
          run_id: id,
          ord,
          subject: `change ${ord}`,
          repository_id,
          verdict: 'fail',
          reasons: ['no_independent_approval'],
          leaves: [],
          setting: 0,
        })),
      )
      .execute();
  });
  return { org, reviewer, repositoryId };
}

test('a waiver is requested by one member, approved by another, and bound to the ledger', async () => {
  const { org, reviewer, repositoryId } = await judged();
  const owner = server.as(org.owner, org.id);
  const { id } = await owner(requestWaiver, { body: asked('change 0') });
  const [waiting] = (await owner(listWaivers, {})).rows;
  expect(waiting).toMatchObject({
    id,
    state: 'requested',
    control: 'CHG-01',
    repository: { id: repositoryId },
    finding: null,
  });
  expect(waiting?.allowed).toEqual({ decide: false, withdraw: true, revoke: false });
  const params = { waiverId: id };
  await expect(owner(decideWaiver, { params, body: { approve: true } })).rejects.toMatchObject({ status: 409 });
  await expect(owner(requestWaiver, { body: asked('change 0') })).rejects.toMatchObject({ status: 409 });
  const decider = server.as(reviewer, org.id);
  await decider(decideWaiver, { params, body: { approve: true, comment: 'Until the new colleague is here' } });
  await expect(decider(decideWaiver, { params, body: { approve: false } })).rejects.toMatchObject({ status: 409 });
  const [decided] = (await owner(listWaivers, { query: { view: 'decided' } })).rows;
  expect(decided).toMatchObject({
    state: 'approved',
    decidedBy: { id: reviewer.id },
    decision: 'Until the new colleague is here',
  });
  const { entries } = await owner(listAudit, {});
  expect(entries[0]).toMatchObject({ action: 'waiver.approved', actor: { id: reviewer.id } });
  expect(entries[1]).toMatchObject({ action: 'waiver.requested' });
  const kept = await server.services.database.withOrg(org.id, ({ db }) =>
    db.selectFrom('control_waiver').selectAll().where('org_id', '=', org.id).executeTakeFirstOrThrow(),
  );
  expect([kept.entry_id, kept.decided_entry_id]).toEqual([entries[1]?.id, entries[0]?.id]);
  expect(kept.valid_from).toEqual(kept.decided_at);
  const { events } = await owner(queryEvents, { body: { query: 'kind:exception' } });
  expect(events.map(({ summary }) => [summary.phrase, summary.parameters[0]?.ident])).toEqual([
    ['{0} approved a waiver of {1} for {2} until {3}', reviewer.email],
    ['{0} requested a waiver of {1} for {2} until {3}', org.owner.email],
  ]);
  const told = await server.services.database.withOrg(org.id, ({ db }) =>
    db.selectFrom('notification_pending').select('notification').where('org_id', '=', org.id).execute(),
  );
  const notifications = told.map(({ notification }) => notification as { type: string; events: string[] });
  expect(notifications.map(({ type, events }) => [type, events]).toSorted()).toEqual([
    ['exception.decided', [events[0]?.uuid]],
    ['exception.requested', [events[1]?.uuid]],
  ]);
});

test('rejects approval by another account of the requester', async () => {
  const { org } = await judged();
  const second = await server.make.member(org.id, 'rol_owner');
  const { id } = await server.as(org.owner, org.id)(requestWaiver, { body: asked('change 1') });
  await server.services.database.withOrg(org.id, async ({ db }) => {
    await db
      .updateTable('identity')
      .set({ person_id: await server.personOf(org.id, second) })
      .where('org_id', '=', org.id)
      .where('kind', '=', 'account')
      .where('value', '=', org.owner.id)
      .execute();
  });
  const deciding = server.as(second, org.id)(decideWaiver, { params: { waiverId: id }, body: { approve: true } });
  await expect(deciding).rejects.toMatchObject({ status: 409 });
});

test('requires an evaluated item, a reason and an end within half a year', async () => {
  const { org, reviewer } = await judged();
  const owner = server.as(org.owner, org.id);
  const refused = async (body: object, status: number) =>
    expect(owner(requestWaiver, { body: { ...asked('change 0'), ...body } as never })).rejects.toMatchObject({
      status,
    });
  await refused({ subject: 'change 9' }, 404);
  await refused({ control: 'CHG-02' }, 404);
  await refused({ control: 'VUL-01' }, 409);
  await refused({ reason: 'Because' }, 400);
  await refused({ until: inDays(181) }, 400);
  await refused({ until: inDays(-1) }, 400);
  const asking = server.as(reviewer, org.id)(requestWaiver, { body: asked('change 0') });
  await expect(asking).rejects.toMatchObject({ status: 403 });
});

test('a contributor requests waivers only for own repositories and sees no others', async () => {
  const { org } = await judged();
  const contributor = server.as(await server.make.member(org.id, 'rol_contributor'), org.id);
  for (const subject of ['change 0', 'change 1']) {
    await expect(contributor(requestWaiver, { body: asked(subject) })).rejects.toMatchObject({ status: 404 });
  }
  const { id } = await server.as(org.owner, org.id)(requestWaiver, { body: asked('change 0') });
  expect((await contributor(listWaivers, {})).total).toBe(0);
  await expect(contributor(withdrawWaiver, { params: { waiverId: id } })).rejects.toMatchObject({ status: 404 });
  const other = await server.make.organization();
  const stranger = server.as(other.owner, other.id);
  await expect(stranger(withdrawWaiver, { params: { waiverId: id } })).rejects.toMatchObject({ status: 404 });
});

test('only the requester withdraws a request; requester or approver ends an active waiver', async () => {
  const { org, reviewer } = await judged();
  const [owner, decider] = [server.as(org.owner, org.id), server.as(reviewer, org.id)];
  const first = { waiverId: (await owner(requestWaiver, { body: asked('change 0') })).id };
  await expect(decider(withdrawWaiver, { params: first })).rejects.toMatchObject({ status: 403 });
  await owner(withdrawWaiver, { params: first });
  await expect(owner(withdrawWaiver, { params: first })).rejects.toMatchObject({ status: 409 });
  const second = { waiverId: (await owner(requestWaiver, { body: asked('change 0') })).id };
  await decider(decideWaiver, { params: second, body: { approve: true } });
  const [held] = (await decider(listWaivers, { query: { view: 'decided', sort: 'requested-desc' } })).rows;
  expect(held?.allowed.revoke).toBe(true);
  await decider(withdrawWaiver, { params: second });
  const { rows } = await owner(listWaivers, { query: { view: 'decided' } });
  expect(rows.map(({ state }) => state)).toEqual(['expired', 'withdrawn']);
  expect(Date.parse(rows[0]?.until ?? '')).toBeLessThanOrEqual(Date.now());
});

test('lists waivers of vulnerabilities together with control waivers', async () => {
  const { org, reviewer } = await judged();
  const owner = server.as(org.owner, org.id);
  const { send, findings } = await createTestScanner(server, org);
  await send([createScanResult()]);
  const [finding] = await findings();
  const findingId = finding?.id ?? '';
  await owner(requestFindingWaivers, { body: { ids: [findingId], until: inDays(7), reason: 'Soon gone for good.' } });
  await owner(requestWaiver, { body: asked('change 1') });
  const { rows, total } = await owner(listWaivers, { query: { sort: 'until-asc' } });
  expect(total).toBe(2);
  expect(rows.map(({ control }) => control)).toEqual(['VUL-01', 'CHG-01']);
  expect(rows[0]?.finding?.id).toBe(findingId);
  expect((await owner(listWaivers, { query: { controls: ['CHG-01'] } })).total).toBe(1);
  expect((await owner(listWaivers, { query: { search: 'change' } })).total).toBe(1);
  const params = { waiverId: rows[0]?.id ?? '' };
  await server.as(reviewer, org.id)(decideWaiver, { params, body: { approve: true, comment: '' } });
  expect((await owner(listWaivers, { query: { view: 'expiring' } })).rows.map(({ id }) => id)).toEqual([
    params.waiverId,
  ]);
});

test('records an expired waiver and an undecided request once', async () => {
  const { org, reviewer } = await judged();
  const owner = server.as(org.owner, org.id);
  const held = { waiverId: (await owner(requestWaiver, { body: asked('change 0') })).id };
  await owner(requestWaiver, { body: asked('change 1') });
  await server.as(reviewer, org.id)(decideWaiver, { params: held, body: { approve: true } });
  await server.services.database.withOrg(org.id, ({ db }) =>
    db
      .updateTable('control_waiver')
      .set({ valid_until: new Date(Date.now() - 1000) })
      .where('org_id', '=', org.id)
      .execute(),
  );
  const run = (name: string, data: object) =>
    waiverJobs(server.services)
      .find((job) => job.name === name)
      ?.handle(data as never);
  const queued = async () => {
    const jobs = `select 1 from pgboss.job where name = 'waivers.expire' and data->>'orgId' = $1`;
    return (await server.services.database.pool.query(jobs, [org.id])).rowCount;
  };
  // The approval queued one for the end that it knew.
  expect(await queued()).toBe(1);
  await run('waivers.tick', {});
  expect(await queued()).toBe(2);
  await run('waivers.expire', { orgId: org.id });
  await run('waivers.expire', { orgId: org.id });
  const { rows } = await owner(listWaivers, { query: { view: 'decided' } });
  expect(rows.map(({ state }) => state)).toEqual(['expired', 'expired']);
  const { entries } = await owner(listAudit, {});
  expect(entries.filter(({ action }) => action === 'waiver.expired')).toHaveLength(2);
  // The subject is free again.
  await owner(requestWaiver, { body: asked('change 0') });
});
