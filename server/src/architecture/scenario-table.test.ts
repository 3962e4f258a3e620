import type { ControlId } from '@sightline/contract/core/control-ids.ts';
import type { ExpectedVerdict } from '@sightline/sandbox/planted/answer-key.ts';
import type { HostName } from '@sightline/sandbox/planted/host-name.ts';
import { scenarioHosts } from '@sightline/sandbox/planted/hosts.ts';
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
import { backdateOrganization } from './generated-history/members.ts';
import { pauseRepositoryOnDays } from './generated-history/pause-repository.ts';
import { recoverLostChanges } from './generated-history/report-changes.ts';
import { prepareTableMembers, reportTable } from './generated-history/report-table.ts';
import { accessPeriods, expectedAccess, simulateAccess } from './generated-history/simulate-access.ts';
import { simulateProtectionDays } from './generated-history/simulate-protection-days.ts';
import { startHistory } from './generated-history/start-generated-history.ts';

// One host only: SCENARIO_HOST=gitlab TEST_FULL=1 npx vitest run server/src/architecture/scenario-table.test.ts
const hosts = (process.env.SCENARIO_HOST ?? (isFullSuite ? scenarioHosts.join(',') : 'github')).split(
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

  const resultOf = async (control: ControlId, within: string, expected: readonly ExpectedVerdict[]) => {
    const evaluated = await evaluateControl(history, control, within);
    expect(evaluated.rows).toEqual(expected);
    const verified = await createVerifiedBundle(history, { period: within, controls: [control] });
    expect(await verified.rowsOf(control)).toEqual(expected);
    expect(await verified.pdfRowsOf(control)).toEqual(expected);
    return { evaluated, verified };
  };

  test('a policy that exempts every source branch is stated with the changes that it excludes', {
    tags: 'full',
    timeout: patience,
  }, async () => {
    const excluded = bundle.textOf('excluded/CHG-06.jsonl').trim().split('\n');
    expect(excluded).toHaveLength(1);
    expect(excluded[0]).toContain('"parameters":["exemptBranches"]');
    expect(bundle.pdfText).toContain('Exempt source branches');
  });

  test('ACC-01 has the result of the table for access on the code host, also if it was not read for a day', {
    tags: 'full',
    timeout: patience,
  }, async () => {
    await backdateOrganization(history.server, history.org.id, 30);
    await simulateAccess(history);
    const { complete, gap } = accessPeriods();
    await resultOf('ACC-01', complete, expectedAccess(history, false));
    await resultOf('ACC-01', gap, expectedAccess(history, true));
  });

  test('CHG-04 has the result of the table for every day, also if the repository is disabled for 30 seconds', {
    tags: 'full',
    timeout: patience,
  }, async () => {
    const { expectedVerdicts, period: within } = await simulateProtectionDays(history, days);
    await resultOf('CHG-04', within, expectedVerdicts);
    await pauseRepositoryOnDays(history, days);
    const { verified } = await resultOf('CHG-04', within, expectedVerdicts.map(whilePaused));
    expect(verified.pdfText).toContain('repository_disabled');
  });
});

/** Every kind of day, after a compliant one. */
const days = 13;

/** Days on which the repository was disabled are missing evidence, unless they fail anyway. */
const whilePaused = ({ verdict, reasons, ...day }: ExpectedVerdict): ExpectedVerdict => ({
  ...day,
  verdict: verdict === 'fail' ? verdict : 'missing_evidence',
  reasons: verdict === 'fail' ? reasons : [...(verdict === 'pass' ? [] : reasons), 'repository_disabled'].toSorted(),
});

/** Adds the name of the scenario to each row about a pull request. */
const named = <Row extends { subject: string }>(results: readonly Row[], { changes }: TableScenario) =>
  results.map((row) => {
    const number = Number(/#(\d+)$/.exec(row.subject)?.[1]);
    return { ...row, scenario: changes[number - 1]?.scenario ?? '' };
  });
