// npm run guards [-- [--only LIST[,LIST…]] [--from LIST] [WORD…] | --check]: applies one mutation at a time in a copy
// of this checkout, and verifies that a test detects it. Each list runs separately: --from resumes an interrupted run,
// and several machines share the lists with --only. With --check it only verifies that each mutation matches its file.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { startCluster } from '../server/src/testing/cluster.ts';
import { copyCheckout } from './guards/copy.ts';
import type { Guard } from './guards/guard.ts';
import { lists } from './guards/list.ts';
import { pathOf, run, stopRun } from './guards/run.ts';
import { askedFor } from './guards/selection.ts';

const root = join(import.meta.dirname, '..');
/** A matrix test is named by call and sentence. Its file contains only the sentence. */
const callInName = /^'?(GET|POST|PUT|PATCH|DELETE) \S*( |$)/;
const isCheck = process.argv.includes('--check');
const selections = isCheck ? [] : orExit(() => askedFor(process.argv.slice(2)));
const stale = Object.values(lists).flatMap((list) => list.flatMap((one) => [...movedTexts(one), ...renamedTests(one)]));
if (stale.length > 0) {
  for (const line of stale) console.error(line);
  console.error('Bring scripts/guards/list/ up to date.');
  process.exit(1);
}
if (isCheck) process.exit(0);

const copy = mkdtempSync(join(tmpdir(), 'sightline-guards-'));
process.once('exit', () => rmSync(copy, { recursive: true, force: true }));
copyCheckout(root, copy);
const cluster = await startCluster();
const clean = async (code: number) => {
  await cluster.stop();
  process.exit(code);
};
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    if (!stopRun(signal, () => void clean(1))) void clean(1);
  });
}

const missed: Guard[] = [];
for (const { noun, guards } of selections) {
  console.log(`\n${noun}: ${guards.length}`);
  missed.push(...(await findUndetected(guards)));
}
const sum = selections.reduce((total, { guards }) => total + guards.length, 0);
console.log(
  missed.length === 0
    ? `\n✓ a test detects each of ${sum} mutations`
    : `\n✗ no test detects ${missed.length} of ${sum} mutations: ${missed.map(({ name }) => name).join('; ')}`,
);
await clean(missed.length === 0 ? 0 : 1);

function orExit<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    console.error((error as Error).message);
    return process.exit(1);
  }
}

/** Returns the texts of a mutation that its file does not contain exactly once. */
function movedTexts({ name, file, changes }: Guard): string[] {
  const source = readFileSync(join(root, file), 'utf8');
  return changes
    .map(([find]) => ({ find, times: source.split(find).length - 1 }))
    .filter(({ times }) => times !== 1)
    .map(({ find, times }) => `${name}: ${file} holds this ${times} times instead of once:\n  ${find.trim()}`);
}

/**
 * Returns the parts of test names that no file in the folder of the tests contains: with such a part no test runs and
 * none can fail. A name in a table may be in another file of the folder.
 */
function renamedTests({ name, tests, only }: Guard): string[] {
  if (only === undefined) return [];
  const folders = new Set(tests.map((test) => dirname(join(root, pathOf(test)))));
  const sources = [...folders].flatMap((folder) =>
    readdirSync(folder, { encoding: 'utf8', recursive: true })
      .filter((file) => file.endsWith('.ts') || file.endsWith('.tsx'))
      .map((file) => readFileSync(join(folder, file), 'utf8')),
  );
  const parts = only.split('|').map((part) => part.replace(callInName, ''));
  return parts
    .filter((part) => part !== '' && !sources.some((source) => new RegExp(part).test(source)))
    .map((part) => `${name}: no test of ${tests.join(', ')} is named "${part}"`);
}

/** Returns the mutations that no test detects. */
async function findUndetected(guards: readonly Guard[]): Promise<Guard[]> {
  const noticed = new Map<Guard, string>();
  for (const one of guards) {
    const test = await findFailingTest(one);
    if (test !== undefined) noticed.set(one, test);
  }
  const known = noticed.size === 0 ? [] : await findFailingUnchanged(noticed);
  return guards.filter((one) => known.includes(one) || !noticed.has(one));
}

/** Returns the first test that fails with the mutation. */
async function findFailingTest({ name, file, changes, tests, only }: Guard): Promise<string | undefined> {
  const path = join(copy, file);
  const source = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    changes.reduce((text, [find, replace]) => text.replace(find, () => replace), source),
  );
  // The shared cluster has its tables already. A mutation of a migration needs new ones.
  const own = file.includes('/migrations/') ? undefined : cluster;
  const { red, broken, said, seconds } = await run(copy, { tests, only, bail: true, cluster: own });
  writeFileSync(path, source);
  await forgetDatabases();
  const [first] = red;
  const words = first !== undefined ? `red: ${first}` : broken ? `does not run: ${said}` : 'STAYS GREEN';
  console.log(`${first === undefined ? '✗' : '✓'} ${name} (${seconds} s)\n    ${words}`);
  return first;
}

/** Returns the mutations whose test also fails without a mutation, and therefore detects nothing. */
async function findFailingUnchanged(noticed: ReadonlyMap<Guard, string>): Promise<Guard[]> {
  const files = [...noticed.keys()].flatMap(({ tests }) => tests);
  const names = [...new Set(noticed.values())];
  const pattern = names.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  const quick = await run(copy, { tests: files, only: `^(${pattern})$`, cluster });
  const known: Guard[] = [];
  for (const [one, test] of noticed) {
    if (quick.green.includes(test)) continue;
    // The test may need earlier ones of its file, so this run is the same as with the mutation.
    const { green, broken, said } = await run(copy, { tests: one.tests, only: one.only, cluster });
    if (broken) throw new Error(`The tests do not run with every guard in place: ${said}`);
    if (!green.includes(test)) known.push(one);
  }
  const alone = names.filter((name) => quick.green.includes(name)).length;
  console.log(
    `With every guard in place ${alone} of ${names.length} tests pass alone, and these guards have none that passes: ${known.length}`,
  );
  for (const { name } of known) console.log(`    ${name}`);
  return known;
}

/** Drops the databases that tests created on the cluster. */
async function forgetDatabases(): Promise<void> {
  const client = new pg.Client({ connectionString: cluster.url });
  await client.connect();
  const { rows } = await client.query<{ datname: string }>(
    "select datname from pg_database where datname like 'test\\_%'",
  );
  for (const { datname } of rows) await client.query(`drop database "${datname}" with (force)`);
  await client.end();
}
