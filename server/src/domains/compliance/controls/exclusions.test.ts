import {
  getControl,
  getControlsOverview,
  getControlTask,
  runControl,
} from '@sightline/contract/compliance/control-runs.ts';
import { createPolicy, getPoliciesStatus } from '@sightline/contract/compliance/policies.ts';
import { createSnapshot, getSnapshot } from '@sightline/contract/compliance/snapshots.ts';
import { verifyBundle } from '@sightline/evidence/bundle/verify.ts';
import { openZip } from '@sightline/evidence/bundle/zip-read.ts';
import { parseEntry } from '@sightline/evidence/ledger/entry.ts';
import { parseVerifier } from '@sightline/evidence/ledger/note.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { approvePolicyChange } from '#testing/policies.ts';
import { shareTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { addChanges, addRepository } from '../snapshots/changes.fixture.ts';

let server: TestServer;
let org: TestOrganization;
let repository: string;
beforeAll(async () => {
  server = await shareTestServer({ jobs: true });
});
afterAll(() => server.close());

const day = 86_400_000;
const dateOf = (time: number) => new Date(time).toISOString().slice(0, 10);
const owner = () => server.as(org.owner, org.id);

/** An organization with a policy in observe mode that exempts source branches, and four merges afterwards. */
async function exempt(exemptBranches: string[], isForRepository = false): Promise<string> {
  org = await server.make.organization();
  repository = await addRepository(server.services, org.id, 'widgets');
  const settings = { 'CHG-06': { exemptBranches } };
  const scope = { repositories: isForRepository ? [repository] : null, branches: [], tools: [] };
  const body = { name: 'Tickets', kind: 'merge', scope, settings, mode: 'observe' } as const;
  await approvePolicyChange(server, org, await owner()(createPolicy, { body }));
  const from = Date.now() + 1_000;
  await addChanges(server.services, org.id, repository, { from: new Date(from).toISOString(), count: 4 });
  return `${dateOf(from - day)}..${dateOf(from + day)}`;
}

async function evaluate(period: string) {
  const task = await owner()(runControl, { params: { id: 'CHG-06' }, body: { period } });
  await vi.waitFor(
    async () => {
      const { state } = await owner()(getControlTask, { params: { id: 'CHG-06', taskId: task.id } });
      expect(state).toBe('done');
    },
    { timeout: 20_000 },
  );
  return owner()(getControl, { params: { id: 'CHG-06' }, query: { period } });
}

test('reports missing evidence if a policy in observe mode exempts every change', async () => {
  const period = await exempt(['**']);
  const { result, weakenings } = await evaluate(period);
  expect(weakenings).toMatchObject([
    {
      parameter: 'exemptBranches',
      repositories: null,
      before: 'none',
      after: '**',
      author: { name: org.owner.name },
      approver: { name: 'reviewer Person' },
      selfApproved: false,
    },
  ]);
  const exclusions = [{ parameter: 'exemptBranches', setting: 1, items: 4, byDefault: 0 }];
  expect(result).toMatchObject({ status: 'missing_evidence', counts: { population: 0 }, exclusions });

  const { missing } = await owner()(getControlsOverview, { query: { period } });
  expect(missing).toMatchObject([
    { source: 'settings', link: '/policies', rows: 4, controls: [{ id: 'CHG-06', reasons: [{ rows: 4 }] }] },
  ]);

  const { entry } = await server.services.database.withOrg(org.id, ({ db }) =>
    db
      .selectFrom('ledger_known')
      .select('entry')
      .where('org_id', '=', org.id)
      .where('kind', '=', 'control.evaluated')
      .executeTakeFirstOrThrow(),
  );
  expect(parseEntry(entry ?? '').subject.exclusions).toEqual(exclusions);
}, 60_000);

test('reports missing evidence of a policy that exempts every change of its repositories', async () => {
  await evaluate(await exempt(['**'], true));
  expect(await owner()(getPoliciesStatus, {})).toMatchObject([
    { status: 'missing_evidence', counts: { population: 0 } },
  ]);
}, 60_000);

test('counts the excluded changes of a passing control, and proves them in the bundle', async () => {
  const period = await exempt(['feature/*']);
  const { id } = await owner()(createSnapshot, { body: { name: 'Days', period, controls: ['CHG-01', 'CHG-06'] } });
  const snapshot = await vi.waitFor(
    async () => {
      const now = await owner()(getSnapshot, { params: { snapshotId: id } });
      expect(now).toMatchObject({ state: 'ready', problem: null });
      return now;
    },
    { timeout: 60_000, interval: 200 },
  );
  const answer = await fetch(`${server.url}/api/v2/snapshots/${id}/bundle`, {
    headers: { authorization: `Bearer ${await server.token(org.owner, org.id)}` },
  });
  const bundle = new Uint8Array(await answer.arrayBuffer());
  const report = await verifyBundle(bundle, { keys: [parseVerifier(snapshot.key ?? '')] });
  expect(report.steps.filter(({ state }) => state === 'failed')).toEqual([]);
  expect(report.limits.join(' ')).toMatch(/exemptBranches of CHG-06 at .*, approved by another person/);
  const excluded = Buffer.from(openZip(bundle).file('excluded/CHG-06.jsonl')).toString();
  expect([...excluded.matchAll(/"parameters":\["exemptBranches"\]/g)]).toHaveLength(4);
}, 90_000);
