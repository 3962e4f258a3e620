import { listControlRows } from '@sightline/contract/compliance/control-rows.ts';
import { getControlTask, runControl } from '@sightline/contract/compliance/control-runs.ts';
import { changeRemediations } from '@sightline/contract/compliance/remediation-changes.ts';
import { createRemediationTickets } from '@sightline/contract/compliance/remediation-tickets.ts';
import { createSnapshot, getSnapshot } from '@sightline/contract/compliance/snapshots.ts';
import { compareBundle } from '@sightline/evidence/bundle/testing/format.ts';
import { verifyBundle } from '@sightline/evidence/bundle/verify.ts';
import { openZip } from '@sightline/evidence/bundle/zip-read.ts';
import { parseVerifier } from '@sightline/evidence/ledger/note.ts';
import { changeTicket } from '@sightline/sandbox/trackers/site.ts';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { superuserUrl, type TestOrganization } from '#testing/server.ts';
import { hasPython, runInPython } from '../../../cli/testing/second-verifier.ts';
import { recordCompletedDays } from '../../ledger/ledger/days.ts';
import { startTrackers, type TrackerWorld } from '../../sources/trackers/connected.fixture.ts';

const tracker = 'linear';
let world: TrackerWorld;
let org: TestOrganization;
let failing: string[];

// Every day of a ledger without an anchor fails LOG-01.
beforeAll(async () => {
  world = await startTrackers([], { jobs: true });
  org = await world.server.make.organization('Acme');
  await evaluate();
  const superuser = new pg.Client({ connectionString: superuserUrl(world.server.databaseUrl) });
  await superuser.connect();
  await superuser.query(
    `update ledger_checkpoint set signed_at = now() - interval '6 days'
     where org_id = $1 and size = (select min(size) from ledger_checkpoint where org_id = $1)`,
    [org.id],
  );
  await superuser.end();
  await recordCompletedDays(world.server.services, org.id);
  await evaluate();
  failing = (await rowsOf()).filter(({ verdict }) => verdict === 'fail').map(({ subject }) => subject);
  await world.connect(org, tracker);
}, 120_000);
afterAll(() => world.close());

const owner = () => world.server.as(org.owner, org.id);
const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
const period = () => `${dayBefore(20)}..${dayBefore(0)}`;

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
const remediationOf = async (subject: string) =>
  (await rowsOf()).find((row) => row.subject === subject)?.remediation ?? undefined;
const waitFor = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 30_000, interval: 200 });
const siteTickets = () => world.site(tracker).state.tickets;

test('a ticket of a failing item follows its remediation in both directions, and the bundle is valid', async () => {
  const [first = '', second = ''] = failing;
  const before = siteTickets().length;
  expect(
    await owner()(createRemediationTickets, {
      body: {
        control: 'LOG-01',
        period: period(),
        subjects: [first, second],
        target: { tracker, project: 'OPS', type: null },
      },
    }),
  ).toEqual({ requested: 2, skipped: 0 });
  await waitFor(async () => {
    expect(await remediationOf(first)).toMatchObject({ ticket: { state: 'present', status: 'To Do' } });
    expect(await remediationOf(second)).toMatchObject({ ticket: { state: 'present' } });
  });
  expect(siteTickets()).toHaveLength(before + 2);
  const remediation = await remediationOf(first);
  expect(remediation).toMatchObject({ state: 'open', ticketUrl: remediation?.ticket?.url });
  const ticket = siteTickets().find(({ title }) => title === `LOG-01 fails: ${first}`);
  const other = siteTickets().find(({ title }) => title === `LOG-01 fails: ${second}`);
  if (!ticket || !other) throw new Error('no tickets');
  expect(ticket.text).toContain('Reason: ');

  changeTicket(world.site(tracker), ticket, { status: 'Done' });
  // A sync that still runs because of the requests makes this one run later.
  await world.sync(org, tracker);
  await waitFor(async () => expect(await remediationOf(first)).toMatchObject({ state: 'remediated' }));
  changeTicket(world.site(tracker), ticket, { status: 'In Progress' });
  await world.sync(org, tracker);
  await waitFor(async () => expect(await remediationOf(first)).toMatchObject({ state: 'open', remediatedAt: null }));

  await owner()(changeRemediations, {
    body: { control: 'LOG-01', period: period(), subjects: [second], isRemediated: true },
  });
  await waitFor(async () => expect(other.status).toBe('Done'));
  const changes = other.history.length;
  for (let time = 0; time < 3; time += 1) await world.sync(org, tracker);
  expect(other.history).toHaveLength(changes);
  expect(await remediationOf(second)).toMatchObject({ state: 'remediated' });

  const { id } = await owner()(createSnapshot, { body: { name: 'Tickets', period: period(), controls: ['LOG-01'] } });
  const snapshot = await vi.waitFor(
    async () => {
      const now = await owner()(getSnapshot, { params: { snapshotId: id } });
      expect(['ready', 'failed']).toContain(now.state);
      return now;
    },
    { timeout: 60_000, interval: 200 },
  );
  expect(snapshot).toMatchObject({ state: 'ready', problem: null });
  const answer = await fetch(`${world.server.url}/api/v2/snapshots/${id}/bundle`, {
    headers: { authorization: `Bearer ${await world.server.token(org.owner, org.id)}` },
  });
  const bundle = new Uint8Array(await answer.arrayBuffer());
  const report = await verifyBundle(bundle, { keys: [parseVerifier(snapshot.key ?? '')] });
  expect(report.sentence).toContain('VALID: ');
  expect(compareBundle(openZip(bundle)).problems).toEqual([]);
  if (!hasPython) return;
  const script = `
import base64
from notes import key_of
from verify import verify
print(json.dumps(verify(base64.b64decode(sys.stdin.read()), [key_of(sys.argv[1])])[1]))`;
  const args = [snapshot.key ?? ''];
  expect(runInPython(script, { args, input: Buffer.from(bundle).toString('base64') })).toBeNull();
});
