import type { HostName } from '../host-name.ts';
import { approvalRows } from './approval-rows.ts';
import { checkRows } from './check-rows.ts';
import { pushRows } from './push-rows.ts';
import { type ExpectedCells, type RowPhase, type ScenarioRow, tableControls } from './scenario-row.ts';

const phases: readonly RowPhase[] = [
  // Connecting a tracker reads the tickets of earlier changes again.
  'issue tracker',
  'compliant',
  'no checks',
  'checks of one app',
  'repository disabled',
  'exempted by a policy',
];

/** Every scenario of a change, in the order of their phases. */
export const scenarioTable: readonly ScenarioRow[] = [...approvalRows, ...pushRows, ...checkRows].toSorted(
  (one, other) => phases.indexOf(phaseOf(one)) - phases.indexOf(phaseOf(other)),
);

export function phaseOf(row: ScenarioRow): RowPhase {
  return row.kind === 'push' ? 'compliant' : (row.phase ?? 'compliant');
}

/** The results of a compliant change on each code host. */
export const compliantCells: Readonly<Record<HostName, Required<ExpectedCells>>> = {
  github: {
    'CHG-01': 'pass independent_approval',
    'CHG-02': 'pass by_pull_request',
    'CHG-03': 'pass merged_by_another',
    'CHG-05': 'pass required_checks_passed',
    'CHG-06': 'pass ticket_found',
  },
  gitlab: {
    'CHG-01': 'pass independent_approval',
    // It does not tell merges from pushes.
    'CHG-02': 'pass by_pull_request host_activity_not_reported',
    'CHG-03': 'pass merged_by_another',
    'CHG-05': 'pass required_checks_passed',
    'CHG-06': 'pass ticket_found',
  },
  bitbucket: {
    'CHG-01': 'pass independent_approval',
    'CHG-02': 'pass by_pull_request host_activity_not_reported',
    'CHG-03': 'pass merged_by_another',
    // It requires a number of builds without their names.
    'CHG-05': 'missing_evidence required_checks_unknown',
    // It links no issues, and no issue tracker is connected.
    'CHG-06': 'fail no_ticket',
  },
};

/** The expected results of a scenario on a code host. Null: it cannot be produced there. */
export function expectedCellsOn(row: ScenarioRow, on: HostName): Required<ExpectedCells> | null {
  if (row.notOn?.[on] !== undefined) return null;
  const outside = row.kind === 'push' ? { 'CHG-03': null, 'CHG-05': null, 'CHG-06': null } : {};
  const cells = { ...compliantCells[on], ...outside, ...row.expected, ...row.on?.[on]?.expected };
  return Object.fromEntries(tableControls.map((control) => [control, cells[control]])) as Required<ExpectedCells>;
}
