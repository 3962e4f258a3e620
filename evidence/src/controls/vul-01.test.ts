import { describe, expect, test } from 'vitest';
import { defaultsOf } from './parameters.ts';
import { completeFact, missingFact, validWaiver } from './testing/facts.ts';
import { isInPopulation } from './testing/in-population.ts';
import { testVerdicts } from './testing/table.ts';
import { passingRowOf, weakness } from './testing/variants.ts';
import { vul01 } from './vul-01.ts';

const good = passingRowOf(weakness);
const open = { fixedAt: completeFact(null) };
const unseen = { fixedAt: missingFact };
const dismissed = { at: '2026-07-03T00:00:00.000Z', reason: 'false_positive' };

testVerdicts(vul01, good, [
  ['passes if fixed within the limit', {}, 'pass', ['fixed_in_time']],
  [
    'passes if fixed at the end of the limit',
    { fixedAt: completeFact('2026-07-31T00:00:00.000Z') },
    'pass',
    ['fixed_in_time'],
  ],
  ['passes if open within the limit', open, 'pass', ['inside_time_limit']],
  [
    'passes if dismissed with a reason that closes a finding',
    { ...open, dismissal: dismissed, evaluatedAt: '2026-10-01T00:00:00.000Z' },
    'pass',
    ['fixed_in_time'],
    { acceptedDismissals: ['false_positive'] },
  ],
  [
    'fails if fixed later',
    { fixedAt: completeFact('2026-07-31T00:00:00.001Z'), evaluatedAt: '2026-10-01T00:00:00.000Z' },
    'fail',
    ['over_time_limit'],
  ],
  ['fails if open beyond the limit', { ...open, evaluatedAt: '2026-08-01T00:00:00.000Z' }, 'fail', ['over_time_limit']],
  [
    'fails if over the shorter limit of its severity',
    { fixedAt: completeFact('2026-07-09T00:00:00.000Z'), severity: completeFact('critical') },
    'fail',
    ['over_time_limit'],
  ],
  [
    'fails if dismissed, which counts as a fix only by parameter',
    { ...open, dismissal: dismissed, evaluatedAt: '2026-10-01T00:00:00.000Z' },
    'fail',
    ['over_time_limit'],
  ],
  [
    'fails if reported after the limit, even without later scans',
    { ...unseen, lastSeenAt: '2026-08-02T00:00:00.000Z', evaluatedAt: '2026-10-01T00:00:00.000Z' },
    'fail',
    ['over_time_limit'],
  ],
  [
    'fails if over the limit of every severity, even with unknown severity',
    { ...open, severity: missingFact, evaluatedAt: '2028-01-01T00:00:00.000Z' },
    'fail',
    ['over_time_limit'],
    { info: 365 },
  ],
  ['has missing evidence with unknown severity', { severity: missingFact }, 'missing_evidence', ['severity_unknown']],
  [
    'has missing evidence with unknown severity and long open if one severity has no limit',
    { ...open, severity: missingFact, evaluatedAt: '2028-01-01T00:00:00.000Z' },
    'missing_evidence',
    ['severity_unknown'],
  ],
  ['has missing evidence without a recent scan', unseen, 'missing_evidence', ['still_open_unknown']],
]);

describe('VUL-01', () => {
  test('excludes findings of a severity without a limit from the population, but not those of unknown severity', () => {
    const setting = defaultsOf(vul01.parameters);
    expect(isInPopulation(vul01, { ...good, severity: completeFact('info') }, setting)).toBe(false);
    expect(isInPopulation(vul01, { ...good, severity: completeFact('low') }, setting)).toBe(true);
    expect(isInPopulation(vul01, { ...good, severity: missingFact }, setting)).toBe(true);
  });

  test('accepts waivers only if they cover all of the time over the limit in the period', () => {
    const late = { ...good, fixedAt: completeFact('2026-08-20T00:00:00.000Z'), periodFrom: '2026-08-01T00:00:00.000Z' };
    const evaluated = (...spans: (readonly [from: string, until: string, decidedAt?: string])[]) => {
      const approved = spans.map(([from, until, decidedAt = from], index) => ({
        ...validWaiver,
        id: `exc_${index}`,
        from: `2026-${from}T00:00:00.000Z`,
        until: `2026-${until}T00:00:00.000Z`,
        decidedAt: `2026-${decidedAt}T00:00:00.000Z`,
      }));
      return vul01.evaluate({ ...late, waivers: approved }, defaultsOf(vul01.parameters));
    };
    expect(evaluated(['07-31', '09-01']).verdict).toBe('waived');
    expect(evaluated(['08-01', '09-01']).verdict).toBe('waived');
    expect(evaluated(['08-02', '09-01']).verdict).toBe('fail');
    expect(evaluated(['07-31', '08-20']).verdict).toBe('fail');
    expect(evaluated(['07-31', '09-01', '08-05']).verdict).toBe('fail');
    expect(evaluated(['08-10', '09-01'], ['07-31', '08-10'])).toEqual({
      verdict: 'waived',
      reasons: ['approved_waiver:exc_0', 'approved_waiver:exc_1', 'over_time_limit'],
    });
    expect(evaluated(['08-11', '09-01'], ['07-31', '08-10']).verdict).toBe('fail');
  });
});
