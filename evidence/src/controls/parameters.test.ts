import { describe, expect, test } from 'vitest';
import { controls } from './catalogue.ts';
import { defaultsOf, readSetting } from './parameters.ts';

const { parameters } = controls['CHG-04'];
const vul01 = controls['VUL-01'].parameters;

describe('A setting', () => {
  test('keeps the default of what is not named', () => {
    expect(readSetting(parameters, {})).toEqual({ setting: defaultsOf(parameters) });
    expect(readSetting(parameters, { reviews: 2, branches: ['release/*'] })).toEqual({
      setting: { ...defaultsOf(parameters), reviews: 2, branches: ['release/*'] },
    });
    expect(readSetting(vul01, { closingDismissals: ['false_positive'], info: 365 })).toHaveProperty(
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
    [{ freshness: 25 }, 'freshness'],
    [{ noForcePush: 'yes' }, 'noForcePush'],
    [{ branches: 'main' }, 'branches'],
    [{ branches: [''] }, 'branches'],
    [{ branches: ['a', 'a'] }, 'branches'],
    [{ branches: ['a'.repeat(201)] }, 'branches'],
    [{ branches: ['\ud800'] }, 'branches'],
    [{ branches: Array.from({ length: 51 }, (_, n) => `b${n}`) }, 'branches'],
    [{ review: 1 }, 'review'],
    [{ toString: 1 }, 'toString'],
  ])('%j is refused', (values, parameter) => {
    expect(readSetting(parameters, values)).toEqual({ problems: [{ parameter, says: expect.any(String) }] });
  });

  test('is refused with every problem at once, each in words', () => {
    expect(readSetting(vul01, { high: -1, closingDismissals: ['will_not_fix'], speed: 3 })).toEqual({
      problems: [
        { parameter: 'high', says: 'must be a whole number of days from 0 to 3660' },
        {
          parameter: 'closingDismissals',
          says: 'must be some of false_positive, not_exploitable, used_in_tests, mitigated',
        },
        { parameter: 'speed', says: 'is not a parameter of this control' },
      ],
    });
  });

  test.each(Object.values(controls).map((control) => [control.id, control.parameters] as const))(
    'of %s by default is one that could be set',
    (_id, known) => {
      expect(readSetting(known, defaultsOf(known))).toEqual({ setting: defaultsOf(known) });
    },
  );
});
