import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { connectionUrl } from './credentials.ts';
import { isPostmasterOf, readPidFile } from './pid-file.ts';
import { adoptPostmaster, type ConfiguredPlacement, type Postmaster, postmasterArgs } from './postmaster.ts';
import { processState } from './process.ts';

const zombieMs = 3000;

/**
 * Handles the remainder of a killed Sightline on the cluster, before a new PostgreSQL starts there. Resolves with a
 * running PostgreSQL that can be reused (same programs, settings and password), otherwise with undefined when no
 * process and no stale lock file remains.
 */
export async function adoptOrStopOrphan(
  placement: ConfiguredPlacement,
  password: string,
  port: number | undefined,
  log: (line: string) => void,
): Promise<{ postmaster: Postmaster; port: number } | undefined> {
  const { binaries, cluster } = placement;
  const file = await readPidFile(cluster);
  if (file === undefined) {
    // The file is empty or broken after a power loss: PostgreSQL would require its removal.
    await removeLocks(cluster);
    return undefined;
  }
  const { pid } = file;
  await waitUntilReaped(pid);
  if (processState(pid) !== 'running' || !(await isPostmasterOf(pid, cluster))) {
    log(`Removing the postmaster.pid of the ended process ${pid}`);
    await removeLocks(cluster);
    return undefined;
  }
  const postmaster = adoptPostmaster(pid, binaries, cluster);
  if (file.port !== undefined && (port === undefined || port === file.port)) {
    if ((await hasSameArguments(placement, file.port)) && (await acceptsPassword(password, file.port))) {
      log(`Adopting the PostgreSQL that is already running (process ${pid})`);
      return { postmaster, port: file.port };
    }
  }
  log(`Stopping the PostgreSQL of an earlier Sightline (process ${pid})`);
  await postmaster.stop();
  return undefined;
}

/**
 * Removes the locks of the folder and the socket. PostgreSQL would respect them even if another program has their PID
 * now.
 */
async function removeLocks(cluster: string): Promise<void> {
  const names = await readdir(cluster);
  const locks = names.filter((name) => name === 'postmaster.pid' || /^\.s\.PGSQL\.\d+\.lock$/.test(name));
  for (const name of locks) await rm(join(cluster, name), { force: true });
}

/** Whether PostgreSQL on this port accepts the password; false also during startup and shutdown. */
export async function acceptsPassword(password: string, port: number): Promise<boolean> {
  const client = new pg.Client({ connectionString: connectionUrl(password, port), connectionTimeoutMillis: 2000 });
  // A connection that is lost after the result must not end this process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Waits until a zombie is reaped. In a container there may be no process that reaps it, so the wait is bounded. */
async function waitUntilReaped(pid: number): Promise<void> {
  const until = performance.now() + zombieMs;
  for (let pause = 25; processState(pid) === 'zombie' && performance.now() < until; pause *= 2) await delay(pause);
}

async function hasSameArguments(placement: ConfiguredPlacement, port: number): Promise<boolean> {
  const { binaries, cluster } = placement;
  const recorded = await readFile(join(cluster, 'postmaster.opts'), 'utf8').catch(() => '');
  return (
    recorded.trim() ===
    [binaries.postgres, ...postmasterArgs(placement, port).map((argument) => `"${argument}"`)].join(' ')
  );
}
