import type { HostName } from '@sightline/sandbox/planted/host-name.ts';
import {
  createTableScenario,
  type TableScenario,
  tableMembers,
} from '@sightline/sandbox/planted/table/create-table-scenario.ts';
import { tableControls } from '@sightline/sandbox/planted/table/scenario-row.ts';
import { scenarioTable } from '@sightline/sandbox/planted/table/scenario-table.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isFullSuite } from '../../../scripts/full-suite.ts';
import { createVerifiedBundle, type HistoryBundle } from './generated-history/create-bundle.ts';
import { evaluateControl, expectedVerdictsFor } from './generated-history/evaluate-control.ts';
import { dateOf, dayMs, type GeneratedHistory } from './generated-history/generated-history.ts';
import { recoverLostChanges } from './generated-history/report-changes.ts';
import { prepareTableMembers, reportTable } from './generated-history/report-table.ts';
import { startHistory } from './generated-history/start-generated-history.ts';

// One host only: SCENARIO_HOST=gitlab TEST_FULL=1 npx vitest run server/src/architecture/scenario-table.test.ts
const hosts = (process.env.SCENARIO_HOST ?? (isFullSuite ? 'github,gitlab,bitbucket' : 'github')).split(
  ',',
) as HostName[];
const rows = isFullSuite ? scenarioTable : scenarioTable.filter(({ isRepresentative = false }) => isRepresentative);
const patience = 600_000;

describe.each(hosts)('scenarios on %s', (on) => {
  let history: GeneratedHistory;
  let scenario: TableScenario;
  let bundle: HistoryBundle;
  const period = `${dateOf(Date.now() - dayMs)}..${dateOf(Date.now())}`;
  beforeAll(async () => {
    scenario = createTableScenario(rows, on);
    history = await startHistory(scenario, tableMembers);
    await prepareTableMembers(history, scenario.signed);
    await reportTable(history, scenario);
    await recoverLostChanges(history);
    bundle = await createVerifiedBundle(history, { period, controls: tableControls });
  }, patience);
  afterAll(() => history.close());

  test.each(tableControls)(
    '%s has the result of the table for every scenario in the application, the bundle and the PDF',
    async (control) => {
      const expected = named(expectedVerdictsFor(history, control), scenario);
      const evaluated = await evaluateControl(history, control, period);
      expect(named(evaluated.rows, scenario)).toEqual(expected);
      expect(named(await bundle.rowsOf(control), scenario)).toEqual(expected);
      expect(named(await bundle.pdfRowsOf(control), scenario)).toEqual(expected);
    },
    patience,
  );
});

/** Adds the name of the scenario to each row about a pull request. */
const named = <Row extends { subject: string }>(results: readonly Row[], { changes }: TableScenario) =>
  results.map((row) => {
    const number = Number(/#(\d+)$/.exec(row.subject)?.[1]);
    return { ...row, scenario: changes[number - 1]?.scenario ?? '' };
  });
