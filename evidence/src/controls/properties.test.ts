import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { propertyRuns } from '../../../scripts/properties.ts';
import type { MergeRow } from './change-rows.ts';
import { chg01 } from './chg-01.ts';
import { chg03 } from './chg-03.ts';
import type { Control } from './control.ts';
import { defaultsOf, type Parameters } from './parameters.ts';
import type { Actor } from './persons.ts';
import type { PopulationRow } from './rows.ts';
import { runControl } from './run.ts';
import { change, merge, review, type Variants } from './testing/change-variants.ts';
import { forEachControl } from './testing/each.ts';
import { completeFact, human, linked, missingFact } from './testing/facts.ts';
import { isInPopulation } from './testing/in-population.ts';
import { passingRowOf } from './testing/variants.ts';
import { withoutOneFact } from './testing/without-one-fact.ts';

forEachControl(holdsFor);

/** Telemetry is a second source that organizations need not connect: without it, AI-01 states that it is missing. */
const lacksTelemetry = (row: object, less: object): boolean =>
  'agents' in row && 'agents' in less && row.agents !== less.agents;

function holdsFor<Row extends PopulationRow, P extends Parameters>(
  control: Control<Row, P>,
  variants: Variants<Row>,
): void {
  const setting = defaultsOf(control.parameters);
  const good = passingRowOf(variants);
  const verdictOf = (row: Row) => control.evaluate(row, setting).verdict;
  const anyRow = fc.record(
    Object.fromEntries(
      Object.entries(variants).map(([field, values]) => [field, fc.constantFrom(...(values as unknown[]))]),
    ),
  ) as unknown as fc.Arbitrary<Row>;

  describe(control.id, () => {
    test('passes a compliant row and counts it in the population', () => {
      expect(verdictOf(good)).toBe('pass');
      expect(isInPopulation(control, good, setting)).toBe(true);
    });

    test('neither passes a row nor drops it if a fact is missing', () => {
      fc.assert(
        fc.property(anyRow, (row) => {
          const before = verdictOf(row);
          for (const less of withoutOneFact(row)) {
            if (lacksTelemetry(row, less)) continue;
            if (before !== 'pass') expect(verdictOf(less), JSON.stringify(less)).not.toBe('pass');
            if (isInPopulation(control, row, setting)) expect(isInPopulation(control, less, setting)).toBe(true);
          }
        }),
      );
    });

    test('keeps a failing row failing for every value of a missing fact', () => {
      const fields = Object.keys(variants) as (keyof Row)[];
      fc.assert(
        fc.property(anyRow, fc.constantFrom(...fields), (row, field) => {
          const values = variants[field] as readonly Row[typeof field][];
          if (!values.some((value) => isMissing(value))) return;
          const without: Row = { ...row, [field]: missingFact };
          if (verdictOf(without) !== 'fail') return;
          for (const value of values) {
            const row: Row = { ...without, [field]: value };
            if (isInPopulation(control, row, setting)) expect(verdictOf(row), JSON.stringify(row)).toBe('fail');
          }
        }),
        { numRuns: propertyRuns(100) },
      );
    });

    test('computes verdicts, counts and status regardless of the order of rows', () => {
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
          const { population, pass, fail, waived, missing_evidence: missingEvidence } = run.counts;
          expect(population).toBe(pass + fail + waived + missingEvidence);
          if (run.status === 'passing') expect([missingEvidence, fail, population === 0]).toEqual([0, 0, false]);
        }),
        { numRuns: propertyRuns(20) },
      );
    });

    test('evaluates a row repeatedly with the same result and does not modify it', () => {
      fc.assert(
        fc.property(anyRow, (row) => {
          const before = structuredClone(row);
          expect(control.evaluate(row, setting)).toEqual(control.evaluate(row, setting));
          expect(row).toEqual(before);
        }),
      );
    });
  });
}

const isMissing = (value: unknown): boolean => (value as { state?: string } | null)?.state === 'missing';

describe('Independence', () => {
  const people = ['per_author', 'per_pusher', 'per_owner', 'per_other', 'per_third'].map(human);

  test('never counts an author, a pusher or the owner of an agent’s session as a reviewer', () => {
    const some = fc.subarray(people, { minLength: 1 });
    const pushers = fc.array(fc.constantFrom(...people), { minLength: 1, maxLength: 2 });
    fc.assert(
      fc.property(some, pushers, fc.subarray(people), some, (authors, [pusher, ...earlier], owners, reviewers) => {
        const row = {
          ...passingRowOf(change),
          authors: { state: 'complete', value: authors },
          lastPusher: { state: 'complete', value: pusher ?? human('per_pusher') },
          earlierPushers: { state: 'complete', value: earlier },
          sessionOwners: { state: 'complete', value: owners },
          reviews: {
            state: 'complete',
            value: reviewers.map((by, index) => ({ ...review, id: `rev_${index}`, by })),
          },
        } as const;
        const isIndependent = reviewers.some((by) => ![...authors, pusher, ...earlier, ...owners].includes(by));
        expect(chg01.evaluate(row, { branches: [], approvals: 1, newMemberDays: 0 }).verdict).toBe(
          isIndependent ? 'pass' : 'fail',
        );
      }),
    );
  });

  test('counts two merged persons as one, which never passes a change', () => {
    const some = fc.subarray(people, { minLength: 1 });
    const pair = fc.subarray(people, { minLength: 2, maxLength: 2 });
    fc.assert(
      fc.property(some, fc.constantFrom(...people), some, pair, (authors, merger, reviewers, [one, other]) => {
        const rowOf = (as: (actor: Actor) => Actor): MergeRow => ({
          ...passingRowOf(merge),
          authors: completeFact(authors.map(as)),
          lastPusher: completeFact(as(merger)),
          mergedBy: completeFact(as(merger)),
          reviews: completeFact(reviewers.map((by, index) => ({ ...review, id: `rev_${index}`, by: as(by) }))),
        });
        const linkedTo = (actor: Actor): Actor => {
          if (actor === one && other) return linked(idOf(one), idOf(other));
          return actor === other && one ? linked(idOf(other), idOf(one)) : actor;
        };
        const canonical = (actor: Actor): Actor => (actor === other && one ? one : actor);
        for (const approvals of [1, 2]) {
          const verdict = (row: MergeRow) => chg01.evaluate(row, { branches: [], approvals, newMemberDays: 0 }).verdict;
          expect(verdict(rowOf(linkedTo))).toBe(verdict(rowOf(canonical)));
          if (verdict(rowOf(linkedTo)) === 'pass') expect(verdict(rowOf((actor) => actor))).toBe('pass');
        }
        const verdict = (row: MergeRow) => chg03.evaluate(row, { branches: [] }).verdict;
        expect(verdict(rowOf(linkedTo))).toBe(verdict(rowOf(canonical)));
        if (verdict(rowOf(linkedTo)) === 'pass') expect(verdict(rowOf((actor) => actor))).toBe('pass');
      }),
    );
  });
});

const idOf = (actor: Actor): string => (actor.identity === 'unresolved' ? '' : actor.person);
