import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, constants } from 'node:os';
import { join } from 'node:path';
import { ensureChromium, requireGit } from './chromium.mjs';
import { ensureExtensionsInstalled, ensureInstalled, root } from './install.mjs';
import { npmCommand, pinnedEnv } from './npm.mjs';
import { giveUp, lastLines } from './progress.mjs';
import { countTests, failedTests, reportFile, slowestFiles, sumSleeps } from './test-reports.mjs';

/**
 * `npm test`, `npm run test:full` (with `--full`) and `npm run check` (with `--check`). Stages are npm scripts: those
 * of a lane run in sequence, the lanes in parallel, and `alone` after all of them. A failed stage stops no other.
 */
const checks = [
  'lint',
  'types',
  'dependencies:check',
  'dead-code',
  'db:types:check',
  'verify-page:check',
  'guards:check',
];
const plans = {
  '--check': { lanes: [['unit'], [...checks, 'build', 'budget']], alone: [] },
  '--test': { lanes: [['unit'], ['build', 'e2e:core', 'clients:core', ...checks, 'budget']], alone: [] },
  '--full': { lanes: [['unit:full'], [...checks, 'build', 'budget']], alone: ['e2e', 'cluster', 'chaos', 'clients'] },
};
/** Stages that write a test report. */
const reporting = {
  unit: vitestReport,
  'unit:full': vitestReport,
  e2e: playwrightReport,
  'e2e:core': playwrightReport,
};

const [mode = '--test'] = process.argv.slice(2);
const running = new Set();

try {
  const plan = plans[mode];
  if (!plan) throw new Error(`${mode} is none of ${Object.keys(plans).join(', ')}`);
  const node = await ensureInstalled();
  requireGit();
  const chromium = await ensureChromium();
  await ensureExtensionsInstalled();
  const sleepLog = reportFile(root, 'sleeps');
  rmSync(sleepLog, { force: true });
  const env = {
    ...pinnedEnv(root, node),
    CHROMIUM_PATH: chromium,
    SLEEP_LOG: sleepLog,
    ...(mode === '--full' && { TEST_FULL: '1' }),
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stopAll(signal));
  process.exit(await runPlan(plan, env));
} catch (error) {
  giveUp(error);
}

/** Runs every stage, writes the report, prints the summary, and returns the exit code. */
async function runPlan({ lanes, alone }, env) {
  const started = performance.now();
  const results = [];
  const runLane = async (lane) => {
    for (const stage of lane) results.push(await runStage(stage, env));
  };
  await Promise.all(lanes.map(runLane));
  await runLane(alone);
  const seconds = secondsSince(started);
  const { slept, ranOut } = sumSleeps(env.SLEEP_LOG);
  const report = {
    command: mode,
    cores: availableParallelism(),
    seconds,
    stages: results,
    sleptSeconds: slept.seconds,
    ranOutSeconds: ranOut.seconds,
  };
  writeFileSync(reportFile(root, 'summary'), `${JSON.stringify(report, undefined, 2)}\n`);
  reportSleeps(slept, ranOut);
  return sumUp(report);
}

/** Prints how long tests slept instead of waiting for a condition, and which time limits of the product expired. */
function reportSleeps(slept, ranOut) {
  console.log(`  tests slept ${slept.seconds} s; time limits of ${ranOut.seconds} s ran out`);
  for (const location of [...slept.places, ...ranOut.places]) console.log(`      ${location}`);
}

async function runStage(stage, env) {
  const file = reportFile(root, stage);
  mkdirSync(join(file, '..'), { recursive: true });
  const { args = [], env: more = {} } = reporting[stage]?.(file) ?? {};
  const started = performance.now();
  console.log(`  … ${stage}`);
  const { code, output } = await run(['run', stage, '--', ...args], { ...env, ...more });
  const seconds = secondsSince(started);
  if (code === 0) console.log(`  ✓ ${stage} (${seconds} s)${summaryOf(output)}`);
  else console.log(`\n${lastLines(output, 400)}\n\n  ✗ ${stage} failed with code ${code} (${seconds} s)`);
  const tests = reporting[stage] ? countTests(file) : { passed: 0, failed: 0, skipped: 0 };
  const failed = reporting[stage] ? failedTests(file) : [];
  return { stage, code, seconds, tests, failed, files: reporting[stage] ? slowestFiles(file) : [] };
}

function vitestReport(file) {
  return { env: { UNIT_REPORT: file } };
}

function playwrightReport(file) {
  return { args: ['--reporter=list,json'], env: { PLAYWRIGHT_JSON_OUTPUT_FILE: file } };
}

/** Returns lines about passed stages that need attention: tests that passed only after a retry, and skipped tests. */
function summaryOf(output) {
  const lines = output.split('\n');
  const flaky = lines.findIndex((line) => /^\s+\d+ flaky$/.test(line));
  const skipped = lines.filter((line) => line.startsWith('  – '));
  const attention = [...(flaky < 0 ? [] : lines.slice(flaky, flaky + 20)), ...skipped];
  return attention.length === 0 ? '' : `\n${attention.join('\n').trimEnd()}`;
}

function sumUp({ stages, seconds }) {
  const failed = stages.filter(({ code }) => code !== 0);
  for (const line of stages.flatMap((one) => one.failed)) console.log(`  ✗ ${line}`);
  const total = (kind) => stages.reduce((sum, { tests }) => sum + tests[kind], 0);
  for (const { stage, seconds: took, code } of stages) console.log(`  ${code === 0 ? '✓' : '✗'} ${stage} ${took} s`);
  console.log(
    `  ${failed.length === 0 ? 'All stages passed' : `Failed: ${failed.map(({ stage }) => stage).join(', ')}`} in ${seconds} s`,
  );
  console.log(`${total('passed')} passed, ${total('failed')} failed, ${total('skipped')} skipped`);
  return failed.length === 0 ? 0 : 1;
}

function run(args, env) {
  const npm = npmCommand(args, root);
  const child = spawn(npm.program, npm.args, {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32' && npm.program.endsWith('.cmd'),
  });
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk) => {
      output += chunk;
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      running.delete(child);
      resolve({ code: signal === null ? (code ?? 1) : 128 + constants.signals[signal], output });
    });
  });
}

function stopAll(signal) {
  for (const child of running) child.kill(signal);
  process.exit(1);
}

function secondsSince(started) {
  return Math.round((performance.now() - started) / 100) / 10;
}
