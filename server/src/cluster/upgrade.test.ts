import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createInstallation, type Installation } from '../cli/testing/installation.ts';
import { compareStoredEvents } from '../crash/testing/evidence.ts';
import { startEventWriters } from '../crash/testing/writers.ts';
import { createClusterDatabase } from './testing/cluster.ts';
import { startPostgres } from './testing/programs.ts';
import { setUpOrganization } from './testing/set-up.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim();

const migrations = 'server/src/database/migrations';

/**
 * Returns the commit to upgrade from: UPGRADE_FROM, or the last one without the newest migration. If migrations of that
 * one were changed since, which is allowed before the first release, returns the commit that last changed them.
 */
function findBefore(): string | undefined {
  try {
    const newest = git('log', '-1', '--format=%H', '--diff-filter=A', '--', migrations);
    const previous = git('rev-parse', '--verify', process.env.UPGRADE_FROM ?? `${newest}^`);
    const changed = git('diff', '--name-only', '--no-renames', '--diff-filter=MD', previous, 'HEAD', '--', migrations);
    return changed === '' ? previous : git('log', '-1', '--format=%H', '--', migrations);
  } catch {
    return undefined;
  }
}

const before = findBefore();
if (before === undefined)
  console.log(
    'That two releases run on one database is not tested: the history of this clone does not reach the one before.',
  );

const undo: (() => Promise<unknown>)[] = [];
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-upgrade-'));
  undo.push(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o711);
});
afterAll(async () => {
  for (const task of undo.reverse()) await task();
});

/** Checks out a commit with its packages. */
async function checkOut(commit: string): Promise<string> {
  const checkout = join(folder, 'before');
  git('worktree', 'add', '--detach', '--force', checkout, commit);
  undo.push(async () => git('worktree', 'remove', '--force', checkout));
  const lock = 'package-lock.json';
  const isSame = (await readFile(join(root, lock), 'utf8')) === (await readFile(join(checkout, lock), 'utf8'));
  // Uses hard links if possible: the packages refer to each other by relative paths.
  if (isSame) execFileSync('cp', ['-al', join(root, 'node_modules'), checkout]);
  else execFileSync('npm', ['ci', '--include=dev', '--prefer-offline'], { cwd: checkout, stdio: 'pipe' });
  return checkout;
}

test.skipIf(before === undefined)(
  'upgrades servers and workers to the next release under load, and rolls back',
  { timeout: 600_000 },
  async () => {
    const old = await checkOut(before ?? '');
    const home = join(folder, 'postgres');
    await mkdir(home, { mode: 0o700 });
    if (process.getuid?.() === 0) execFileSync('chown', ['postgres', home]);
    const postgres = await startPostgres(home);
    undo.push(() => postgres.end());
    const databases = await createClusterDatabase(postgres.superuser);
    const environment = {
      DATABASE_URL: databases.owner,
      MASTER_KEY: randomBytes(32).toString('base64'),
      PUBLIC_URL: 'http://sightline.example',
      RATE_LIMITS: '*=1000000000',
    };
    const install = async (ROLE: 'api' | 'worker', from?: string): Promise<Installation> => {
      const installation = await createInstallation({ ...environment, ROLE }, from);
      undo.push(installation.close);
      return installation;
    };
    const oldApi = await install('api', old);
    const oldWorker = await install('worker', old);
    const [oldServer, oldJobs] = [await oldApi.start(), await oldWorker.start()];
    const { orgId, token } = await setUpOrganization(oldApi);
    const onOld = startEventWriters(oldApi.url, token, 2);
    await onOld.reached(40);

    // The new release migrates the database, and the old one continues beside it.
    const newApi = await install('api');
    const newServer = await newApi.start();
    const onNew = startEventWriters(newApi.url, token, 2);
    await onNew.reached(40);
    await onOld.reached(onOld.acknowledged.size + 40);
    expect((await fetch(`${oldApi.url}/api/health/ready`)).status).toBe(200);

    await oldServer.end('SIGTERM');
    await onOld.finished;
    await oldJobs.end('SIGTERM');
    const newWorker = await install('worker');
    await newWorker.start();
    await onNew.reached(onNew.acknowledged.size + 40);

    // Rollback: the old release starts on the migrated database.
    const again = await install('api', old);
    await again.start();
    const onAgain = startEventWriters(again.url, token, 1);
    await onAgain.reached(20);
    await newServer.end('SIGTERM');
    await onNew.finished;

    const promised = new Set([...onOld.acknowledged, ...onNew.acknowledged, ...onAgain.acknowledged]);
    const found = await compareStoredEvents(databases.superuser, orgId, promised);
    expect(found).toMatchObject({ missing: [], unproven: [], broken: [] });
    expect((await newWorker.cli(['doctor', '--ledger'])).code).toBe(0);
  },
);
