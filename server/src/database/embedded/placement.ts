import { createHash, randomBytes } from 'node:crypto';
import { chmod, cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Binaries, binariesIn } from './binaries.ts';
import { canReach, findRunAs, type RunAs } from './run-as.ts';

export type Placement = { binaries: Binaries; home: string; cluster: string; who: RunAs | undefined };

/**
 * Root's own home and everything below it is usually closed (0700), and PostgreSQL must not run as root: what its user
 * cannot reach there lives here instead. World-traversable on every Linux, kept across restarts.
 */
const reachableRoot = '/var/lib/sightline';
const locationName = 'postgres.location';

/**
 * Where the programs and the cluster are, for the user who runs them. Normally in node_modules and in
 * `<dataDir>/postgres`; when we are root and PostgreSQL's user cannot reach them, a copy of the programs and the
 * cluster are kept under /var/lib/sightline, and `<dataDir>/postgres.location` says where.
 */
export async function place(dataDir: string, packaged: Binaries, log: (line: string) => void): Promise<Placement> {
  const home = await findHome(dataDir, log);
  const cluster = join(home, 'postgres');
  const who = await findRunAs(cluster);
  if (who === undefined) await refuseForeign(cluster);
  const binaries = who === undefined || (await reachable(packaged, who)) ? packaged : await copyBinaries(packaged);
  return { binaries, home, cluster, who };
}

/**
 * Makes a directory and those above it, with this mode whatever the umask. One that was there keeps its mode, unless
 * we are root and it is empty: then it was made for us, often closed (0700), and PostgreSQL's user must pass.
 */
export async function makeDirectory(path: string, mode: number): Promise<void> {
  const made = await mkdir(path, { recursive: true, mode });
  const ours = made !== undefined || (process.getuid?.() === 0 && (await readdir(path)).length === 0);
  if (ours) await chmod(path, mode);
}

/** Where the cluster of a data directory is, or would be. */
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
  // A random part: whoever removes the data directory wants a fresh start, not the old cluster with a lost password.
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
  // Three samples: a clone made with a strict umask has closed files behind open directories.
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
      // Another start made the same copy meanwhile.
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
