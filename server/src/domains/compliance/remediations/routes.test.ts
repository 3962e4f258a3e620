import { listControlRows } from '@sightline/contract/compliance/control-rows.ts';
import { getControlTask, listControls, runControl } from '@sightline/contract/compliance/control-runs.ts';
import { countOverdueRemediations } from '@sightline/contract/compliance/overdue-remediations.ts';
import {
  changeRemediations,
  type RemediationChangeBody,
  recordRetest,
} from '@sightline/contract/compliance/remediation-changes.ts';
import { listRemediations } from '@sightline/contract/compliance/remediations.ts';
import { createSnapshot, getSnapshot } from '@sightline/contract/compliance/snapshots.ts';
import { changeNotifications } from '@sightline/contract/delivery/notifications.ts';
import { listAudit } from '@sightline/contract/organization/audit.ts';
import { compareBundle } from '@sightline/evidence/bundle/testing/format.ts';
import { verifyBundle } from '@sightline/evidence/bundle/verify.ts';
import { openZip } from '@sightline/evidence/bundle/zip-read.ts';
import { parseVerifier } from '@sightline/evidence/ledger/note.ts';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { refusalOf, shareTestServer, superuserUrl, type TestOrganization, type TestServer } from '#testing/server.ts';
import { hasPython, runInPython } from '../../../cli/testing/second-verifier.ts';
import { inboxOf, runJob } from '../../delivery/notifications/testing/scene.ts';
import { recordCompletedDays } from '../../ledger/ledger/days.ts';

let server: TestServer;
let superuser: pg.Client;
let org: TestOrganization;
let failing: readonly string[];
beforeAll(async () => {
  server = await shareTestServer({ jobs: true });
  superuser = new pg.Client({ connectionString: superuserUrl(server.databaseUrl) });
  await superuser.connect();
});
afterAll(async () => {
  await superuser.end();
  await server.close();
});

// Every day of a ledger without an anchor fails LOG-01, until the facts of the day state one.
beforeEach(async () => {
  org = await server.make.organization('Acme');
  await evaluate();
  await superuser.query(
    `update ledger_checkpoint set signed_at = now() - interval '6 days'
     where org_id = $1 and size = (select min(size) from ledger_checkpoint where org_id = $1)`,
    [org.id],
  );
  await recordCompletedDays(server.services, org.id);
  await evaluate();
  failing = (await rowsOf()).filter(({ verdict }) => verdict === 'fail').map(({ subject }) => subject);
  expect(failing).toHaveLength(5);
});

const owner = () => server.as(org.owner, org.id);
const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
const period = () => `${dayBefore(20)}..${dayBefore(0)}`;
const today = () => new Date().toISOString().slice(0, 10);

async function evaluate(): Promise<void> {
  const task = await owner()(runControl, { params: { id: 'LOG-01' }, body: { period: period() } });
  await vi.waitFor(
    async () => {
      const { state } = await owner()(getControlTask, { params: { id: 'LOG-01', taskId: task.id } });
      expect(state).toBe('done');
    },
    { timeout: 20_000 },
  );
}

const rowsOf = async () =>
  (await owner()(listControlRows, { params: { id: 'LOG-01' }, query: { period: period() } })).rows;
const rowOf = async (subject: string) => (await rowsOf()).find((row) => row.subject === subject);

const change = (subjects: readonly string[], body: Partial<RemediationChangeBody>, by = org.owner) =>
  server.as(by, org.id)(changeRemediations, {
    body: { control: 'LOG-01', period: period(), subjects: [...subjects], ...body },
  });

/** The facts of a day state an anchor, or none again. */
const anchor = (day: string, isAnchored: boolean) =>
  superuser.query(
    `update ledger_day set self_check = 'ok', longest_pending_seconds = 0,
       last_anchored_at = case when $3 then day + interval '1 day' end where org_id = $1 and day = $2::date`,
    [org.id, day, isAnchored],
  );

