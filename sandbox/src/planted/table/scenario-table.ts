import type { HostName } from '../host-name.ts';
import { scenariosOn } from '../hosts.ts';
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

/** Why a scenario cannot be produced on a code host; undefined if it can. */
export function impossibleBecause(row: ScenarioRow, on: HostName): string | undefined {
  const difference = scenariosOn(on).differences[row.name];
  return row.notOn?.[on] ?? (difference !== undefined && 'notOn' in difference ? difference.notOn : undefined);
}

/** How the results of a scenario differ on a code host. */
export function differenceOn(row: ScenarioRow, on: HostName): { because: string; expected: ExpectedCells } | undefined {
  const difference = scenariosOn(on).differences[row.name];
  return row.on?.[on] ?? (difference !== undefined && 'expected' in difference ? difference : undefined);
}

/** The expected results of a scenario on a code host. Null: it cannot be produced there. */
export function expectedCellsOn(row: ScenarioRow, on: HostName): Required<ExpectedCells> | null {
  if (impossibleBecause(row, on) !== undefined) return null;
  const outside = row.kind === 'push' ? { 'CHG-03': null, 'CHG-05': null, 'CHG-06': null } : {};
  const cells = { ...scenariosOn(on).compliant, ...outside, ...row.expected, ...differenceOn(row, on)?.expected };
  return Object.fromEntries(tableControls.map((control) => [control, cells[control]])) as Required<ExpectedCells>;
}
