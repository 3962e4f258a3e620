// npm run guards [WORD…]: takes the guards away one at a time, in a copy of this checkout, and shows that a test notices.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startCluster } from '../server/src/testing/cluster.ts';
import { copyCheckout } from './guards/copy.ts';
import type { Guard } from './guards/guard.ts';
import { guards } from './guards/list.ts';
import { run, stopRun } from './guards/run.ts';

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
  console.error(asked.length === 0 ? 'No guard is called that.' : 'Bring scripts/guards/list/ up to date.');
  process.exit(1);
}

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
const noticed = new Map<Guard, string>();
for (const one of asked) {
  const test = await whatNotices(one);
  if (test === undefined) missed.push(one);
  else noticed.set(one, test);
}

// A test that is red with every guard in place says nothing about any of them.
const known = noticed.size === 0 ? [] : await redAnyhow();
for (const [one, test] of noticed) if (known.includes(test)) missed.push(one);
console.log(
  missed.length === 0
    ? `\n✓ each of ${asked.length} guards is missed when it is gone`
    : `\n✗ ${missed.length} of ${asked.length} can go without a test that notices: ${missed.map(({ name }) => name).join('; ')}`,
);
await clean(missed.length === 0 ? 0 : 1);

function occurrences(file: string, text: string): number {
  return readFileSync(join(root, file), 'utf8').split(text).length - 1;
}

/** The first test that fails without the guard. */
async function whatNotices({ name, file, changes, tests, only }: Guard): Promise<string | undefined> {
  const path = join(copy, file);
  const whole = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    changes.reduce((text, [find, replace]) => text.replace(find, () => replace), whole),
  );
  // The tables of the one cluster are made already: without a guard of theirs they are made anew.
  const own = file.includes('/migrations/') ? undefined : cluster;
  const { red, broken, said, seconds } = await run(copy, { tests, only, bail: true, cluster: own });
  writeFileSync(path, whole);
  await forgetDatabases();
  const [first] = red;
  const words = first !== undefined ? `red: ${first}` : broken ? `does not run: ${said}` : 'STAYS GREEN';
  console.log(`${first === undefined ? '✗' : '✓'} ${name} (${seconds} s)\n    ${words}`);
  return first;
}

/** Of the tests that noticed, those that fail whether a guard is gone or not. */
async function redAnyhow(): Promise<string[]> {
  const files = [...noticed.keys()].flatMap(({ tests }) => tests);
  const names = [...new Set(noticed.values())].map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const quick = await run(copy, { tests: files, only: `^(${names.join('|')})$`, cluster });
  // One that needs those before it in its file is no failure.
  const alone = [...noticed].filter(([, test]) => quick.red.includes(test)).flatMap(([{ tests }]) => tests);
  const { red, broken, said } = alone.length === 0 ? quick : await run(copy, { tests: alone, cluster });
  if (broken) throw new Error(`The tests do not run with every guard in place: ${said}`);
  console.log(
    `With every guard in place ${quick.green} of ${names.length} tests pass alone, and these fail: ${red.length}`,
  );
  for (const test of red) console.log(`    ${test}`);
  return red;
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
