import { getControlSample, listControlRows } from '@sightline/contract/compliance/control-rows.ts';
import {
  type ControlTask,
  getControl,
  getControlsOverview,
  getControlTask,
  listControlRuns,
  listControlSettings,
  listControls,
  runControl,
  runControls,
} from '@sightline/contract/compliance/control-runs.ts';
import type { ControlId } from '@sightline/contract/core/control-ids.ts';
import { listNotifications } from '@sightline/contract/delivery/notifications.ts';
import { listAudit } from '@sightline/contract/organization/audit.ts';
import { drawSample } from '@sightline/evidence/controls/sample.ts';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  refusalOf,
  shareTestServer,
  superuserUrl,
  type TestAccount,
  type TestOrganization,
  type TestServer,
} from '#testing/server.ts';
import { recordCompletedDays } from '../../ledger/ledger/days.ts';
import { deleteOldRows } from './delete-old-rows.ts';

let server: TestServer;
let superuser: pg.Client;
let org: TestOrganization;
let other: TestOrganization;
let auditor: TestAccount;
let contributor: TestAccount;
beforeAll(async () => {
  server = await shareTestServer({ jobs: true });
  superuser = new pg.Client({ connectionString: superuserUrl(server.databaseUrl) });
  await superuser.connect();
  org = await server.make.organization('Acme');
  other = await server.make.organization('Other');
  auditor = await server.make.member(org.id, 'rol_auditor');
  contributor = await server.make.member(org.id, 'rol_contributor');
});
afterAll(async () => {
  await superuser.end();
  await server.close();
});

const owner = () => server.as(org.owner, org.id);

async function evaluateOnRequest(id: ControlId, body: { period?: string; asOf?: string } = {}): Promise<ControlTask> {
  const task = await owner()(runControl, { params: { id }, body });
  return vi.waitFor(
    async () => {
      const now = await owner()(getControlTask, { params: { id, taskId: task.id } });
      expect(['done', 'failed']).toContain(now.state);
      return now;
    },
    { timeout: 20_000 },
  );
}

/** Ages the ledger by some days, and records the facts of each day. */
async function age(days: number): Promise<void> {
  await superuser.query(
    `update ledger_checkpoint set signed_at = now() - make_interval(days => $2)
     where org_id = $1 and size = (select min(size) from ledger_checkpoint where org_id = $1)`,
    [org.id, days],
  );
  await recordCompletedDays(server.services, org.id);
}

const lastDays = (days: number): string => {
  const day = (ago: number) => new Date(Date.now() - ago * 24 * 60 * 60_000).toISOString().slice(0, 10);
  return `${day(days)}..${day(0)}`;
};

test('evaluates a control on request, each day of its ledger by the known facts', async () => {
  const before = await owner()(getControl, { params: { id: 'LOG-01' } });
  expect(before).toMatchObject({ isEvaluated: true, result: null, trend: [], task: null });
  await evaluateOnRequest('LOG-01');
  await age(6);
  const task = await evaluateOnRequest('LOG-01', { period: lastDays(20) });
  expect(task).toMatchObject({ state: 'done', evaluated: 5, failure: null });

  const state = await owner()(getControl, { params: { id: 'LOG-01' }, query: { period: lastDays(20) } });
  expect(state).toMatchObject({ title: 'Ledger integrity', task: null });
  // The days were not checked, and no checkpoint was published, which is certain.
  expect(state.result).toMatchObject({
    id: task.runId,
    status: 'failing',
    counts: { population: 5, fail: 5, missing_evidence: 0 },
    reasons: { never_anchored: 5 },
    completeness: [{ source: 'ledger', isIndependent: false, expected: null, found: 5 }],
    hasRows: true,
  });
  expect(state.trend).toMatchObject([{ status: 'failing', counts: { population: 5 } }]);

  const { rows, total } = await owner()(listControlRows, {
    params: { id: 'LOG-01' },
    query: { period: lastDays(20), sort: 'position-desc', perPage: 2 },
  });
  expect(total).toBe(5);
  expect(rows.map(({ position }) => position)).toEqual([4, 3]);
  expect(rows[0]).toMatchObject({ verdict: 'fail', repository: null, setting: 0, reasons: ['never_anchored'] });
  expect(rows[0]?.explanations[0]?.text).toBe('No ledger checkpoint was published to an external anchor.');
  // Each item has a ledger entry.
  expect(rows.map(({ leaf }) => leaf)).not.toContain(null);

  const filtered = await owner()(listControlRows, {
    params: { id: 'LOG-01' },
    query: { period: lastDays(20), verdict: ['pass', 'missing_evidence'] },
  });
  expect(filtered.total).toBe(0);
});

