import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

export interface MutationOutcome {
  /** Full names of tests. */
  failedTests: string[];
  passedTests: string[];
  /** The run failed without a failed test, for example because the mutated file does not compile. */
  isBroken: boolean;
  message: string;
  seconds: number;
}

export interface MutationRun {
  /** Paths below server/src, unless they start with another workspace. */
  tests: readonly string[];
  /** A regular expression that selects tests of those files. */
  only?: string | undefined;
  /** Stops at the first failed test. */
  bail?: boolean;
  /** The cluster that the test setup would provide. Without it, the setup starts one. */
  cluster?: { url: string; template: string } | undefined;
}

/** The part of a Vitest report that is read here. */
interface VitestReport {
  testResults: { message: string; assertionResults: { status: string; fullName: string }[] }[];
}

let child: ChildProcess | undefined;

/** Forwards a signal to the current run. Returns false if there is none. */
export function stopRun(signal: NodeJS.Signals, then: () => void): boolean {
  child?.once('exit', then).kill(signal);
  return child !== undefined;
}

/** Returns the path of a test. */
export function testPathOf(test: string): string {
  return /^(contract|evidence|extensions|web)\//.test(test) ? test : `server/src/${test}`;
}

/** Runs tests in a copy of the checkout. */
export async function runMutatedTests(
  copy: string,
  { tests, only, bail = false, cluster }: MutationRun,
): Promise<MutationOutcome> {
  const started = performance.now();
  const report = join(copy, 'report.json');
  rmSync(report, { force: true });
  const files = [...new Set(tests)].map(testPathOf);
  const args = [
    'node_modules/vitest/vitest.mjs',
    'run',
    ...files,
    // Tests that run only in the full suite detect nothing in `npm test`.
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
  const failedTests = named('failed');
  return {
    failedTests,
    passedTests: named('passed'),
    isBroken: status !== 0 && failedTests.length === 0,
    message: read.testResults.map((file) => file.message).find((message) => message !== '') ?? stderr,
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
