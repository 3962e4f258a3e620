// npm run guards [-- [--only LIST[,LIST…]] [--from LIST] [WORD…] | --check]: takes the guards away one at a time, in a copy of this checkout, and
// shows that a test notices. Each list is judged on its own, so that a run that was ended goes on with --from, and several share the lists with --only.
// With --check it only says whether each is where its list says.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import pg from 'pg';
import { startCluster } from '../server/src/testing/cluster.ts';
import { copyCheckout } from './guards/copy.ts';
import type { Mutation } from './guards/guard.ts';
import { mutationLists } from './guards/list.ts';
import { runMutatedTests, stopRun, testPathOf } from './guards/run.ts';
import { selectMutations } from './guards/selection.ts';

const root = join(import.meta.dirname, '..');
/** Tests of a matrix are named by call and sentence, of which their file holds the sentence alone. */
const callInName = /^'?(GET|POST|PUT|PATCH|DELETE) \S*( |$)/;
const isCheck = process.argv.includes('--check');
const asked = isCheck ? [] : orEnd(() => selectMutations(process.argv.slice(2)));
const gone = Object.values(mutationLists).flatMap((list) =>
  list.flatMap((one) => [...whatMoved(one), ...whatIsRenamed(one)]),
);
if (gone.length > 0) {
  for (const line of gone) console.error(line);
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

const missed: Mutation[] = [];
for (const { noun, guards } of asked) {
  console.log(`\n${noun}: ${guards.length}`);
  missed.push(...(await judge(guards)));
}
const sum = asked.reduce((total, { guards }) => total + guards.length, 0);
console.log(
  missed.length === 0
    ? `\n✓ each of ${sum} guards is missed when it is gone`
    : `\n✗ ${missed.length} of ${sum} can go without a test that notices: ${missed.map(({ name }) => name).join('; ')}`,
);
await clean(missed.length === 0 ? 0 : 1);

function orEnd<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    console.error((error as Error).message);
    return process.exit(1);
  }
}

/** Files of a guard that do not exist, and texts that its file does not contain exactly once. */
function whatMoved({ name, file, changes, tests }: Mutation): string[] {
  const missing = [join(root, file), ...tests.map((test) => join(root, testPathOf(test)))].filter(
    (path) => !existsSync(path),
  );
  if (missing.length > 0) return missing.map((path) => `${name}: ${relative(root, path)} does not exist`);
  const whole = readFileSync(join(root, file), 'utf8');
  return changes
    .map(([find]) => ({ find, times: whole.split(find).length - 1 }))
    .filter(({ times }) => times !== 1)
    .map(({ find, times }) => `${name}: ${file} holds this ${times} times instead of once:\n  ${find.trim()}`);
}

/**
 * Parts of names of tests that nothing beside its tests contains any more: with such a part no test runs, and none can fail.
 * What a table names may lie in another file of the folder.
 */
function whatIsRenamed({ name, tests, only }: Mutation): string[] {
  if (only === undefined) return [];
  const folders = new Set(tests.map((test) => dirname(join(root, testPathOf(test)))));
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

/** Those of the guards that can go without a test that notices. */
async function judge(guards: readonly Mutation[]): Promise<Mutation[]> {
  const noticed = new Map<Mutation, string>();
  for (const one of guards) {
    const test = await whatNotices(one);
    if (test !== undefined) noticed.set(one, test);
  }
  const known = noticed.size === 0 ? [] : await redAnyhow(noticed);
  return guards.filter((one) => known.includes(one) || !noticed.has(one));
}

/** The first test that fails without the guard. */
async function whatNotices({ name, file, changes, tests, only }: Mutation): Promise<string | undefined> {
  const path = join(copy, file);
  const whole = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    changes.reduce((text, [find, replace]) => text.replace(find, () => replace), whole),
  );
  // The tables of the one cluster are made already: without a guard of theirs they are made anew.
  const own = file.includes('/migrations/') ? undefined : cluster;
  const { red, broken, said, seconds } = await runMutatedTests(copy, { tests, only, bail: true, cluster: own });
  writeFileSync(path, whole);
  await forgetDatabases();
  const [first] = red;
  const words = first !== undefined ? `red: ${first}` : broken ? `does not run: ${said}` : 'STAYS GREEN';
  console.log(`${first === undefined ? '✗' : '✓'} ${name} (${seconds} s)\n    ${words}`);
  return first;
}

/** Those whose test is red with every guard in place too, and so says nothing about any of them. */
async function redAnyhow(noticed: ReadonlyMap<Mutation, string>): Promise<Mutation[]> {
  const files = [...noticed.keys()].flatMap(({ tests }) => tests);
  const names = [...new Set(noticed.values())];
  const pattern = names.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  const quick = await runMutatedTests(copy, { tests: files, only: `^(${pattern})$`, cluster });
  const known: Mutation[] = [];
  for (const [one, test] of noticed) {
    if (quick.green.includes(test)) continue;
    // It may need those before it in its file: asked as it was asked without the guard.
    const { green, broken, said } = await runMutatedTests(copy, { tests: one.tests, only: one.only, cluster });
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

/** What tests left on the cluster. */
async function forgetDatabases(): Promise<void> {
  const client = new pg.Client({ connectionString: cluster.url });
  await client.connect();
  const { rows } = await client.query<{ datname: string }>(
    "select datname from pg_database where datname like 'test\\_%'",
  );
  for (const { datname } of rows) await client.query(`drop database "${datname}" with (force)`);
  await client.end();
}
