import { describe, expect, test } from 'vitest';
import type { ControlId } from './catalog.ts';
import { controls } from './control-list.ts';
import {
  defaultsOf,
  type Parameter,
  type Parameters,
  readSetting,
  settingFrom,
  strictestOf,
  weakenedParameters,
} from './parameters.ts';

const { parameters } = controls['CHG-04'];
const vul01 = controls['VUL-01'].parameters;

describe('A setting', () => {
  test('keeps the default of parameters that are not named', () => {
    expect(readSetting(parameters, {})).toEqual({ setting: defaultsOf(parameters) });
    expect(readSetting(parameters, { reviews: 2, branches: ['release/*'] })).toEqual({
      setting: { ...defaultsOf(parameters), reviews: 2, branches: ['release/*'] },
    });
    expect(readSetting(vul01, { acceptedDismissals: ['false_positive'], info: 365 })).toHaveProperty(
      'setting.info',
      365,
    );
  });

  test.each([
    [{ reviews: 7 }, 'reviews'],
    [{ reviews: -1 }, 'reviews'],
    [{ reviews: 1.5 }, 'reviews'],
    [{ reviews: '1' }, 'reviews'],
    [{ reviews: Number.NaN }, 'reviews'],
    [{ noForcePush: 'yes' }, 'noForcePush'],
    [{ branches: 'main' }, 'branches'],
    [{ branches: [''] }, 'branches'],
    [{ branches: ['a', 'a'] }, 'branches'],
    [{ branches: ['a'.repeat(201)] }, 'branches'],
    [{ branches: ['\ud800'] }, 'branches'],
    [{ branches: Array.from({ length: 51 }, (_, n) => `b${n}`) }, 'branches'],
    [{ review: 1 }, 'review'],
    [{ toString: 1 }, 'toString'],
  ])('rejects %j', (values, parameter) => {
    expect(readSetting(parameters, values)).toEqual({ problems: [{ parameter, message: expect.any(String) }] });
  });

  test('is rejected with every problem at once', () => {
    expect(readSetting(vul01, { high: -1, acceptedDismissals: ['will_not_fix'], speed: 3 })).toEqual({
      problems: [
        { parameter: 'high', message: 'must be a whole number of days from 0 to 3660' },
        {
          parameter: 'acceptedDismissals',
          message: 'must be a selection of false_positive, not_exploitable, used_in_tests, mitigated',
        },
        { parameter: 'speed', message: 'is not a parameter of this control' },
      ],
    });
  });

  test.each(Object.values(controls).map((control) => [control.id, control.parameters] as const))(
    'has valid defaults for %s',
    (_id, known) => {
      expect(readSetting(known, defaultsOf(known))).toEqual({ setting: defaultsOf(known) });
    },
  );
});

describe('The strictest of several settings', () => {
  test.each<[id: ControlId, parameter: string, one: unknown, other: unknown, strictest: unknown]>([
    ['CHG-01', 'approvals', 1, 3, 3],
    ['CHG-01', 'branches', ['release/*'], ['main', 'release/*'], ['main', 'release/*']],
    ['CHG-04', 'noForcePush', false, true, true],
    ['CHG-06', 'exemptLabels', ['docs', 'typo'], ['typo'], ['typo']],
    ['COV-01', 'coverage', 80, 95, 95],
    ['EXC-01', 'longest', 90, 180, 90],
    ['SCN-02', 'freshness', 7, 31, 7],
    ['TOL-01', 'unreviewed', 0, 14, 0],
    ['VUL-01', 'high', 10, 30, 10],
    ['VUL-01', 'high', 0, 30, 30],
    ['VUL-01', 'acceptedDismissals', ['false_positive'], [], []],
  ])('uses the stricter value of %s %s in any order', (id, parameter, one, other, strictest) => {
    const parameters: Parameters = controls[id].parameters;
    const [first, second] = [
      settingFrom(parameters, { [parameter]: one }),
      settingFrom(parameters, { [parameter]: other }),
    ];
    const expected = { ...defaultsOf(parameters), [parameter]: strictest };
    expect(strictestOf(parameters, first, [second])).toEqual(expected);
    expect(strictestOf(parameters, second, [first])).toEqual(expected);
  });

  test('requires the direction of each parameter at compile time', () => {
    // @ts-expect-error `stricter` is missing.
    const parameter: Parameter = { kind: 'number', title: 'Limit', unit: 'days', default: 1, min: 0, max: 2 };
    expect(parameter).not.toHaveProperty('stricter');
  });
});

test('keeps valid stored values and uses defaults for all others', () => {
  expect(settingFrom(controls['CHG-04'].parameters, { reviews: 2, noDeletion: 'yes', removed: true })).toEqual({
    ...defaultsOf(controls['CHG-04'].parameters),
    reviews: 2,
  });
});

describe('An allow-list', () => {
  const { agents } = controls['AI-01'].parameters;
  const strictest = (one: string[], other: string[]) =>
    strictestOf({ agents }, { agents: one }, [{ agents: other }]).agents;

  test('that allows everything is the least strict one', () => {
    expect(strictest(['**'], ['Claude'])).toEqual(['Claude']);
    expect(strictest(['Claude'], ['**'])).toEqual(['Claude']);
    expect(strictest(['**'], [])).toEqual([]);
    expect(strictest(['Claude', 'Codex'], ['Codex', 'Cursor'])).toEqual(['Codex']);
    expect(weakenedParameters({ agents }, { agents: ['**'] }, { agents: ['Claude'] })).toEqual([]);
    expect(weakenedParameters({ agents }, { agents: ['Claude'] }, { agents: ['**'] })).toEqual(['agents']);
    expect(weakenedParameters({ agents }, { agents: ['Claude'] }, { agents: ['Claude', 'Codex'] })).toEqual(['agents']);
  });
});