async function remediationOf(subject: string) {
  const remediation = (await rowOf(subject))?.remediation;
  if (!remediation) throw new Error(`${subject} has no remediation`);
  return remediation;
}

test('a failing item gets an owner, a due date, a ticket and notes, each change with an audit entry and a ledger entry', async () => {
  const [first = '', second = ''] = failing;
  const reviewer = await server.make.member(org.id, 'rol_reviewer');
  const ticketUrl = 'https://tickets.example/browse/SEC-7';
  const fields = { ownerId: reviewer.id, dueOn: dayBefore(-3), ticketUrl, notes: 'Connect a witness' };
  expect(await change([first], fields)).toEqual({ changed: 1 });
  expect(await change([first], fields)).toEqual({ changed: 0 });
  expect(await change([first], { dueOn: dayBefore(-9) })).toEqual({ changed: 1 });
  const row = await rowOf(first);
  expect(row).toMatchObject({ verdict: 'fail' });
  expect(row?.remediation).toMatchObject({
    state: 'open',
    owner: { id: reviewer.id, name: reviewer.name, isActive: true },
    dueOn: dayBefore(-9),
    ticketUrl,
    notes: 'Connect a witness',
    remediatedAt: null,
    retests: [],
    failure: { reasons: ['never_anchored'] },
    text: 'failed, not stated as remediated, not retested',
  });
  expect((await rowOf(second))?.remediation).toBeNull();
  const { entries } = await owner()(listAudit, {});
  expect(entries.slice(0, 2)).toMatchObject([
    { action: 'remediation.changed', actor: { id: org.owner.id } },
    { action: 'remediation.changed' },
  ]);
  const stored = await superuser.query<{ entry: string; version: number }>(
    `select c.version, l.entry from remediation_change c join ledger_known l on l.org_id = c.org_id and l.entry_id = c.entry_id
     where c.org_id = $1 order by c.version`,
    [org.id],
  );
  const subjects = stored.rows.map(({ entry }) => JSON.parse(entry).subject);
  expect(subjects.map(({ data }) => data.dueOn)).toEqual([dayBefore(-3), dayBefore(-9)]);
  // Persons are opaque, and notes are commitments.
  expect(subjects[0].data.owner).toBe(await server.personOf(org.id, reviewer));
  expect(stored.rows.map(({ entry }) => entry).join()).not.toContain('Connect a witness');
  expect(subjects[0].data.failure).toEqual(subjects[1].data.failure);
  expect(subjects[0].data.failure).toMatchObject({ verdict: 'fail', reasons: ['never_anchored'] });
});

test('assigns several items of one control at once, all or none', { tags: ['full'] }, async () => {
  expect(await change(failing.slice(0, 3), { ownerId: org.owner.id })).toEqual({ changed: 3 });
  const again = await change(failing, { dueOn: dayBefore(-1) });
  expect(again).toEqual({ changed: 5 });
  const rows = await rowsOf();
  expect(rows.map(({ remediation }) => remediation?.owner?.id ?? null)).toEqual([
    ...Array.from({ length: 3 }, () => org.owner.id),
    null,
    null,
  ]);
  expect((await refusalOf(change([...failing, '2020-01-01'], { dueOn: today() }))).status).toBe(404);
  expect((await rowsOf()).every(({ remediation }) => remediation?.dueOn === dayBefore(-1))).toBe(true);
});

test('refuses items that do not fail, owners who are no active members, and tickets that are no web addresses', async () => {
  const [first = '', second = ''] = failing;
  await anchor(first, true);
  await evaluate();
  expect(await refusalOf(change([first], { dueOn: today() }))).toMatchObject({ status: 409 });
  const stranger = (await server.make.organization('Other')).owner;
  expect((await refusalOf(change([second], { ownerId: stranger.id }))).status).toBe(400);
  for (const ticketUrl of ['javascript:alert(1)', 'ftp://files.example', 'SEC-7', '//tickets.example/1']) {
    expect((await refusalOf(change([second], { ticketUrl }))).status, ticketUrl).toBe(400);
  }
  expect((await refusalOf(change([second], {}))).status).toBe(400);
  expect((await owner()(listRemediations, {})).total).toBe(0);
});

