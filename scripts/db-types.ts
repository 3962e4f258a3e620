// Writes server/src/database/tables.ts from the migrations. With --check it only reports whether the file is out of
// date.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startCluster } from '../server/src/testing/cluster.ts';

const run = promisify(execFile);
const target = new URL('../server/src/database/tables.ts', import.meta.url).pathname;
const bin = (name: string) => new URL(`../node_modules/.bin/${name}`, import.meta.url).pathname;

const cluster = await startCluster();
const folder = await mkdtemp(join(tmpdir(), 'sightline-types-'));
const made = join(folder, 'tables.ts');
try {
  await run(bin('kysely-codegen'), [
    '--dialect',
    'postgres',
    '--url',
    cluster.template,
    '--out-file',
    made,
    '--include-pattern',
    'public.*',
    '--log-level',
    'error',
  ]);
  const text = await readFile(made, 'utf8');
  if (process.argv.includes('--check')) {
    const current = await readFile(target, 'utf8').catch(() => '');
    if (current !== text) {
      console.error('server/src/database/tables.ts is stale: run `npm run db:types` and commit it');
      process.exitCode = 1;
    }
  } else {
    await writeFile(target, text);
  }
} finally {
  await cluster.stop();
  await rm(folder, { recursive: true, force: true });
}
