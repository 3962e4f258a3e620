import type { ControlId } from '@sightline/contract/core/control-ids.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { evaluateControl, expectedVerdictsFor } from './generated-history/evaluate-control.ts';
import type { GeneratedHistory } from './generated-history/generated-history.ts';
import { recoverLostChanges, reportChanges } from './generated-history/report-changes.ts';
import { startGeneratedHistory } from './generated-history/start-generated-history.ts';

const about: readonly ControlId[] = ['CHG-01', 'CHG-02', 'CHG-03', 'CHG-05', 'CHG-06'];
const patience = 180_000;

let history: GeneratedHistory;
let reportedChanges = 0;
async function report(count: number): Promise<void> {
  await reportChanges(history, count);
  reportedChanges += count;
}
beforeAll(async () => {
  history = await startGeneratedHistory(3, 14, { isSound: true });
  await report(4);
}, patience);
afterAll(() => history.close());

const sandbox = () => history.codeHost.sandbox;
const installation = () => [...sandbox().sandbox.host.installations.keys()][0] ?? 0;
const permit = (name: string, level: 'read' | 'none') =>
  sandbox().control('permissions', { installation: installation(), name, level });

/** Returns the verdicts of the merges, in chronological order. */
const verdictsOf = async (control: ControlId): Promise<string[]> => {
  const { rows } = await evaluateControl(history, control);
  const byNumber = new Map(rows.map(({ subject, verdict, reasons }) => [subject, `${verdict} ${reasons}`]));
  return history.repositoryScenario.changes.flatMap((change) =>
    change.kind === 'merge' ? (byNumber.get(`acme/widgets#${change.number}`) ?? []) : [],
  );
};

test(
  'reports compliant controls as passing while all data sources are available',
  async () => {
    for (const control of about)
      expect([control, (await evaluateControl(history, control)).status]).toEqual([control, 'passing']);
    // No scanner is connected, which must not count as a scan without findings.
    expect((await evaluateControl(history, 'SCN-01')).status).not.toBe('passing');
  },
  patience,
);

test('reports missing evidence only for controls that need a revoked permission, from then on', {
  tags: 'full',
  timeout: patience,
}, async () => {
  await permit('checks', 'none');
  await report(3);
  const good = 'pass required_checks_passed';
  expect(await verdictsOf('CHG-05')).toEqual([
    good,
    good,
    good,
    good,
    ...Array(3).fill('missing_evidence checks_missing'),
  ]);
  expect((await evaluateControl(history, 'CHG-05')).status).toBe('missing_evidence');
  expect((await evaluateControl(history, 'CHG-01')).status).toBe('passing');
  await permit('checks', 'read');
});

test('reports missing evidence instead of a pass for linked issues without access to the timeline', {
  tags: 'full',
  timeout: patience,
}, async () => {
  await sandbox().control('faults', { match: '/issues/\\d+/timeline', status: 403, times: 1000 });
  await report(2);
  const verdicts = await verdictsOf('CHG-06');
  expect(verdicts.slice(-2).every((verdict) => verdict.startsWith('missing_evidence '))).toBe(true);
  expect((await evaluateControl(history, 'CHG-06')).status).toBe('missing_evidence');
  await fetch(`${sandbox().sandbox.url}/_sandbox/faults`, { method: 'DELETE' });
});

test(
  'reports missing evidence for an unreported push that the host cannot list, and passes no change control',
  async () => {
    // The host has no list of pushes.
    await sandbox().control('faults', {
      match: '/repos/acme/widgets/activity',
      status: 404,
      times: 100_000,
    });
    const lost = history.repositoryScenario.changes[reportedChanges];
    lost?.lost.push('push', 'closed');
    await report(3);
    const { rows, status, completeness } = await evaluateControl(history, 'CHG-02');
    // Of the reported pushes, only the list of the host tells merges from direct pushes.
    // A reconciliation before the webhooks of later pushes arrive may count the same gap twice.
    const gaps = rows
      .filter(({ verdict }) => verdict !== 'pass')
      .map(({ verdict, reasons }) => `${verdict} ${reasons}`);
    const lostPush = 'missing_evidence force_unknown,merge_method_unknown,push_lost';
    expect(new Set(gaps)).toEqual(new Set(['missing_evidence host_activity_unknown', lostPush]));
    expect(status).toBe('missing_evidence');
    const pushes = completeness?.find(({ source }) => source === 'pushes');
    expect(pushes?.found).toBe((pushes?.expected ?? 0) - gaps.filter((gap) => gap === lostPush).length);
    for (const control of about)
      expect([control, (await evaluateControl(history, control)).status]).not.toEqual([control, 'passing']);
  },
  patience,
);

test(
  'recovers lost events and resolves missing evidence once the code host responds again',
  async () => {
    await fetch(`${sandbox().sandbox.url}/_sandbox/faults`, { method: 'DELETE' });
    await recoverLostChanges(history);
    const { rows, status } = await evaluateControl(history, 'CHG-02');
    expect(rows).toEqual(
      expectedVerdictsFor(history, 'CHG-02').filter(({ subject }) => rows.some((row) => row.subject === subject)),
    );
    expect(status).toBe('passing');
  },
  patience,
);
