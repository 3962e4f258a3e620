import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chg01 } from './chg-01.ts';
import { chg06 } from './chg-06.ts';
import { independentCount } from './completeness.ts';
import { createEvaluator, runControl, type SettingVersion } from './run.ts';
import { change, review, ticket } from './testing/change-variants.ts';
import { completeFact, human, missingFact } from './testing/facts.ts';
import { passingRowOf, toolUse } from './testing/variants.ts';
import { tol01 } from './tol-01.ts';
import { verdictLine } from './verdict-line.ts';
import { countsOf, statusOf, verdicts } from './verdicts.ts';

const good = passingRowOf(change);
const bad = { ...good, reviews: completeFact([]) };
const unclear = { ...good, reviews: missingFact };
const named = <T>(rows: readonly T[]) => rows.map((row, index) => ({ ...row, subject: `change ${index}` }));

describe('A run', () => {
  test.each([
    ['failing with a failing row, even with missing evidence', [good, bad, unclear], 'failing'],
    ['missing evidence without a failing row', [good, unclear], 'missing_evidence'],
    ['passing if every row passes', [good, good], 'passing'],
    ['not applicable without rows', [], 'not_applicable'],
    [
      'not applicable if every row is out of scope',
      [{ ...bad, branch: 'try', isDefaultBranch: false }],
      'not_applicable',
    ],
  ] as const)('is %s', (_name, rows, status) => {
    expect(runControl(chg01, named(rows), [], []).status).toBe(status);
  });

  test('never passes with missing evidence, a failure or an empty population, but passes with waived rows', () => {
    const counts = fc.array(fc.constantFrom(...verdicts).map((verdict) => ({ verdict })));
    fc.assert(
      fc.property(counts, (rows) => {
        const isMet = rows.length > 0 && rows.every(({ verdict }) => verdict === 'pass' || verdict === 'waived');
        expect(statusOf(countsOf(rows)) === 'passing').toBe(isMet);
      }),
    );
  });

  test.each([
    ['known missing rows', [good], { expected: 2, found: 1 }, 'missing_evidence'],
    ['an unknown expected number', [good], { expected: null, found: 1 }, 'missing_evidence'],
    ['missing rows in an empty population', [], { expected: 3, found: 0 }, 'missing_evidence'],
    ['missing rows and a failing row', [bad], { expected: 2, found: 1 }, 'failing'],
    ['complete rows', [good], { expected: 1, found: 1 }, 'passing'],
    ['rows without an independent count', [good], { isIndependent: false, expected: null, found: 1 }, 'passing'],
  ] as const)('reports %s', (_name, rows, counted, status) => {
    const completeness = [{ source: 'pushes', isIndependent: true, ...counted }] as const;
    expect(runControl(chg01, named(rows), [], completeness)).toMatchObject({ status, completeness });
  });

  test('gives the same result for a population in parts', () => {
    const rows = named([good, bad, unclear, good, unclear]);
    const completeness = [independentCount('pushes', { expected: 5, found: 5 })];
    const parts = createEvaluator(chg01, []);
    parts.add(rows.slice(3));
    parts.add([]);
    parts.add(rows.slice(0, 3));
    expect(parts.size()).toBe(5);
    expect(parts.finish(completeness)).toEqual(runControl(chg01, rows, [], completeness));
    expect(() => parts.add(rows.slice(0, 1))).toThrow(RangeError);
  });

  test('writes one line for each row regardless of the order of its fields', () => {
    const [row] = runControl(chg01, named([unclear]), [], []).rows;
    expect(row && verdictLine(row)).toBe(
      '{"leaf":7,"leaves":[7],"reasons":["reviews_missing"],"setting":0,"subject":"change 0","verdict":"missing_evidence"}',
    );
  });

  test('orders rows by time, then by subject', () => {
    const at = (subject: string, mergedAt: string) => ({ ...good, subject, mergedAt });
    const rows = [
      at('b', '2026-07-11T12:00:00.000Z'),
      at('c', '2026-07-10T12:00:00.000Z'),
      at('a', '2026-07-11T12:00:00.000Z'),
    ];
    expect(runControl(chg01, rows, [], []).rows.map(({ subject }) => subject)).toEqual(['c', 'a', 'b']);
  });

  test('lists the ledger entries that a row depends on', () => {
    const [row] = runControl(chg01, [{ ...good, leaf: 9, leaves: [3, 9] }], [], []).rows;
    expect(row).toMatchObject({ leaf: 9, leaves: [3, 9], verdict: 'pass' });
  });

  test('rejects two rows about one subject, two versions of one number, and an invalid time', () => {
    expect(() => runControl(chg01, [good, good], [], [])).toThrow(RangeError);
    const twice = [two, two];
    expect(() => runControl(chg01, [good], twice, [])).toThrow(RangeError);
    for (const mergedAt of ['yesterday', '2026-02-31T00:00:00.000Z', '2026-07-10T12:00:00Z', '']) {
      expect(() => runControl(chg01, [{ ...good, mergedAt }], [], []), mergedAt).toThrow(RangeError);
    }
  });
});