test('a later evaluation that passes is a retest beside the failure, and never replaces it', async () => {
  const [first = '', second = ''] = failing;
  await change([first, second], { ownerId: org.owner.id });
  await change([first], { isRemediated: true });
  const { failure } = await remediationOf(first);
  await anchor(first, true);
  await evaluate();
  const passed = await remediationOf(first);
  expect(passed.failure).toEqual(failure);
  expect(passed).toMatchObject({ state: 'retested', retests: [{ result: 'pass', by: null }] });
  expect(passed.retests[0]?.evaluation?.asOfSize).toBeGreaterThan(failure.asOfSize);
  expect(passed.text).toBe(`failed, remediated on ${today()}, retested on ${today()} with result pass`);
  expect((await remediationOf(second)).retests).toEqual([]);
  // Another evaluation with the same result is no other retest.
  await evaluate();
  expect((await remediationOf(first)).retests).toHaveLength(1);
  // The item fails again.
  await anchor(first, false);
  await evaluate();
  const failedAgain = await remediationOf(first);
  expect(failedAgain).toMatchObject({ state: 'open', retests: [{ result: 'pass' }, { result: 'fail' }] });
  expect(failedAgain.text).toBe(`failed, remediated on ${today()}, retested on ${today()} with result fail`);
  // It is remediated again.
  await change([first], { isRemediated: true });
  expect(await remediationOf(first)).toMatchObject({ state: 'remediated' });
});

test('an evaluation at an earlier checkpoint is no retest', { tags: ['full'] }, async () => {
  const [first = ''] = failing;
  await change([first], { ownerId: org.owner.id });
  const { failure } = await remediationOf(first);
  await anchor(first, true);
  const task = await owner()(runControl, {
    params: { id: 'LOG-01' },
    body: { period: period(), asOf: String(failure.asOfSize) },
  });
  await vi.waitFor(
    async () => {
      const { state } = await owner()(getControlTask, { params: { id: 'LOG-01', taskId: task.id } });
      expect(state).toBe('done');
    },
    { timeout: 20_000 },
  );
  expect((await remediationOf(first)).retests).toEqual([]);
});

test('the owner and members who can approve waivers record retests, others do not', { tags: ['full'] }, async () => {
  const [first = '', second = ''] = failing;
  const reviewer = await server.make.member(org.id, 'rol_reviewer');
  const contributor = await server.make.member(org.id, 'rol_contributor');
  await change([first, second], { ownerId: contributor.id });
  const { id } = await remediationOf(first);
  const retest = (by: typeof reviewer, result: 'pass' | 'fail') =>
    server.as(by, org.id)(recordRetest, { params: { remediationId: id }, body: { result, notes: 'Looked at it' } });
  await retest(contributor, 'fail');
  await retest(reviewer, 'pass');
  expect(await remediationOf(first)).toMatchObject({
    state: 'retested',
    retests: [
      { result: 'fail', by: { id: contributor.id }, evaluation: null, notes: 'Looked at it' },
      { result: 'pass', by: { id: reviewer.id }, evaluation: null },
    ],
    text: `failed, not stated as remediated, retested on ${today()} with result pass`,
  });
  const { id: other } = await remediationOf(second);
  await change([second], { ownerId: null });
  expect(
    (
      await refusalOf(
        server.as(contributor, org.id)(recordRetest, { params: { remediationId: other }, body: { result: 'pass' } }),
      )
    ).status,
  ).toBe(404);
  // A recorded pass stays beside an evaluation in which the original result is the same.
  await evaluate();
  expect((await remediationOf(first)).retests).toHaveLength(2);
  const actions = (await owner()(listAudit, {})).entries.map(({ action }) => action);
  expect(actions.filter((action) => action === 'remediation.retested')).toHaveLength(2);
});

