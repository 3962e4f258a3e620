import { createHash, randomBytes } from 'node:crypto';
import { chmod, cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Binaries, binariesIn } from './binaries.ts';
import { canReach, findRunAs, type RunAs } from './run-as.ts';

export type Placement = { binaries: Binaries; home: string; cluster: string; who: RunAs | undefined };

/**
 * The folder for files that PostgreSQL's user cannot reach: root's home is usually closed (0700), and PostgreSQL must
 * not run as root. On every Linux this folder is accessible and survives restarts.
 */
const reachableRoot = '/var/lib/sightline';
const locationName = 'postgres.location';

/**
 * Returns the locations of the programs and the cluster for the user who runs them. Normally they are in node_modules
 * and in `<dataDir>/postgres`. As root, if PostgreSQL's user cannot reach these, a copy of the programs and the cluster
 * are in /var/lib/sightline, and `<dataDir>/postgres.location` contains the path.
 */
export async function choosePlacement(
  dataDir: string,
  packaged: Binaries,
  log: (line: string) => void,
): Promise<Placement> {
  const home = await findHome(dataDir, log);
  const cluster = join(home, 'postgres');
  const who = await findRunAs(cluster);
  if (who === undefined) await refuseForeign(cluster);
  const binaries = who === undefined || (await reachable(packaged, who)) ? packaged : await copyBinaries(packaged);
  return { binaries, home, cluster, who };
}

/**
 * Creates a directory and its parents with this mode, regardless of the umask. An existing one keeps its mode, unless
 * this process is root and it is empty: it was created for Sightline, often with mode 0700, and PostgreSQL's user must
 * traverse it.
 */
export async function makeDirectory(path: string, mode: number): Promise<void> {
  const made = await mkdir(path, { recursive: true, mode });
  const ours = made !== undefined || (process.getuid?.() === 0 && (await readdir(path)).length === 0);
  if (ours) await chmod(path, mode);
}

/** Returns the current or future location of the cluster of a data directory. */
export const clusterOf = async (dataDir: string): Promise<string> =>
  join((await knownHome(dataDir)) ?? dataDir, 'postgres');

const knownHome = async (dataDir: string): Promise<string | undefined> =>
  (await readFile(join(dataDir, locationName), 'utf8').catch(() => undefined))?.trim();

async function findHome(dataDir: string, log: (line: string) => void): Promise<string> {
  const pointer = join(dataDir, locationName);
  const known = await knownHome(dataDir);
  if (known !== undefined) {
    if (await exists(known)) return known;
    throw new Error(
      `The database of ${dataDir} was in ${known}, which no longer exists. ` +
        `Restore it, or remove ${pointer} to start with an empty database.`,
    );
  }
  const who = await findRunAs(join(dataDir, 'postgres'));
  if (who === undefined || (await canReach(dataDir, who))) return dataDir;
  if (await exists(join(dataDir, 'postgres'))) {
    throw new Error(
      `The user "${who.name}", who owns the database in ${dataDir}, cannot reach that folder. ` +
        'Start Sightline as that user, or make the path accessible (chmod o+x on its parent folders).',
    );
  }
  // A random part: an operator who removes the data directory wants a new database, not the old one without its
  // password.
  const digest = createHash('sha256').update(resolve(dataDir)).digest('hex').slice(0, 12);
  const home = join(reachableRoot, `${digest}-${randomBytes(3).toString('hex')}`);
  await makeDirectory(reachableRoot, 0o755);
  await makeDirectory(home, 0o711);
  await writeFile(pointer, `${home}\n`, { mode: 0o600 });
  log(`The user "${who.name}" cannot reach ${dataDir}, so the database is in ${home}`);
  return home;
}

async function refuseForeign(cluster: string): Promise<void> {
  const owner = await stat(cluster).catch(() => undefined);
  const own = process.getuid?.();
  if (owner === undefined || own === undefined || owner.uid === own) return;
  throw new Error(
    `The database in ${cluster} belongs to another user (number ${owner.uid}). ` +
      'Start Sightline as the user who started it before, or as root, or set another DATA_DIR.',
  );
}

async function reachable(binaries: Binaries, who: RunAs): Promise<boolean> {
  // Three samples: a clone with a strict umask has closed files in open directories.
  const samples = [binaries.postgres, join(binaries.root, 'lib'), join(binaries.root, 'share')];
  const answers = await Promise.all(samples.map((path) => canReach(path, who)));
  return answers.every(Boolean);
}

async function copyBinaries(packaged: Binaries): Promise<Binaries> {
  const target = join(reachableRoot, `postgresql-${packaged.version}-${process.platform}-${process.arch}`);
  if (!(await exists(target))) {
    const partial = `${target}.${process.pid}.partial`;
    await makeDirectory(reachableRoot, 0o755);
    await cp(packaged.root, partial, { recursive: true, verbatimSymlinks: true });
    await openForReading(partial);
    await rename(partial, target).catch(async (error: unknown) => {
      await rm(partial, { recursive: true, force: true });
      // Another start has created the same copy.
      if (!(await exists(target))) throw error;
    });
  }
  return binariesIn(target, packaged.version);
}

async function openForReading(root: string): Promise<void> {
  await chmod(root, 0o755);
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) await chmod(path, 0o755);
    else if (entry.isFile()) await chmod(path, (await stat(path)).mode & 0o100 ? 0o755 : 0o644);
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
