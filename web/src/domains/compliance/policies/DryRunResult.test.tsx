// @vitest-environment happy-dom
import type { VerdictCounts } from '@sightline/contract/compliance/controls.ts';
import type { DryRun } from '@sightline/contract/compliance/policies.ts';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { visitPage } from '#testing/visitPage.tsx';
import { DryRunResult } from './DryRunResult.tsx';

const counts = (more: Partial<VerdictCounts> = {}): VerdictCounts => ({
  population: 0,
  pass: 0,
  fail: 0,
  waived: 0,
  missing_evidence: 0,
  ...more,
});

const runOf = (...all: VerdictCounts[]): DryRun => ({
  id: 'run',
  period: { from: '2026-10-24T00:00:00.000Z', to: '2026-11-23T00:00:00.000Z' },
  controls: all.map((result, index) => ({
    control: index === 0 ? 'CHG-01' : 'CHG-02',
    title: 'Approval',
    before: result,
    after: result,
    changed: 0,
  })),
  rows: [],
  madeAt: '2026-11-23T00:00:00.000Z',
});

async function outcome(...all: VerdictCounts[]): Promise<string | null> {
  visitPage('/policies', () => <DryRunResult run={runOf(...all)} stale={false} />, '/policies');
  return (await screen.findByRole('status')).textContent;
}

test('reports a simulation without data as inconclusive', async () => {
  expect(await outcome(counts())).toContain('The last 30 days hold no data that this policy applies to.');
});

test('reports a simulation with only missing evidence as inconclusive', async () => {
  expect(await outcome(counts(), counts({ population: 3, missing_evidence: 3 }))).toContain(
    'evidence is missing for every verdict',
  );
});

test('reports a simulation that changes nothing', async () => {
  const text = await outcome(counts(), counts({ population: 3, pass: 2, missing_evidence: 1 }));
  expect(text).toContain('In the last 30 days no verdict would change.');
});

test('opens the items whose verdict would change in a new tab', async () => {
  const [control] = runOf(counts({ population: 2, pass: 2 })).controls;
  const row = { control: 'CHG-01' as const, before: 'pass' as const, after: 'fail' as const, reasons: [] };
  const run: DryRun = {
    ...runOf(),
    controls: control ? [{ ...control, changed: 2 }] : [],
    rows: [
      { ...row, subject: 'change:01890000-0000-7000-8000-000000000000' },
      { ...row, subject: 'tool:npm' },
    ],
  };
  visitPage('/policies', () => <DryRunResult run={run} stale={false} />, '/policies');
  const link = await screen.findByRole('link', { name: /^change:01890000/ });
  expect(link.getAttribute('href')).toBe('/changes/01890000-0000-7000-8000-000000000000');
  expect(link.getAttribute('target')).toBe('_blank');
  expect(screen.getByText('tool:npm').closest('a')).toBe(null);
});
