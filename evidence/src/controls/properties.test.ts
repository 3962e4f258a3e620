import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { acc01 } from './acc-01.ts';
import { acc02 } from './acc-02.ts';
import { ai01 } from './ai-01.ts';
import { chg01 } from './chg-01.ts';
import { chg02 } from './chg-02.ts';
import { chg03 } from './chg-03.ts';
import { chg04 } from './chg-04.ts';
import { chg05 } from './chg-05.ts';
import { chg06 } from './chg-06.ts';
import type { Control } from './control.ts';
import { cov01 } from './cov-01.ts';
import { dig01 } from './dig-01.ts';
import { exc01 } from './exc-01.ts';
import { log01 } from './log-01.ts';
import { defaultsOf, type Parameters } from './parameters.ts';
import type { PopulationRow } from './rows.ts';
import { runControl } from './run.ts';
import { scn01 } from './scn-01.ts';
import { scn02 } from './scn-02.ts';
import * as changes from './testing/change-variants.ts';
import { human, missing } from './testing/facts.ts';
import { lost } from './testing/lost.ts';
import * as others from './testing/variants.ts';
import { tol01 } from './tol-01.ts';
import { vul01 } from './vul-01.ts';
import { vul02 } from './vul-02.ts';

holdsFor(chg01, changes.change);
holdsFor(chg02, changes.reached);
holdsFor(chg03, changes.merge);
holdsFor(chg04, changes.protection);
holdsFor(chg05, changes.checks);
holdsFor(chg06, changes.ticket);
holdsFor(scn01, others.scanned);
holdsFor(scn02, others.freshness);
holdsFor(vul01, others.weakness);
holdsFor(vul02, others.secret);
holdsFor(exc01, others.decision);
holdsFor(tol01, others.sighting);
holdsFor(cov01, others.committer);
holdsFor(acc01, others.access);
holdsFor(acc02, others.reviewLine);
holdsFor(ai01, changes.agentChange);
holdsFor(log01, others.ledgerDay);
holdsFor(dig01, others.digest);

function holdsFor<Row extends PopulationRow, P extends Parameters>(
  control: Control<Row, P>,
  variants: changes.Variants<Row>,
): void {
  const setting = defaultsOf(control.parameters);
  const good = others.goodOf(variants);
  const verdictOf = (row: Row) => control.judge(row, setting).verdict;
  const anyRow = fc.record(
    Object.fromEntries(
      Object.entries(variants).map(([field, values]) => [field, fc.constantFrom(...(values as unknown[]))]),
    ),
  ) as unknown as fc.Arbitrary<Row>;

  describe(control.id, () => {
    test('passes a row that keeps the rule, and it is in the population', () => {
      expect(verdictOf(good)).toBe('pass');
      expect(control.belongs(good, setting)).toBe(true);
    });

    test('no fact that is lost makes a row pass, or leave the population', () => {
      fc.assert(
        fc.property(anyRow, (row) => {
          const before = verdictOf(row);
          for (const less of lost(row)) {
            if (before !== 'pass') expect(verdictOf(less), JSON.stringify(less)).not.toBe('pass');
            if (control.belongs(row, setting)) expect(control.belongs(less, setting)).toBe(true);
          }
        }),
      );
    });

    test('an exception judged without a fact stays one whatever the fact is', () => {
      const fields = Object.keys(variants) as (keyof Row)[];
      fc.assert(
        fc.property(anyRow, fc.constantFrom(...fields), (row, field) => {
          const values = variants[field] as readonly Row[typeof field][];
          if (!values.some((value) => isMissing(value))) return;
          const without: Row = { ...row, [field]: missing };
          if (verdictOf(without) !== 'exception') return;
          for (const value of values) {
            const row: Row = { ...without, [field]: value };
            if (control.belongs(row, setting)) expect(verdictOf(row), JSON.stringify(row)).toBe('exception');
          }
        }),
        { numRuns: 400 },
      );
    });

    test('verdicts, counts and status do not depend on the order of rows', () => {
      fc.assert(
        fc.property(fc.array(anyRow, { maxLength: 12 }), fc.infiniteStream(fc.nat()), (made, numbers) => {
          const rows = made.map((row, index) => ({ ...row, subject: `row ${index}` }));
          const shuffled = rows.map((row) => ({ row, by: numbers.next().value })).sort((a, b) => a.by - b.by);
          const run = runControl(control, rows, [], []);
          expect(
            runControl(
              control,
              shuffled.map(({ row }) => row),
              [],
              [],
            ),
          ).toEqual(run);
          const { population, pass, exception, excepted, gap } = run.counts;
          expect(population).toBe(pass + exception + excepted + gap);
          if (run.status === 'met') expect([gap, exception, population === 0]).toEqual([0, 0, false]);
        }),
        { numRuns: 60 },
      );
    });

    test('judges a row as often as asked with the same result, and leaves it as it was', () => {
      fc.assert(
        fc.property(anyRow, (row) => {
          const before = structuredClone(row);
          expect(control.judge(row, setting)).toEqual(control.judge(row, setting));
          expect(row).toEqual(before);
        }),
      );
    });
  });
}

const isMissing = (value: unknown): boolean => (value as { state?: string } | null)?.state === 'missing';

describe('Independence', () => {
  const people = ['per_author', 'per_pusher', 'per_owner', 'per_other', 'per_third'].map(human);

  test('an author, the last pusher or the owner of an agent’s session never counts as a reviewer', () => {
    const some = fc.subarray(people, { minLength: 1 });
    fc.assert(
      fc.property(some, fc.constantFrom(...people), fc.subarray(people), some, (authors, pusher, owners, reviewers) => {
        const row = {
          ...others.goodOf(changes.change),
          authors: { state: 'complete', value: authors },
          lastPusher: { state: 'complete', value: pusher },
          sessionOwners: { state: 'complete', value: owners },
          reviews: {
            state: 'complete',
            value: reviewers.map((by, index) => ({ ...changes.review, id: `rev_${index}`, by })),
          },
        } as const;
        const isIndependent = reviewers.some((by) => ![...authors, pusher, ...owners].includes(by));
        expect(chg01.judge(row, { branches: [], approvals: 1 }).verdict).toBe(isIndependent ? 'pass' : 'exception');
      }),
    );
  });
});