test('lists overdue remediations until they are remediated or retested, and those of the member', {
  tags: ['full'],
}, async () => {
  const [first = '', second = '', third = ''] = failing;
  const reviewer = await server.make.member(org.id, 'rol_reviewer');
  await change([first, second], { dueOn: dayBefore(1), ownerId: reviewer.id });
  await change([third], { dueOn: today() });
  const subjectsIn = async (view: 'open' | 'overdue' | 'mine' | 'retested', by = org.owner) =>
    (await server.as(by, org.id)(listRemediations, { query: { view } })).rows.map(({ subject }) => subject);
  expect(await subjectsIn('overdue')).toEqual([first, second]);
  expect(await subjectsIn('mine', reviewer)).toEqual([first, second]);
  expect(await subjectsIn('mine')).toEqual([]);
  await change([first], { isRemediated: true });
  expect(await subjectsIn('overdue')).toEqual([second]);
  expect(await owner()(countOverdueRemediations, {})).toEqual({ count: 1 });
  const { id } = await remediationOf(first);
  // A failed retest opens it again, and it is overdue again.
  await owner()(recordRetest, { params: { remediationId: id }, body: { result: 'fail' } });
  expect(await subjectsIn('overdue')).toEqual([first, second]);
  await owner()(recordRetest, { params: { remediationId: id }, body: { result: 'pass' } });
  expect(await subjectsIn('retested')).toEqual([first]);
  expect(await subjectsIn('open')).toEqual([second, third]);
  // An owner who leaves stays the owner, and is marked.
  await superuser.query(`update member set status = 'deactivated' where org_id = $1 and account_id = $2`, [
    org.id,
    reviewer.id,
  ]);
  expect((await remediationOf(second)).owner).toMatchObject({ id: reviewer.id, isActive: false });
});

test('the application cannot change a failure, a version or a retest', async () => {
  const [first = ''] = failing;
  await change([first], { dueOn: today() });
  const { id } = await remediationOf(first);
  await owner()(recordRetest, { params: { remediationId: id }, body: { result: 'fail' } });
  for (const [table, column] of [
    ['remediation', 'reasons'],
    ['remediation_change', 'due_on'],
    ['remediation_retest', 'result'],
  ] as const) {
    for (const text of [
      `update ${table} set ${column} = default where org_id = $1`,
      `delete from ${table} where org_id = $1`,
    ]) {
      const attempt = server.services.database.withOrg(org.id, (tx) => tx.query({ name: '', text, values: [org.id] }));
      await expect(attempt, text).rejects.toMatchObject({ code: '42501' });
    }
  }
});

const read = (bundle: Uint8Array, path: string) => new TextDecoder().decode(openZip(bundle).file(path));

