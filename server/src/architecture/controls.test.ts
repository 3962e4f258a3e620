import { readFile } from 'node:fs/promises';
import {
  completeness,
  controlDefinition,
  controlResult,
  controlSetting,
  controlStatus,
  verdict,
  verdictCounts,
  verdictRow,
} from '@sightline/contract/compliance/controls.ts';
import { policyKinds, policyMode, policyScope, policyVersion } from '@sightline/contract/compliance/policies.ts';
import { controlId, controlIds } from '@sightline/contract/core/control-ids.ts';
import { catalogVersion, definitions, controlIds as evaluated } from '@sightline/evidence/controls/catalog.ts';
import { withoutIndependentCount } from '@sightline/evidence/controls/completeness.ts';
import { controls } from '@sightline/evidence/controls/control-list.ts';
import { type FrameworkId, frameworks, requirements } from '@sightline/evidence/controls/crosswalk.ts';
import { defaultsOf } from '@sightline/evidence/controls/parameters.ts';
import { runControl } from '@sightline/evidence/controls/run.ts';
import { sources } from '@sightline/evidence/controls/sources.ts';
import { statuses, verdicts } from '@sightline/evidence/controls/verdicts.ts';
import { describe, expect, test } from 'vitest';
import { controlFiles } from '../../../scripts/control-files.ts';
import { controlsOfKind } from '../domains/compliance/policies/kinds.ts';

// The contract and evidence/ must not import each other but must agree. This test imports both.
describe('the control API matches the evaluation engine', () => {
  test('in ids, verdicts and statuses', () => {
    expect(controlIds).toEqual(evaluated);
    expect(controlId.options).toEqual(evaluated);
    expect(verdict.options).toEqual(verdicts);
    expect(controlStatus.options).toEqual(statuses);
  });

  test.each(definitions.map((definition) => [definition.id, definition] as const))(
    '%s matches its schema completely',
    (_id, it) => {
      const example = {
        ...pick(it, 'id', 'title', 'rule', 'population', 'verdicts'),
        parameters: Object.entries(it.parameters).map(([name, parameter]) => ({ name, ...parameter })),
        crosswalk: (Object.keys(frameworks) as FrameworkId[]).flatMap((framework) =>
          (it.crosswalk[framework] ?? []).map((requirement) => ({
            framework: frameworks[framework],
            requirement,
            title: (requirements[framework] as Readonly<Record<string, string>>)[requirement],
          })),
        ),
        sources: it.sources.map((id) => ({ id, ...sources[id] })),
      };
      expect(controlDefinition.parse(example)).toEqual(example);
      expect(controlSetting.parse(defaultsOf(it.parameters))).toEqual(defaultsOf(it.parameters));
    },
  );

  test('a run and its rows match their schemas', () => {
    const digest = {
      subject: 'digest',
      repository: null,
      leaf: 4,
      leaves: [4],
      waivers: [],
      dueAt: '2026-07-10T00:00:00.000Z',
      evaluatedAt: '2026-08-01T00:00:00.000Z',
      bodySha256: 'd'.repeat(64),
      signOffs: { state: 'complete', value: [] },
    } as const;
    const run = runControl(controls['DIG-01'], [digest], [], [withoutIndependentCount('digests', 1)]);
    const { rows, excluded: _, ...rest } = run;
    const period = { from: '2026-07-01T00:00:00.000Z', to: '2026-08-01T00:00:00.000Z' };
    const result = { ...rest, catalogVersion, period, asOfSize: 5 };
    expect(controlResult.parse(result)).toEqual(result);
    expect(rows.map((row) => verdictRow.parse(row))).toEqual(rows);
    expect(verdictCounts.parse(run.counts)).toEqual(run.counts);
    expect(run.completeness.map((one) => completeness.parse(one))).toEqual(run.completeness);
  });
});

test('npm run controls has written the lists of controls', async () => {
  for (const [path, text] of Object.entries(await controlFiles()))
    expect([path, await readFile(new URL(`../../../${path}`, import.meta.url), 'utf8')]).toEqual([path, text]);
});

describe('Policies', () => {
  test('exist of every kind that a control names', () => {
    expect(
      definitions.flatMap(({ policies }) => policies).filter((kind) => !policyKinds.includes(kind as never)),
    ).toEqual([]);
  });

  test('of each kind set only configurable controls, each once', () => {
    const settable = definitions.filter(({ parameters }) => Object.keys(parameters).length > 0).map(({ id }) => id);
    const set = Object.values(controlsOfKind).flat();
    expect(settable.filter((id) => !(set as string[]).includes(id))).toEqual(['EXC-01', 'COV-01', 'LOG-01']);
  });

  test('are rejected when they violate the schema', () => {
    expect(policyMode.safeParse('block').success).toBe(false);
    expect(policyScope.safeParse({ repositories: [], branches: [] }).success).toBe(false);
    expect(policyScope.safeParse({ repositories: null, branches: [''] }).success).toBe(false);
    const version = {
      id: '0b1c7a3e-52fb-4a51-9d5e-3f9a4a9f0c11',
      version: 1,
      name: 'Two approvals on releases',
      kind: 'merge',
      scope: { repositories: null, branches: ['release/*'], tools: [] },
      settings: { 'CHG-01': { approvals: 2 } },
      mode: 'observe',
      author: { id: '0b1c7a3e-52fb-4a51-9d5e-3f9a4a9f0c12', name: 'Ada Byron' },
      from: '2026-07-01T00:00:00.000Z',
      until: null,
    };
    expect(policyVersion.parse(version)).toEqual(version);
    expect(policyVersion.safeParse({ ...version, settings: { 'CHG-99': {} } }).success).toBe(false);
  });
});

const pick = <T extends object, K extends keyof T>(from: T, ...keys: readonly K[]): Pick<T, K> =>
  Object.fromEntries(keys.map((key) => [key, from[key]])) as Pick<T, K>;
