import { chown, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SUPERUSER_NAME } from './credentials.ts';
import { runProgram } from './launch.ts';
import type { Placement } from './placement.ts';

/**
 * Creates the cluster if there is none, in a temporary folder that is renamed, so that a kill leaves no incomplete
 * cluster. Throws with the output of initdb, or if the cluster has another major version.
 */
export async function ensureCluster(placement: Placement, password: string, log: (line: string) => void) {
  const { cluster, home, binaries } = placement;
  await removePartial(home);
  if (await exists(cluster)) return refuseOtherVersion(cluster, binaries.major);
  log(`Creating the database in ${cluster}`);
  const partial = join(home, `${partialPrefix}${process.pid}`);
  await mkdir(partial, { mode: 0o700 });
  const passwordFile = `${partial}.password`;
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  if (placement.who !== undefined) {
    await chown(partial, placement.who.uid, placement.who.gid);
    await chown(passwordFile, placement.who.uid, placement.who.gid);
  }
  try {
    await initialise(placement, partial, passwordFile);
    await rename(partial, cluster);
  } finally {
    await removePartial(home);
  }
}

const partialPrefix = 'postgres.partial-';

/** Retries, because the initdb of a killed process may still write. */
async function removePartial(home: string): Promise<void> {
  const names = (await readdir(home)).filter((name) => name.startsWith(partialPrefix));
  await Promise.all(
    names.map((name) => rm(join(home, name), { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })),
  );
}

async function initialise({ binaries, cluster, who }: Placement, target: string, passwordFile: string): Promise<void> {
  // The builtin provider sorts and folds alike on every system. The locale of the C library is only its fallback, and
  // not every C library has C.UTF-8.
  const libraryLocale = process.platform === 'linux' ? 'C.UTF-8' : 'C';
  const run = (locale: string) =>
    runProgram(
      binaries.initdb,
      [
        `--pgdata=${target}`,
        `--username=${SUPERUSER_NAME}`,
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        `--locale=${locale}`,
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--lc-messages=C',
      ],
      binaries,
      who,
    );
  const first = await run(libraryLocale);
  const last = first.code !== 0 && /invalid locale name/.test(first.output) ? await run('C') : first;
  if (last.code !== 0)
    throw new Error(`The database could not be created in ${cluster}. ${explainInitdb(last.output)}`);
}

function explainInitdb(output: string): string {
  const reason = output.split('\n').filter((line) => /error|fatal|could not|hint|detail/i.test(line));
  const words = (reason.length > 0 ? reason : output.trim().split('\n').slice(-3)).join(' ').trim();
  if (/could not look up effective user ID/.test(output)) {
    return `${words}. Add the user of Sightline to /etc/passwd, or set DATABASE_URL.`;
  }
  if (/No space left on device/.test(output)) return `${words}. Free disk space: at least 100 MB are required.`;
  if (/error while loading shared libraries|Library not loaded/.test(output)) {
    return `${words}. The built-in PostgreSQL is incomplete: run "npm ci" again with install scripts allowed.`;
  }
  return words;
}

async function refuseOtherVersion(cluster: string, major: string): Promise<void> {
  const found = (await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => '')).trim();
  if (found === major) return;
  throw new Error(
    found === ''
      ? `The folder ${cluster} is not a PostgreSQL database. Move it away, or set another DATA_DIR.`
      : `The database in ${cluster} was created by PostgreSQL ${found}, and this release contains ${major}. ` +
          'Start the earlier release, create a backup, and restore it with this release.',
  );
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
