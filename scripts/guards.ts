// npm run guards [-- [--only LIST[,LIST…]] [--from LIST] [WORD…] | --check]: applies the mutations one at a time in a copy of this checkout, and
// reports those that no test detects. Each list is completed before the next, so that an interrupted run can continue with --from, and several runs
// can divide the lists with --only. --check only verifies that files, texts and tests of the mutations exist.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import pg from 'pg';
import { startCluster } from '../server/src/testing/cluster.ts';
import { copyCheckout } from './guards/copy.ts';
import type { Mutation } from './guards/guard.ts';
import { mutationLists } from './guards/list.ts';
import { runMutatedTests, stopRun, testPathOf } from './guards/run.ts';
import { type MutationSelection, selectMutations } from './guards/selection.ts';

const root = join(import.meta.dirname, '..');
/** Titles in a matrix start with the endpoint, which the source does not contain. */
const endpointInTitle = /^'?(GET|POST|PUT|PATCH|DELETE) \S*( |$)/;
const isCheck = process.argv.includes('--check');
const selections = isCheck ? [] : selectOrExit(process.argv.slice(2));
const outdated = Object.values(mutationLists).flatMap((list) =>
  list.flatMap((one) => [...findMissingCode(one), ...findMissingTitles(one)]),
);
if (outdated.length > 0) {
  for (const line of outdated) console.error(line);
  console.error('Update scripts/guards/list/.');
  process.exit(1);
}
if (isCheck) process.exit(0);

const copy = mkdtempSync(join(tmpdir(), 'sightline-guards-'));
process.once('exit', () => rmSync(copy, { recursive: true, force: true }));
copyCheckout(root, copy);
const cluster = await startCluster();
const stopAndExit = async (code: number) => {
  await cluster.stop();
  process.exit(code);
};
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    if (!stopRun(signal, () => void stopAndExit(1))) void stopAndExit(1);
  });
}

const undetected: Mutation[] = [];
for (const { list, mutations } of selections) {
  console.log(`\n${list}: ${mutations.length}`);
  undetected.push(...(await findUndetected(mutations)));
}
const count = selections.reduce((sum, { mutations }) => sum + mutations.length, 0);
console.log(
  undetected.length === 0
    ? `\n✓ Tests detect all ${count} mutations.`
    : `\n✗ No test detects ${undetected.length} of ${count} mutations: ${undetected.map(({ name }) => name).join('; ')}`,
);
await stopAndExit(undetected.length === 0 ? 0 : 1);

function selectOrExit(args: readonly string[]): MutationSelection[] {
  try {
    return selectMutations(args);
  } catch (error) {
    console.error((error as Error).message);
    return process.exit(1);
  }
}

/** Reports files of a mutation that do not exist, and texts that its file does not contain exactly once. */
function findMissingCode({ name, file, changes, tests }: Mutation): string[] {
  const missing = [join(root, file), ...tests.map((test) => join(root, testPathOf(test)))].filter(
    (path) => !existsSync(path),
  );
  if (missing.length > 0) return missing.map((path) => `${name}: ${relative(root, path)} does not exist`);
  const whole = readFileSync(join(root, file), 'utf8');
  return changes
    .map(([find]) => ({ find, times: whole.split(find).length - 1 }))
    .filter(({ times }) => times !== 1)
    .map(({ find, times }) => `${name}: ${file} contains this text ${times} times instead of once:\n  ${find.trim()}`);
}

/**
 * Reports parts of titles that no source contains: they would select no test, and none could fail. Titles may come from a
 * table in another file of the folder.
 */
function findMissingTitles({ name, tests, only }: Mutation): string[] {
  if (only === undefined) return [];
  const folders = new Set(tests.map((test) => dirname(join(root, testPathOf(test)))));
  const sources = [...folders].flatMap((folder) =>
    readdirSync(folder, { encoding: 'utf8', recursive: true })
      .filter((file) => file.endsWith('.ts') || file.endsWith('.tsx'))
      .map((file) => readFileSync(join(folder, file), 'utf8')),
  );
  const parts = only.split('|').map((part) => part.replace(endpointInTitle, ''));
  return parts
    .filter((part) => part !== '' && !sources.some((source) => new RegExp(part).test(source)))
    .map((part) => `${name}: no title in ${tests.join(', ')} contains "${part}"`);
}

/** Returns the mutations that no test detects. */
async function findUndetected(mutations: readonly Mutation[]): Promise<Mutation[]> {
  const failedTests = new Map<Mutation, string>();
  for (const one of mutations) {
    const test = await findFailedTest(one);
    if (test !== undefined) failedTests.set(one, test);
  }
  const falselyDetected = failedTests.size === 0 ? [] : await findFalselyDetected(failedTests);
  return mutations.filter((one) => falselyDetected.includes(one) || !failedTests.has(one));
}

/** Returns the first test that fails with the mutation. */
async function findFailedTest({ name, file, changes, tests, only }: Mutation): Promise<string | undefined> {
  const path = join(copy, file);
  const whole = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    changes.reduce((text, [find, replace]) => text.replace(find, () => replace), whole),
  );
  // A mutated migration needs a cluster of its own, because the shared one is already migrated.
  const sharedCluster = file.includes('/migrations/') ? undefined : cluster;
  const { failedTests, isBroken, message, seconds } = await runMutatedTests(copy, {
    tests,
    only,
    bail: true,
    cluster: sharedCluster,
  });
  writeFileSync(path, whole);
  await dropTestDatabases();
  const [first] = failedTests;
  const result = first !== undefined ? `detected: ${first}` : isBroken ? `does not run: ${message}` : 'NOT DETECTED';
  console.log(`${first === undefined ? '✗' : '✓'} ${name} (${seconds} s)\n    ${result}`);
  return first;
}

/** Returns the mutations whose failed test fails without any mutation too. */
async function findFalselyDetected(failedTests: ReadonlyMap<Mutation, string>): Promise<Mutation[]> {
  const files = [...failedTests.keys()].flatMap(({ tests }) => tests);
  const names = [...new Set(failedTests.values())];
  const pattern = names.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  const alone = await runMutatedTests(copy, { tests: files, only: `^(${pattern})$`, cluster });
  const falselyDetected: Mutation[] = [];
  for (const [one, test] of failedTests) {
    if (alone.passedTests.includes(test)) continue;
    // It may depend on earlier tests of its file, so it runs with the same selection as with the mutation.
    const { passedTests, isBroken, message } = await runMutatedTests(copy, {
      tests: one.tests,
      only: one.only,
      cluster,
    });
    if (isBroken) throw new Error(`The tests do not run without mutations: ${message}`);
    if (!passedTests.includes(test)) falselyDetected.push(one);
  }
  const passedCount = names.filter((name) => alone.passedTests.includes(name)).length;
  console.log(
    `Without mutations, ${passedCount} of ${names.length} tests pass alone. Mutations whose test fails anyway: ${falselyDetected.length}`,
  );
  for (const { name } of falselyDetected) console.log(`    ${name}`);
  return falselyDetected;
}

/** Drops the databases that tests left on the cluster. */
async function dropTestDatabases(): Promise<void> {
  const client = new pg.Client({ connectionString: cluster.url });
  await client.connect();
  const { rows } = await client.query<{ datname: string }>(
    "select datname from pg_database where datname like 'test\\_%'",
  );
  for (const { datname } of rows) await client.query(`drop database "${datname}" with (force)`);
  await client.end();
}
