import type { Control } from '../control.ts';
import { controls } from '../control-list.ts';
import type { Parameters } from '../parameters.ts';
import type { PopulationRow } from '../rows.ts';
import * as changes from './change-variants.ts';
import * as others from './variants.ts';

/** Calls `visit` with every control and the variants of its rows. */
export function forEachControl(
  visit: <Row extends PopulationRow, P extends Parameters>(
    control: Control<Row, P>,
    variants: changes.Variants<Row>,
  ) => void,
): void {
  visit(controls['CHG-01'], changes.change);
  visit(controls['CHG-02'], changes.reached);
  visit(controls['CHG-03'], changes.merge);
  visit(controls['CHG-04'], changes.protection);
  visit(controls['CHG-05'], changes.checks);
  visit(controls['CHG-06'], changes.ticket);
  visit(controls['SCN-01'], others.scanned);
  visit(controls['SCN-02'], others.freshness);
  visit(controls['VUL-01'], others.weakness);
  visit(controls['VUL-02'], others.secret);
  visit(controls['EXC-01'], others.decision);
  visit(controls['TOL-01'], others.toolUse);
  visit(controls['COV-01'], others.committer);
  visit(controls['ACC-01'], others.access);
  visit(controls['ACC-02'], others.reviewLine);
  visit(controls['AI-01'], changes.agentChange);
  visit(controls['LOG-01'], others.ledgerDay);
  visit(controls['DIG-01'], others.digest);
}
