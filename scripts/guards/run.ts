import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

export interface GuardOutcome {
  /** Full names of the tests that failed, and of those that passed. */
  red: string[];
  green: string[];
  /** It ended badly without a test that failed: the change broke more than the guard. */
  broken: boolean;
  said: string;
  seconds: number;
}

export interface GuardRun {
  /** Below server/src, unless they say otherwise. */
  tests: readonly string[];
  /** A regular expression: which tests of those files. */
  only?: string | undefined;
  /** End at the first test that fails. */
  bail?: boolean;
  /** As the set-up of the tests would provide it; without it that set-up starts one. */
  cluster?: { url: string; template: string } | undefined;
}

/** A report as vitest writes it, as far as it is read here. */
interface VitestReport {
  testResults: { message: string; assertionResults: { status: string; fullName: string }[] }[];
}

let child: ChildProcess | undefined;

/** Passes a signal on to the run that is under way; false where there is none. */
export function stopRun(signal: NodeJS.Signals, then: () => void): boolean {
  child?.once('exit', then).kill(signal);
  return child !== undefined;
}

/** Where a test of a guard lies. */
export function pathOf(test: string): string {
  return /^(contract|evidence|extensions|web)\//.test(test) ? test : `server/src/${test}`;
}

/** Runs tests of a copy of the checkout. */
export async function run(copy: string, { tests, only, bail = false, cluster }: GuardRun): Promise<GuardOutcome> {
  const started = performance.now();
  const report = join(copy, 'report.json');
  rmSync(report, { force: true });
  const files = [...new Set(tests)].map(pathOf);
  const args = [
    'node_modules/vitest/vitest.mjs',
    'run',
    ...files,
    // A test that only the full suite runs notices nothing in `npm test`.
    '--tags-filter=!full',
    ...['--config', 'scripts/guards/vitest.config.ts', '--reporter=json', `--outputFile=${report}`],
    ...(bail ? ['--bail', '1'] : []),
    ...(only === undefined ? [] : ['--testNamePattern', only]),
  ];
  const env = {
    ...process.env,
    GUARDS_CACHE: join(copy, '.guards-cache'),
    NODE_COMPILE_CACHE: join(copy, '.compile-cache'),
    ...(cluster && { GUARDS_CLUSTER: JSON.stringify(cluster) }),
  };
  child = spawn(process.execPath, args, { cwd: copy, env, stdio: ['ignore', 'ignore', 'pipe'] });
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr = `${stderr}${chunk.toString()}`.slice(-500);
  });
  const [status] = (await once(child, 'exit')) as [number | null];
  child = undefined;
  const read = readReport(report);
  const found = read.testResults.flatMap((file) => file.assertionResults);
  const named = (status: string) => found.filter((test) => test.status === status).map((test) => test.fullName);
  const red = named('failed');
  return {
    red,
    green: named('passed'),
    broken: status !== 0 && red.length === 0,
    said: read.testResults.map((file) => file.message).find((message) => message !== '') ?? stderr,
    seconds: Math.round((performance.now() - started) / 1000),
  };
}

function readReport(path: string): VitestReport {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as VitestReport;
  } catch {
    return { testResults: [] };
  }
}
