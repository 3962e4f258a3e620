// npm run guards [WORD…]: takes the guards away one at a time, in a copy of this checkout, and shows that a test notices.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyCheckout } from './guards/copy.ts';
import { type Guard, guards } from './guards/list.ts';

const root = join(import.meta.dirname, '..');
const words = process.argv.slice(2).map((word) => word.toLowerCase());
const asked = guards.filter(({ name, file }) => words.every((word) => `${name} ${file}`.toLowerCase().includes(word)));

const gone = guards.flatMap(({ name, file, changes }) =>
  changes.filter(([find]) => occurrences(file, find) !== 1).map(([find]) => ({ name, file, find })),
);
if (gone.length > 0 || asked.length === 0) {
  for (const { name, file, find } of gone) {
    console.error(`${name}: ${file} holds this ${occurrences(file, find)} times instead of once:\n  ${find.trim()}`);
  }
  console.error(asked.length === 0 ? 'No guard is called that.' : 'Bring scripts/guards/list.ts up to date.');
  process.exit(1);
}

const copy = mkdtempSync(join(tmpdir(), 'sightline-guards-'));
let child: ChildProcess | undefined;
process.once('exit', () => rmSync(copy, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    child?.once('exit', () => process.exit(1)).kill(signal);
    if (!child) process.exit(1);
  });
}
copyCheckout(root, copy);

// What is red with every guard in place says nothing about any of them.
const known = new Set<string>();
for (const only of new Set(asked.map((one) => one.only))) {
  const tests = asked.filter((one) => one.only === only).flatMap((one) => one.tests);
  const { red, broken, said, green, seconds } = await run([...new Set(tests)], filterOf(only));
  for (const test of red) known.add(test);
  if (broken) console.error(said);
  console.log(`With every guard in place ${green} tests pass and ${red.length} fail (${seconds} s).`);
  for (const test of red) console.log(`    ${test}`);
}

const missed: Guard[] = [];
for (const one of asked) if (!(await isNoticed(one))) missed.push(one);
console.log(
  missed.length === 0
    ? `\n✓ each of ${asked.length} guards is missed when it is gone`
    : `\n✗ ${missed.length} of ${asked.length} can go without a test that notices: ${missed.map(({ name }) => name).join('; ')}`,
);
process.exit(missed.length === 0 && known.size === 0 ? 0 : 1);

function filterOf(only: string | undefined): string[] {
  return only === undefined ? [] : ['--testNamePattern', only];
}

function occurrences(file: string, text: string): number {
  return readFileSync(join(root, file), 'utf8').split(text).length - 1;
}

async function isNoticed({ name, file, changes, tests, only }: Guard): Promise<boolean> {
  const path = join(copy, file);
  const whole = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    changes.reduce((text, [find, replace]) => text.replace(find, () => replace), whole),
  );
  const { red, broken, said, seconds } = await run(tests, [
    ...(known.size === 0 ? ['--bail', '1'] : []),
    ...filterOf(only),
  ]);
  writeFileSync(path, whole);
  const fresh = red.filter((test) => !known.has(test));
  const noticed = fresh.length > 0;
  const words = noticed ? `red: ${fresh[0]}` : broken ? `does not run: ${said}` : 'STAYS GREEN';
  console.log(`${noticed ? '✓' : '✗'} ${name} (${seconds} s)\n    ${words}`);
  return noticed;
}

interface Outcome {
  /** Names of the tests that failed. */
  red: string[];
  green: number;
  /** It ended badly without a test that failed: the change broke more than the guard. */
  broken: boolean;
  said: string;
  seconds: number;
}

/** A report as vitest writes it, as far as it is read here. */
interface Report {
  testResults: { message: string; assertionResults: { status: string; fullName: string }[] }[];
}

async function run(tests: readonly string[], more: readonly string[]): Promise<Outcome> {
  const started = performance.now();
  const report = join(copy, 'report.json');
  rmSync(report, { force: true });
  const files = tests.map((test) => (/^(contract|extensions)\//.test(test) ? test : `server/src/${test}`));
  const args = [
    'node_modules/vitest/vitest.mjs',
    'run',
    ...files,
    '--reporter=json',
    `--outputFile=${report}`,
    ...more,
  ];
  child = spawn(process.execPath, args, { cwd: copy, stdio: ['ignore', 'ignore', 'pipe'] });
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr = `${stderr}${chunk.toString()}`.slice(-500);
  });
  const [status] = (await once(child, 'exit')) as [number | null];
  const seconds = Math.round((performance.now() - started) / 1000);
  const read = readReport(report);
  const found = read.testResults.flatMap((file) => file.assertionResults);
  const red = found.filter((test) => test.status === 'failed').map((test) => test.fullName);
  const said = read.testResults.map((file) => file.message).find((message) => message !== '') ?? stderr;
  const green = found.filter((test) => test.status === 'passed').length;
  return { red, green, broken: status !== 0 && red.length === 0, said, seconds };
}

function readReport(path: string): Report {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Report;
  } catch {
    return { testResults: [] };
  }
}
