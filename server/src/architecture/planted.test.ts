import type { ControlId } from '@sightline/contract/core/control-ids.ts';
import type { HostName } from '@sightline/sandbox/planted/host-name.ts';
import { scenarioHosts } from '@sightline/sandbox/planted/hosts.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isFullSuite } from '../../../scripts/full-suite.ts';
import { evaluateControl, expectedVerdictsFor } from './generated-history/evaluate-control.ts';
import { findMerges } from './generated-history/find-merges.ts';
import type { GeneratedHistory } from './generated-history/generated-history.ts';
import { pauseRepositoryOnDays } from './generated-history/pause-repository.ts';
import { recoverLostChanges, reportChanges } from './generated-history/report-changes.ts';
import { simulateProtectionDays } from './generated-history/simulate-protection-days.ts';
import { startGeneratedHistory } from './generated-history/start-generated-history.ts';

// A larger history, other seeds or one host only:
// PLANT_SIZE=500 PLANT_SEED=7,8 PLANT_HOST=gitlab npx vitest run server/src/architecture/planted.test.ts
const size = Number(process.env.PLANT_SIZE ?? 24);
const hosts = (process.env.PLANT_HOST ?? (isFullSuite ? scenarioHosts.join(',') : 'github')).split(',') as HostName[];
const seeds = (process.env.PLANT_SEED ?? (isFullSuite ? '1,2' : '1')).split(',').map(Number);
// Other hosts use one seed unless PLANT_SEED is set.
const hasChosenSeeds = process.env.PLANT_SEED !== undefined;
const planted = hosts.flatMap((host) => {
  const some = hasChosenSeeds || host === 'github' ? seeds : seeds.slice(0, 1);
  return some.map((seed) => ({ host, seed }));
});
// A run with PLANT_SIZE also prints its duration in seconds.
const isMeasured = process.env.PLANT_SIZE !== undefined;
const days = isFullSuite ? 14 : 4;
const patience = 120_000 + size * 3_000;

describe.each(planted)('generated history on $host with seed $seed', ({ host, seed }) => {
  let history: GeneratedHistory;
  let started = 0;
  const seconds = () => Math.round((performance.now() - started) / 100) / 10;
  const figures: Record<string, number | string> = { host, seed, size };
  beforeAll(async () => {
    started = performance.now();
    history = await startGeneratedHistory(seed, size, { on: host });
    figures.begun = seconds();
    await reportChanges(history, size);
    await recoverLostChanges(history);
    figures.recorded = seconds();
  }, patience);
  afterAll(async () => {
    figures.evaluated = seconds();
    if (isMeasured) process.stdout.write(`${JSON.stringify({ planted: figures })}\n`);
    await history.close();
  });

  test.each<ControlId>(['CHG-01', 'CHG-02', 'CHG-03', 'CHG-05', 'CHG-06'])(
    '%s reports exactly the violations and the missing evidence, with reasons',
    async (control) => {
      const { rows, status } = await evaluateControl(history, control);
      const expectedVerdicts = expectedVerdictsFor(history, control);
      expect(rows).toEqual(expectedVerdicts);
      expect(status).toBe(expectedVerdicts.some(({ verdict }) => verdict === 'fail') ? 'failing' : 'missing_evidence');
    },
    patience,
  );

  test(
    'Explore finds exactly the self-approved merges',
    async () => {
      const isOwn = (reason: string) => /^approved_by_(author|last_pusher|earlier_pusher|session_owner):/.test(reason);
      const own = expectedVerdictsFor(history, 'CHG-01').filter(
        ({ verdict, reasons }) => verdict === 'fail' && reasons.some(isOwn),
      );
      expect(await findMerges(history, 'control:soc2/CC8.1 is:self-approved after:-90d')).toEqual(
        own.map(({ subject }) => subject),
      );
    },
    patience,
  );

  test(
    'AI-01 reports exactly the agent changes approved only by their session owners',
    async () => {
      const { rows } = await evaluateControl(history, 'AI-01');
      expect(rows.filter(({ verdict }) => verdict === 'fail')).toEqual(expectedVerdictsFor(history, 'AI-01'));
    },
    patience,
  );

  test(
    'CHG-04 reports exactly the days without the required branch protection and the days without data',
    async () => {
      const { expectedVerdicts, period } = await simulateProtectionDays(history, days);
      const { rows, status } = await evaluateControl(history, 'CHG-04', period);
      expect(rows).toEqual(expectedVerdicts);
      expect(status).toBe('failing');
      // Disabling the repository for 30 seconds hides no day: other than failures, all become missing evidence.
      await pauseRepositoryOnDays(history, days);
      const paused = await evaluateControl(history, 'CHG-04', period);
      expect(paused.rows).toEqual(
        expectedVerdicts.map(({ verdict, reasons, ...answer }) => ({
          ...answer,
          verdict: verdict === 'fail' ? verdict : 'missing_evidence',
          reasons:
            verdict === 'fail' ? reasons : [...(verdict === 'pass' ? [] : reasons), 'repository_disabled'].toSorted(),
        })),
      );
      expect(paused.status).toBe('failing');
    },
    patience,
  );
});
