import { evaluateRows } from '@sightline/evidence/bundle/evaluated-rows.ts';
import { type ControlId, definitions } from '@sightline/evidence/controls/catalog.ts';
import type { Parameter, Parameters } from '@sightline/evidence/controls/parameters.ts';
import type { PopulationRow } from '@sightline/evidence/controls/rows.ts';
import type { SettingVersion } from '@sightline/evidence/controls/run.ts';
import { forEachControl } from '@sightline/evidence/controls/testing/each.ts';
import { validWaiver } from '@sightline/evidence/controls/testing/facts.ts';
import { withoutOneFact } from '@sightline/evidence/controls/testing/without-one-fact.ts';
import { verdicts as verdictNames } from '@sightline/evidence/controls/verdicts.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isFullSuite } from '../../../scripts/full-suite.ts';
import { hasPython, runInPython } from './testing/second-verifier.ts';

interface Population {
  control: ControlId;
  rows: readonly PopulationRow[];
  settings: readonly SettingVersion<unknown>[];
}

const script = `
from evaluation import evaluate
defaults = json.loads(sys.argv[1])
print(json.dumps([evaluate(one['control'], one['rows'], one['settings'], defaults[one['control']])
                  for one in json.load(sys.stdin)]))`;

test.skipIf(!hasPython)(
  'a program written from the specification returns the same verdict for every row',
  () => {
    const { seed } = fc.readConfigureGlobal();
    const given = { numRuns: isFullSuite ? 400 : 40, ...(seed !== undefined && { seed }) };
    const populations = arbitraryPopulations().flatMap((one) => fc.sample(one, given));
    const defaults = definitions.map(({ id, parameters }) => [id, defaultsIn(parameters)] as const);
    const output = runInPython(script, {
      args: [JSON.stringify(Object.fromEntries(defaults))],
      input: JSON.stringify(populations),
    }) as [unknown[], unknown[]][];
    const verdicts = new Set<string>();
    for (const [index, { control, rows, settings }] of populations.entries()) {
      const expected = evaluateRows(control, rows, settings, []);
      for (const { verdict } of expected.rows) verdicts.add(`${control} ${verdict}`);
      expect(output[index], `${control}: ${JSON.stringify(settings)}`).toEqual([expected.rows, expected.excluded]);
    }
    // Each control had rows of each verdict: nothing agrees because it was not evaluated.
    const all = definitions.flatMap(({ id }) => verdictNames.map((verdict) => `${id} ${verdict}`));
    expect(all.filter((one) => !verdicts.has(one))).toEqual([]);
  },
  120_000,
);

const defaultsIn = (parameters: Parameters) =>
  Object.fromEntries(Object.entries(parameters).map(([name, { default: value }]) => [name, value]));

/** Populations of every control: rows of any variant, some of them without a fact, with waivers and settings. */
function arbitraryPopulations(): fc.Arbitrary<Population>[] {
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
        .record({ rows: fc.array(anyRow, { maxLength: 30 }), made: fc.array(setting, { maxLength: 3 }) })
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
const patterns = ['main', 'release/*', 'release/**', '**', '*/x', 'bot/*', '***', 'release/1.?'];

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