test('a snapshot contains failure, owner and retest, and verifiers accept it', { tags: ['full'] }, async () => {
  const [first = '', second = ''] = failing;
  const ticketUrl = 'https://tickets.example/browse/SEC-7';
  await change([first, second], { ownerId: org.owner.id, dueOn: dayBefore(-5), ticketUrl });
  await change([first], { isRemediated: true });
  await anchor(first, true);
  await evaluate();
  const { id: other } = await remediationOf(second);
  await owner()(recordRetest, { params: { remediationId: other }, body: { result: 'fail' } });
  const { id } = await owner()(createSnapshot, {
    body: { name: 'Retested', period: period(), controls: ['LOG-01'] },
  });
  const snapshot = await vi.waitFor(
    async () => {
      const now = await owner()(getSnapshot, { params: { snapshotId: id } });
      expect(['ready', 'failed']).toContain(now.state);
      return now;
    },
    { timeout: 60_000, interval: 200 },
  );
  expect(snapshot).toMatchObject({ state: 'ready', problem: null });
  const answer = await fetch(`${server.url}/api/v2/snapshots/${id}/bundle`, {
    headers: { authorization: `Bearer ${await server.token(org.owner, org.id)}` },
  });
  const bundle = new Uint8Array(await answer.arrayBuffer());
  const report = await verifyBundle(bundle, { keys: [parseVerifier(snapshot.key ?? '')] });
  expect(report.sentence).toContain('VALID: ');
  expect(compareBundle(openZip(bundle)).problems).toEqual([]);
  if (hasPython) {
    const script = `
import base64
from notes import key_of
from verify import verify
print(json.dumps(verify(base64.b64decode(sys.stdin.read()), [key_of(sys.argv[1])])[1]))`;
    const args = [snapshot.key ?? ''];
    expect(runInPython(script, { args, input: Buffer.from(bundle).toString('base64') })).toBeNull();
  }
  const records = read(bundle, 'remediations.jsonl')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
  expect(records).toMatchObject([
    {
      subject: first,
      failure: { verdict: 'fail', reasons: ['never_anchored'] },
      changes: [{ isRemediated: false, ticketUrl }, { isRemediated: true }],
      retests: [{ result: 'pass', by: null, evaluation: { epoch: 1 } }],
      result: `failed, remediated on ${today()}, retested on ${today()} with result pass`,
    },
    { subject: second, retests: [{ result: 'fail', evaluation: null }] },
  ]);
  // The item passes at the checkpoint of the snapshot, and its text still begins with the failure.
  const line = read(bundle, 'csv/LOG-01.csv')
    .split('\r\n')
    .find((one) => one.startsWith(`"${first}"`));
  expect(line).toContain('"pass"');
  expect(line?.endsWith(`"failed, remediated on ${today()}, retested on ${today()} with result pass"`)).toBe(true);
  const { 'plan-of-action-and-milestones': plan } = JSON.parse(read(bundle, 'oscal/poam.json'));
  expect(plan.risks.map(({ status }: { status: string }) => status)).toEqual(['closed', 'open']);
  expect(plan['poam-items']).toHaveLength(3);
  expect(plan['poam-items'][2].description).toBe('3 failing items have no owner, due date or ticket.');
  const states = await owner()(listControls, { query: { period: period() } });
  expect(states.find(({ id: control }) => control === 'LOG-01')?.result?.counts).toMatchObject({ pass: 1, fail: 4 });
});

test('notifies an owner of assigned items, and once after each due date until they are remediated', async () => {
  const member = await server.make.member(org.id, 'rol_reviewer');
  const notified = async (): Promise<string[]> => {
    await runJob(server, 'notifications.remind', org.id);
    await runJob(server, 'notifications.deliver', org.id);
    const { items } = await inboxOf(server, org.id, member);
    const body = { ids: items.map(({ id }) => id), status: 'archived' } as const;
    if (items.length > 0) await server.as(member, org.id)(changeNotifications, { body });
    return items.map(({ reason, type, title, body: text }) => `${reason} ${type}: ${title}. ${text}`);
  };
  const [first = '', second = ''] = failing;
  await change([first, second], { ownerId: member.id, dueOn: today() });
  const [assigned, ...others] = await notified();
  expect(others).toEqual([]);
  expect(assigned).toMatch(
    /^assigned remediation.assigned: You own 2 failing items of LOG-01\. .* and others\. Remediate by/,
  );
  // Nothing becomes theirs again.
  await change([first], { ownerId: member.id, notes: 'Known' });
  expect(await notified()).toEqual([]);
  await change([first, second], { dueOn: dayBefore(2) });
  const [overdue] = await notified();
  expect(overdue).toMatch(/^assigned remediation.overdue: The remediation of 2 items of LOG-01 is overdue\. /);
  expect(await notified()).toEqual([]);
  // Another due date that passed counts, unless the item is stated as remediated.
  await change([first], { dueOn: dayBefore(1), isRemediated: true });
  await change([second], { dueOn: dayBefore(1) });
  const [again] = await notified();
  expect(again).toContain('The remediation of an item of LOG-01 is overdue');
});
