import { describe, expect, test } from 'vitest';
import type { Control } from '../control.ts';
import { defaultsOf, type Parameters, type SettingOf } from '../parameters.ts';
import { type Reason, reasons } from '../reasons.ts';
import type { PopulationRow } from '../rows.ts';
import type { Verdict } from '../verdicts.ts';
import { leave } from './facts.ts';

/** What the rule says in words, how the row differs from one that passes, and what comes of it. */
type Case<Row, P extends Parameters> = readonly [
  name: string,
  change: Partial<Row>,
  verdict: Exclude<Verdict, 'waived'>,
  because: readonly Reason[],
  setting?: Partial<SettingOf<P>>,
];

/**
 * Evaluates each row of a table. Every exception is also evaluated with leave, which makes it excepted, and with leave that its
 * requester gave, which does not; no other verdict is moved by leave.
 */
export function evaluates<Row extends PopulationRow, P extends Parameters>(
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
        expect(evaluate({ waivers: [leave] })).toEqual(verdict === 'fail' ? excepted : expected);
        expect(evaluate({ waivers: [{ ...leave, requestedBy: leave.decidedBy }] })).toEqual(expected);
      });
    }
  });
}

const kindOf = (reason: Reason): string => reasons[reason.split(':')[0] as keyof typeof reasons].kind;
