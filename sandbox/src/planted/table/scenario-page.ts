import { dayScenarios } from '../days.ts';
import type { HostName } from '../host-name.ts';
import { hostBehavior, scenarioHosts as hosts, scenariosOn } from '../hosts.ts';
import { accessRows } from './access-rows.ts';
import { type ScenarioRow, tableControls } from './scenario-row.ts';
import { differenceOn, expectedCellsOn, impossibleBecause, scenarioTable } from './scenario-table.ts';

const titles = hosts.map((on) => scenariosOn(on).title);

/** Builds docs/control-scenarios.md: the expected result of each scenario on each code host. */
export const scenarioPage = (): string =>
  [
    '# Scenarios of controls',
    '',
    'Generated from `sandbox/src/planted/table` by `npm run controls`. `server/src/architecture/scenario-table.test.ts` produces each scenario on each',
    'code host over its own API and webhooks, and compares the result in the application, in the bundle, which both verifiers evaluate again, and in',
    'the PDF. `npm test` runs a part on GitHub, `npm run test:full` everything on all code hosts. `review`: from a review of the product; `own`: ours.',
    '',
    '## A compliant change',
    '',
    tableOf(
      ['Control', ...titles],
      tableControls.map((control) => [control, ...hosts.map((on) => resultText(scenariosOn(on).compliant[control]))]),
    ),
    '',
    '## Changes',
    '',
    'Only results that differ from those of a compliant change on the same code host. A reason about a review ends in its key (`r` is the first one).',
    '',
    tableOf(
      ['Scenario', 'Source', ...titles],
      scenarioTable.map((row) => [row.name, row.source, ...hosts.map((on) => differences(row, on))]),
    ),
    '',
    'Where code hosts differ:',
    '',
    ...scenarioTable.flatMap(notesOf),
    '',
    '## Days of branch protection (CHG-04)',
    '',
    'The protection is read every hour of each day. A day on which the repository was also disabled for 30 seconds is missing evidence, unless it fails.',
    '',
    tableOf(
      ['Day', ...titles],
      Object.entries(dayScenarios).map(([name, day]) => [
        name,
        ...hosts.map((on) => {
          const { verdict, reasons } = hostBehavior(on).days[name] ?? day;
          return resultText([verdict, ...reasons].join(' '));
        }),
      ]),
    ),
    '',
    '## Access on the code host (ACC-01)',
    '',
    'The access is read every six hours. The result is the same on all code hosts.',
    '',
    tableOf(
      ['Scenario', 'Result', 'If it was not read for more than a day'],
      accessRows.map(({ name, expected, afterGap }) => [name, resultText(expected), resultText(afterGap)]),
    ),
    '',
  ].join('\n');

const tableOf = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

function resultText(cell: string | null): string {
  if (cell === null) return 'not in the population';
  const [verdict, ...reasons] = cell.split(' ');
  return `${verdict}: ${reasons.map((reason) => `\`${reason}\``).join(', ')}`;
}

function differences(row: ScenarioRow, on: HostName): string {
  const cells = expectedCellsOn(row, on);
  if (cells === null) return 'cannot be produced';
  const { compliant } = scenariosOn(on);
  const different = tableControls.filter((control) => {
    const isOutside = row.kind === 'push' && cells[control] === null;
    return !isOutside && cells[control] !== compliant[control];
  });
  return different.map((control) => `${control} ${resultText(cells[control])}`).join('<br>') || 'as compliant';
}

const notesOf = (row: ScenarioRow): string[] =>
  hosts.flatMap((on) => {
    const because = impossibleBecause(row, on) ?? differenceOn(row, on)?.because;
    return because === undefined ? [] : [`- ${row.name}, ${scenariosOn(on).title}: ${because}`];
  });
