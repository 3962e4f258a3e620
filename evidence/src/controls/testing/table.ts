import { describe, expect, test } from 'vitest';
import type { Control } from '../control.ts';
import { defaultsOf, type Parameters, type SettingOf } from '../parameters.ts';
import { type Reason, reasons } from '../reasons.ts';
import type { PopulationRow } from '../rows.ts';
import type { Verdict } from '../verdicts.ts';
import { validWaiver } from './facts.ts';

/** The rule in words, the difference from a passing row, and the expected result. */
type Case<Row, P extends Parameters> = readonly [
  name: string,
  change: Partial<Row>,
  verdict: Exclude<Verdict, 'waived'>,
  because: readonly Reason[],
  setting?: Partial<SettingOf<P>>,
];

/**
 * Evaluates each row of a table. Each failing row is also evaluated with a waiver, which makes it waived, and with a
 * waiver that its requester approved, which does not. Waivers change no other verdict.
 */
export function testVerdicts<Row extends PopulationRow, P extends Parameters>(
  control: Control<Row, P>,
  good: Row,
  cases: readonly Case<Row, P>[],
): void {
  describe(`${control.id}: ${control.rule}`, () => {
    for (const [name, change, verdict, because, set] of cases) {
      test(name, () => {
        const setting = { ...defaultsOf(control.parameters), ...set };
        const evaluate = (more: Partial<PopulationRow>) => control.evaluate({ ...good, ...change, ...more }, setting);
        const expected = { verdict, reasons: [...because].sort() };
        expect(evaluate({})).toEqual(expected);
        for (const reason of because) expect(kindOf(reason)).toBe(verdict);

        const excepted = { verdict: 'waived', reasons: ['approved_waiver:exc_1', ...because].sort() };
        expect(evaluate({ waivers: [validWaiver] })).toEqual(verdict === 'fail' ? excepted : expected);
        expect(evaluate({ waivers: [{ ...validWaiver, requestedBy: validWaiver.decidedBy }] })).toEqual(expected);
      });
    }
  });
}

const kindOf = (reason: Reason): string => reasons[reason.split(':')[0] as keyof typeof reasons].kind;
