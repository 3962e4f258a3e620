import fc from 'fast-check';
import type { ControlId } from '../catalog.ts';
import type { Parameter, Parameters } from '../parameters.ts';
import type { PopulationRow } from '../rows.ts';
import type { SettingVersion } from '../run.ts';
import { forEachControl } from './each.ts';
import { validWaiver } from './facts.ts';
import { withoutOneFact } from './without-one-fact.ts';

/** Rows of a control in any order, and the settings under which they are evaluated. */
export interface Population {
  control: ControlId;
  rows: readonly PopulationRow[];
  settings: readonly SettingVersion<unknown>[];
}

/** Populations of every control: rows of any variant, some of them without a fact, with waivers and settings. */
export function arbitraryPopulations(): fc.Arbitrary<Population>[] {
  const all: fc.Arbitrary<Population>[] = [];
  forEachControl(({ id, parameters }, variants) => {
    const anyRow = fc
      .record({
        ...(Object.fromEntries(
          Object.entries(variants).map(([field, values]) => [field, oftenFirst(values as unknown[])]),
        ) as { [field: string]: fc.Arbitrary<unknown> }),
        waivers: fc.subarray(waivers),
        repository: fc.constantFrom('repo_1', 'repo_2', null),
        ...('isDefaultBranch' in variants && { isDefaultBranch: fc.boolean(), branch: fc.constantFrom(...names) }),
        ...('sourceBranch' in variants && {
          sourceBranch: fc.constantFrom(...names).map((value) => ({ state: 'complete', value })),
          labels: fc.subarray([...names]).map((value) => ({ state: 'partial', value })),
        }),
        ...('pathMatches' in variants && {
          pathMatches: fc
            .subarray(patterns)
            .chain((some) => fc.record({ state: fc.constantFrom('complete', 'partial'), value: fc.constant(some) }))
            .map(({ state, value }) => ({
              state,
              value: value.map((pattern, index) => ({ pattern, isTouched: index % 3 === 0 })),
            })),
          configuredServers: fc.subarray([...names]).map((value) => ({ state: 'complete', value })),
        }),
      })
      .chain((row) => fc.oneof(fc.constant(row), fc.constantFrom(row, ...withoutOneFact(row))));
    const settingOf = fc.record(
      Object.fromEntries(Object.entries(parameters as Parameters).map(([name, one]) => [name, anyValueOf(one)])),
    );
    const setting = fc.record({
      from: fc.constantFrom('2026-01-01T00:00:00.000Z', '2026-07-05T00:00:00.000Z'),
      until: fc.constantFrom(null, '2026-07-08T00:00:00.000Z'),
      repositories: fc.constantFrom(null, ['repo_1']),
      setting: settingOf,
    });
    all.push(
      fc
        .record({ rows: fc.array(anyRow, { maxLength: 30, size: 'max' }), made: fc.array(setting, { maxLength: 3 }) })
        .map((one) => ({
          control: id as ControlId,
          rows: one.rows.map((row, index) => ({ ...row, subject: `row ${index}` }) as unknown as PopulationRow),
          settings: one.made.map((version, index) => ({ version: index + 1, ...version })),
        })),
    );
  });
  return all;
}

const names = ['main', 'release/1.0', 'release/1.0/fix', 'bot/up*date', '', '🧭/x'] as const;
const patterns = ['main', 'release/*', 'release/**', '**', '*/x', 'bot/*', '***', 'release/1.?', 'Cla*', 'claude-**'];

const anyValueOf = (parameter: Parameter): fc.Arbitrary<unknown> => {
  switch (parameter.kind) {
    case 'number':
      return fc.integer({ min: parameter.min, max: Math.min(parameter.max, parameter.min + 60) });
    case 'switch':
      return fc.boolean();
    case 'patterns':
      return fc.subarray(patterns);
    case 'choices':
      return fc.subarray([...parameter.choices]);
  }
};

/** Most values are those of a passing row: otherwise hardly any row would pass. */
const oftenFirst = (values: readonly unknown[]) =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(values[0]) }, { weight: 4, arbitrary: fc.constantFrom(...values) });

/** Waivers that are permanent, approved by the requester, end early, follow each other, or were approved late. */
const waivers = [
  validWaiver,
  { ...validWaiver, id: 'exc_2', requestedBy: validWaiver.decidedBy },
  { ...validWaiver, id: 'exc_3', until: '2026-07-08T00:00:00.000Z' },
  { ...validWaiver, id: 'exc_4', from: '2026-07-08T00:00:00.000Z' },
  { ...validWaiver, id: 'exc_5', decidedAt: '2026-07-10T00:00:00.000Z' },
];
