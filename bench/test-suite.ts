import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { printProgress, printReport, type ReportRow } from './report.ts';

const root = join(import.meta.dirname, '..');

const summaryFile = join(root, '.cache', 'test-reports', 'summary.json');

/** The content of the `summaryFile` that `npm test` writes, see scripts/test-reports.mjs. */
interface Summary {
  seconds: number;
  sleptSeconds: number;
  ranOutSeconds: number;
  stages: { stage: string; seconds: number; files: { file: string; seconds: number }[] }[];
}

/**
 * Runs `npm test` RUNS times (3). Prints the seconds of each run and stage, and the 20 slowest files of the last run.
 */
export async function benchTestSuite(): Promise<void> {
  const runs = Number(process.env.RUNS ?? 3);
  const rows: ReportRow[] = [];
  let last: Summary | undefined;
  for (let run = 1; run <= runs; run += 1) {
    printProgress(`npm test, run ${run} of ${runs}`);
    const code = await runTests();
    last = JSON.parse(readFileSync(summaryFile, 'utf8')) as Summary;
    const stages = Object.fromEntries(last.stages.map(({ stage, seconds }) => [stage, seconds]));
    const { seconds, sleptSeconds, ranOutSeconds } = last;
    rows.push({
      name: `run ${run}`,
      result: code === 0 ? 'passed' : 'failed',
      seconds,
      sleptSeconds,
      ranOutSeconds,
      ...stages,
    });
  }
  printReport('test-suite', rows);
  const slowest = (last?.stages ?? [])
    .flatMap(({ files }) => files)
    .toSorted((one, other) => other.seconds - one.seconds)
    .slice(0, 20);
  printReport(
    'test-suite: slowest files of the last run',
    slowest.map(({ file, seconds }) => ({ name: file, seconds })),
  );
}

/** Returns the exit code. Its output goes to standard error, which contains no figures. */
function runTests(): Promise<number | null> {
  const tests = spawn(process.execPath, [join(root, 'scripts/test.mjs')], { cwd: root, stdio: ['ignore', 2, 2] });
  return new Promise((resolve, reject) => tests.once('error', reject).once('exit', resolve));
}