describe('Items that settings exclude', () => {
  const merged = passingRowOf(ticket);
  const sourced = (...branches: string[]) =>
    named(branches.map((branch) => ({ ...merged, sourceBranch: completeFact(branch) })));
  const exempting = (exemptBranches: string[], exemptLabels: string[] = []) => ({
    ...two,
    from: '2026-07-01T00:00:00.000Z',
    setting: { branches: [], exemptLabels, exemptBranches },
  });

  test('are counted by parameter and version of the setting', () => {
    const { counts, exclusions, excluded, status } = runControl(
      chg06,
      sourced('feature/1', 'bot/1', 'bot/2'),
      [exempting(['bot/*'])],
      [],
    );
    expect([counts.population, status]).toEqual([1, 'passing']);
    expect(exclusions).toEqual([{ parameter: 'exemptBranches', setting: 1, items: 2, byDefault: 0 }]);
    expect(excluded.map(({ subject }) => subject)).toEqual(['change 1', 'change 2']);
  });

  test('count for each parameter that excludes them', () => {
    const rows = sourced('bot/1').map((row) => ({ ...row, labels: completeFact(['automated']) }));
    expect(runControl(chg06, rows, [exempting(['bot/*'], ['automated'])], []).exclusions).toEqual([
      { parameter: 'exemptBranches', setting: 1, items: 1, byDefault: 0 },
      { parameter: 'exemptLabels', setting: 1, items: 1, byDefault: 0 },
    ]);
  });

  test('are missing evidence, not an empty population, if a setting excludes all of them', () => {
    expect(runControl(chg06, sourced('feature/1', 'bot/1'), [exempting(['**'])], []).status).toBe('missing_evidence');
  });

  test('leave a control not applicable if the defaults exclude them too', () => {
    const rows = sourced('feature/1').map((row) => ({ ...row, branch: 'try', isDefaultBranch: false }));
    const run = runControl(chg06, rows, [exempting(['**'])], []);
    expect(run.status).toBe('not_applicable');
    expect(run.exclusions).toContainEqual({ parameter: 'branches', setting: 1, items: 1, byDefault: 1 });
  });
});

const two = {
  version: 1,
  from: '2026-07-11T00:00:00.000Z',
  until: null,
  repositories: null,
  setting: { branches: [], approvals: 2, newMemberDays: 0 },
};

describe('Evaluation with the setting valid at the time', () => {
  const before = { ...good, subject: 'before' };
  const after = { ...good, subject: 'after', mergedAt: '2026-07-12T12:00:00.000Z' };
  const verdictsWith = (...versions: (typeof two | SettingVersion<typeof two.setting>)[]) =>
    runControl(chg01, [before, after], versions, []).rows.map(({ verdict, setting }) => [verdict, setting]);

  test('does not turn the past into failures with a tightened rule', () => {
    expect(verdictsWith(two)).toEqual([
      ['pass', 0],
      ['fail', 1],
    ]);
  });

  test('does not hide failures with a loosened rule', () => {
    const strict = { ...two, from: '2026-07-01T00:00:00.000Z', until: '2026-07-11T00:00:00.000Z' };
    const loose = { ...two, version: 2, setting: { branches: [], approvals: 1, newMemberDays: 0 } };
    expect(verdictsWith(loose, strict)).toEqual([
      ['fail', 1],
      ['pass', 2],
    ]);
  });

  test('ends the settings of a policy with it', () => {
    expect(verdictsWith({ ...two, from: '2026-07-01T00:00:00.000Z', until: '2026-07-11T00:00:00.000Z' })).toEqual([
      ['fail', 1],
      ['pass', 0],
    ]);
  });

  test('prefers a version for the repository, and ignores one for others', () => {
    const all = { ...two, from: '2026-07-01T00:00:00.000Z' };
    const own = {
      ...all,
      version: 2,
      repositories: ['repo_1'],
      setting: { branches: [], approvals: 1, newMemberDays: 0 },
    };
    expect(verdictsWith(all, own)).toEqual([
      ['pass', 2],
      ['pass', 2],
    ]);
    expect(verdictsWith({ ...all, repositories: ['repo_2'] })).toEqual([
      ['pass', 0],
      ['pass', 0],
    ]);
  });

  test('prefers the later of two valid versions, then the higher number', () => {
    const first = { ...two, from: '2026-07-01T00:00:00.000Z' };
    const later = {
      ...two,
      version: 2,
      from: '2026-07-02T00:00:00.000Z',
      setting: { branches: [], approvals: 1, newMemberDays: 0 },
    };
    expect(verdictsWith(later, first)[0]).toEqual(['pass', 2]);
    expect(verdictsWith(first, { ...later, from: first.from })[0]).toEqual(['pass', 2]);
  });

  test('applies to the population too', () => {
    const row = {
      ...good,
      branch: 'release/1',
      isDefaultBranch: false,
      reviews: completeFact([{ ...review, by: human('per_author') }]),
    };
    const wide = {
      ...two,
      from: '2026-07-01T00:00:00.000Z',
      setting: { ...two.setting, branches: ['release/*'], approvals: 1 },
    };
    expect(runControl(chg01, [row], [], []).status).toBe('not_applicable');
    expect(runControl(chg01, [row], [wide], []).status).toBe('failing');
  });

  test('reports days without a decision as of when the tool was seen', () => {
    const seen = { ...passingRowOf(toolUse), decisions: completeFact([]) };
    const strict = {
      version: 1,
      from: '2026-01-01T00:00:00.000Z',
      until: null,
      repositories: null,
      setting: { unreviewed: 3 },
    };
    expect(runControl(tol01, [seen], [], []).status).toBe('missing_evidence');
    expect(runControl(tol01, [seen], [strict], []).status).toBe('failing');
  });
});