test('draws the sample by the checkpoint seed or by a seed of the caller', async () => {
  const query = { period: lastDays(20), size: 3 };
  const { rows } = await owner()(listControlRows, { params: { id: 'LOG-01' }, query: { period: lastDays(20) } });
  const { result } = await owner()(getControl, { params: { id: 'LOG-01' }, query: { period: lastDays(20) } });
  const drawn = await owner()(getControlSample, { params: { id: 'LOG-01' }, query });
  expect(drawn).toMatchObject({ seed: result?.seed, isLedgerSeed: true, population: 5 });
  expect(drawn.rows).toEqual(drawSample(rows, drawn.seed, 3));
  expect(drawn.seed).toMatch(/^[A-Za-z0-9+/]{43}=\/LOG-01\/\d{4}-\d\d-\d\dT00:00:00.000Z\//);

  const own = await server.as(auditor, org.id)(getControlSample, {
    params: { id: 'LOG-01' },
    query: { ...query, seed: 'the auditor’s' },
  });
  expect(own).toMatchObject({ seed: 'the auditor’s', isLedgerSeed: false });
  expect(own.rows).toEqual(drawSample(rows, 'the auditor’s', 3));
});

test('a re-evaluation at an earlier checkpoint returns the earlier result', async () => {
  const query = { period: lastDays(20) };
  const { result: then } = await owner()(getControl, { params: { id: 'LOG-01' }, query });
  const rowsOf = async (asOf?: string) =>
    (await owner()(listControlRows, { params: { id: 'LOG-01' }, query: { ...query, ...(asOf && { asOf }) } })).rows;
  const before = await rowsOf();
  // A setting that is valid from long ago, but recorded after that checkpoint.
  await superuser.query(
    `insert into control_setting (org_id, control_id, version, setting, valid_from, entry_id)
     values ($1, 'LOG-01', 1, '{"anchored": 168}', now() - interval '1 year', $2)`,
    [org.id, await entryLater()],
  );
  await evaluateOnRequest('LOG-01', query);
  const { result: now } = await owner()(getControl, { params: { id: 'LOG-01' }, query });
  expect(now?.asOfSize).toBeGreaterThan(then?.asOfSize ?? Number.POSITIVE_INFINITY);
  expect((await rowsOf()).map(({ setting }) => setting)).toEqual([1, 1, 1, 1, 1]);

  const asOf = `${then?.asOfEpoch}.${then?.asOfSize}`;
  const task = await evaluateOnRequest('LOG-01', { ...query, asOf });
  expect(task.state).toBe('done');
  const { result: again } = await owner()(getControl, { params: { id: 'LOG-01' }, query: { ...query, asOf } });
  expect(again).toMatchObject({ counts: then?.counts, seed: then?.seed, rowsSha256: then?.rowsSha256 });
  expect(again?.id).not.toBe(then?.id);
  expect(await rowsOf(asOf)).toEqual(before);
  // A re-evaluation does not count in the trend.
  const { trend } = await owner()(getControl, { params: { id: 'LOG-01' }, query });
  expect(trend).toHaveLength(1);
  const { rows, total } = await owner()(listControlRuns, { params: { id: 'LOG-01' }, query });
  expect([total, rows[0]?.asOfSize]).toEqual([3, now?.asOfSize]);
});

/** Returns the id of an entry that is recorded now. */
async function entryLater(): Promise<string> {
  await owner()(runControl, { params: { id: 'DIG-01' }, body: {} });
  const { rows } = await superuser.query(
    `select id from audit_event where org_id = $1 and action = 'control.run_requested' order by at desc limit 1`,
    [org.id],
  );
  return rows[0].id;
}

test('lists settings down to the defaults', async () => {
  const settings = await owner()(listControlSettings, { params: { id: 'LOG-01' } });
  expect(settings).toMatchObject([
    { version: 1, setting: { anchored: 168 }, until: null, policy: null },
    { version: 0, setting: { anchored: 24, pending: 5 }, from: null, until: null },
  ]);
});

test('evaluates all controls at one checkpoint, and the overview lists missing evidence', async () => {
  const tasks = await owner()(runControls, { body: { period: lastDays(20) } });
  expect(tasks.map(({ control }) => control)).toEqual(expect.arrayContaining(['LOG-01', 'DIG-01']));
  const overview = await vi.waitFor(
    async () => {
      const now = await owner()(getControlsOverview, { query: { period: lastDays(20) } });
      expect(now.running).toBe(0);
      return now;
    },
    { timeout: 50_000 },
  );
  const states = await owner()(listControls, { query: { period: lastDays(20) } });
  const results = states.flatMap(({ result }) => (result ? [result] : []));
  expect(results).toHaveLength(tasks.length);
  expect(new Set(results.map(({ asOfSize }) => asOfSize)).size).toBe(1);
  expect(overview.asOf?.size).toBe(results[0]?.asOfSize);
  expect(overview.counts.not_evaluated).toBe(18 - tasks.length);
  expect(
    overview.counts.passing +
      overview.counts.failing +
      overview.counts.missing_evidence +
      overview.counts.not_applicable,
  ).toBe(tasks.length);
  expect(states.find(({ id }) => id === 'DIG-01')?.result?.status).toBe('not_applicable');
  expect(overview.trend).toHaveLength(1);
});

test('missing evidence names its source, the controls and one action', async () => {
  await superuser.query('delete from ledger_day where org_id = $1', [org.id]);
  await superuser.query(
    `insert into ledger_receipt (org_id, epoch, size, kind, party, at) values ($1, 1, 1, 'mail', 'house', now() - interval '30 days')`,
    [org.id],
  );
  const query = { period: lastDays(19) };
  await evaluateOnRequest('LOG-01', query);
  const { missing } = await owner()(getControlsOverview, { query });
  expect(missing).toMatchObject([
    {
      source: 'ledger',
      link: '/ledger',
      rows: 5,
      controls: [{ id: 'LOG-01', rows: 5, reasons: [{ code: 'ledger_facts_missing', rows: 5 }], incomplete: false }],
    },
  ]);
  expect(missing[0]?.remedy).toContain('sightline doctor --ledger');
});

test('the audit log records an evaluation without a ledger size when none was requested', async () => {
  await evaluateOnRequest('LOG-01', { period: lastDays(17) });
  const { entries } = await owner()(listAudit, {});
  const entry = entries.find(({ action }) => action === 'control.run_requested');
  expect(entry?.sentence.map(({ text }) => text).join(' ')).toMatch(/^evaluated the control LOG-01 for \S+$/);
});

test('queues the same evaluation once while it is pending', async () => {
  const call = { params: { id: 'LOG-01' }, body: { period: '2020-Q1' } } as const;
  const [one, two] = await Promise.all([owner()(runControl, call), owner()(runControl, call)]);
  expect(one.id).toBe(two.id);
});

test('queues a new evaluation when an earlier one never ran', async () => {
  const call = { params: { id: 'LOG-01' }, body: { period: '2020-Q2' } } as const;
  const { rows } = await superuser.query(
    `insert into control_task (org_id, id, control_id, period_from, period_to, requested_at)
     values ($1, gen_random_uuid(), 'LOG-01', '2020-04-01', '2020-07-01', now() - interval '6 hours') returning id`,
    [org.id],
  );
  const { id } = await owner()(runControl, call);
  expect(id).not.toBe(rows[0].id);
  const stuck = await owner()(getControlTask, { params: { id: 'LOG-01', taskId: rows[0].id } });
  expect(stuck).toMatchObject({ state: 'failed', failure: expect.stringContaining('Evaluate the control again') });
});

test('deletes unreferenced items and restores them by a re-evaluation', async () => {
  const query = { period: lastDays(18) };
  const first = await evaluateOnRequest('LOG-01', query);
  const { result: then } = await owner()(getControl, { params: { id: 'LOG-01' }, query });
  await recordCompletedDays(server.services, org.id);
  await evaluateOnRequest('LOG-01', query);
  const countStoredRows = async () =>
    Number(
      (
        await superuser.query('select count(*) from control_row where org_id = $1 and run_id = $2', [
          org.id,
          first.runId,
        ])
      ).rows[0].count,
    );
  expect(await countStoredRows()).toBeGreaterThan(0);
  await server.services.database.withOrg(org.id, (tx) => deleteOldRows(tx, org.id));
  expect(await countStoredRows()).toBe(0);
  // The items of the newest run remain, whatever its age.
  await superuser.query(`update control_run set run_at = now() - interval '100 days' where org_id = $1`, [org.id]);
  await server.services.database.withOrg(org.id, (tx) => deleteOldRows(tx, org.id));
  const newest = await owner()(getControl, { params: { id: 'LOG-01' }, query });
  expect(newest.result).toMatchObject({ hasRows: true });
  expect(newest.result?.id).not.toBe(then?.id);
  const asOf = String(then?.asOfSize);
  const cleared = await owner()(getControl, { params: { id: 'LOG-01' }, query: { ...query, asOf } });
  expect(cleared.result).toMatchObject({ hasRows: false, rowsSha256: then?.rowsSha256 });
  await evaluateOnRequest('LOG-01', { ...query, asOf });
  const again = await owner()(getControl, { params: { id: 'LOG-01' }, query: { ...query, asOf } });
  expect(again.result).toMatchObject({ hasRows: true, rowsSha256: then?.rowsSha256 });
});

test('denies results without read permission, evaluation to readers, and both to other organizations', async () => {
  const params = { id: 'LOG-01' } as const;
  expect(await refusalOf(server.as(contributor, org.id)(getControl, { params }))).toMatchObject({ status: 403 });
  expect(await refusalOf(server.as(auditor, org.id)(runControl, { params, body: {} }))).toMatchObject({ status: 403 });
  const otherOwner = server.as(other.owner, other.id);
  const state = await otherOwner(getControl, { params, query: { period: lastDays(20) } });
  expect(state.result).toBeNull();
  const { runId } = await evaluateOnRequest('LOG-01', { period: lastDays(3) });
  expect(await refusalOf(otherOwner(getControlTask, { params: { id: 'LOG-01', taskId: runId ?? '' } }))).toMatchObject({
    status: 404,
  });
});

test('rejects an evaluation with an unknown control, checkpoint or period', async () => {
  const refusedRun = (id: string, body: object) =>
    refusalOf(owner()(runControl, { params: { id: id as ControlId }, body }));
  expect(await refusedRun('LOG-01', { asOf: '99999999' })).toMatchObject({ status: 404 });
  expect(await refusedRun('LOG-01', { asOf: '77.1' })).toMatchObject({ status: 404 });
  expect(await refusedRun('LOG-01', { period: '2099' })).toMatchObject({ status: 400 });
  expect(await refusedRun('LOG-01', { period: 'lately' })).toMatchObject({ status: 400 });
  expect(await refusedRun('LOG-99', {})).toMatchObject({ status: 400 });
  expect(
    await refusalOf(owner()(listControlRows, { params: { id: 'LOG-01' }, query: { period: '2019' } })),
  ).toMatchObject({ status: 404 });
});

test('notifies evidence readers once when a passing control stops passing', async () => {
  const request = { params: { id: 'LOG-01' as const }, query: { period: lastDays(20) } };
  await evaluateOnRequest('LOG-01');
  await age(6);
  await evaluateOnRequest('LOG-01', { period: lastDays(20) });
  // As if the last run had passed.
  const { result } = await owner()(getControl, request);
  await superuser.query(`update control_run set status = 'passing' where org_id = $1 and id = $2`, [
    org.id,
    result?.id,
  ]);
  const task = await evaluateOnRequest('LOG-01', { period: lastDays(20) });
  const notifications = async () =>
    (await server.as(auditor, org.id)(listNotifications, {})).items.filter(({ type }) => type === 'control.failed');
  await vi.waitFor(async () => expect(await notifications()).toHaveLength(1), { timeout: 20_000 });
  expect((await notifications())[0]).toMatchObject({
    title: 'LOG-01 Ledger integrity: failing',
    link: '/evidence/controls/LOG-01',
    count: 1,
  });
  expect(task.state).toBe('done');
  await evaluateOnRequest('LOG-01', { period: lastDays(20) });
  // Waits until the notification job has run again.
  await vi.waitFor(
    async () => {
      const { rowCount } = await superuser.query(
        `select from pgboss.job where name = 'notifications.deliver' and state in ('created', 'retry', 'active')`,
      );
      expect(rowCount).toBe(0);
    },
    { timeout: 20_000 },
  );
  expect(await notifications()).toHaveLength(1);
  expect((await notifications())[0]?.count).toBe(1);
}, 60_000);
