import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { processState } from './process.ts';
import { occupyPort, openTestbed, queryUrl, type Testbed } from './testbed.ts';

const patience = { timeout: 30_000, interval: 5 };
let bed: Testbed;
beforeEach(async () => {
  bed = await openTestbed();
});
afterEach(() => bed.close());

describe('startEmbedded on leftover state', { timeout: 60_000 }, () => {
  it('starts over after a kill during the first start', { tags: 'full' }, async () => {
    await bed.empty();
    const server = bed.startServer();
    await vi.waitFor(async () => {
      expect((await readdir(bed.dataDir)).some((name) => name.startsWith('postgres.partial-'))).toBe(true);
    }, patience);
    await server.end('SIGKILL');
    await expect(stat(bed.cluster)).rejects.toThrow('ENOENT');

    const { url } = await bed.start();
    expect(await queryUrl(url, 'select 1 n')).toEqual([{ n: 1 }]);
    expect((await readdir(bed.dataDir)).filter((name) => name.includes('partial'))).toEqual([]);
  });

  it.each([
    ['of a dead process', deadPid],
    ['of another process with a reused PID', async () => process.pid],
    ['that are incomplete', async () => ''],
    ['of a zombie that is never reaped', zombiePid],
  ])('removes stale locks %s', { tags: 'full' }, async (_, makePid) => {
    const first = await bed.start();
    await queryUrl(first.url, 'create table kept as select 1 n');
    await first.stop();
    const { uid, gid } = await stat(bed.cluster);
    const pid = await makePid();
    for (const name of ['postmaster.pid', `.s.PGSQL.${new URL(first.url).port}.lock`]) {
      const path = join(bed.cluster, name);
      await writeFile(path, `${pid}\n${bed.cluster}\n1\n5432\n`);
      await chown(path, uid, gid);
    }

    const second = await bed.start();
    expect(await queryUrl(second.url, 'select n from kept')).toEqual([{ n: 1 }]);
  });

  it('refuses a second instance on the same directory, also from another process', { tags: 'full' }, async () => {
    const server = bed.startServer();
    const url = await server.url;
    await expect(bed.start()).rejects.toThrow(`Sightline is already running on ${bed.dataDir} (process ${server.pid})`);
    expect(await queryUrl(url, 'select 1 n')).toEqual([{ n: 1 }]);
  });

  it('names the port in use and releases the directory', { tags: 'full' }, async () => {
    const occupant = await occupyPort();
    bed.atEnd(async () => occupant.server.close());
    await expect(bed.start({ port: occupant.port })).rejects.toThrow(`Another program uses port ${occupant.port}`);
    const embedded = await bed.start();
    expect(await queryUrl(embedded.url, 'select 1 n')).toEqual([{ n: 1 }]);
  });

  it('moves to another port when another program uses the stored one', { tags: 'full' }, async () => {
    const first = await bed.start();
    await first.stop();
    const occupant = await occupyPort(Number(new URL(first.url).port));
    bed.atEnd(async () => occupant.server.close());
    const second = await bed.start();
    expect(second.url).not.toBe(first.url);
    expect(await queryUrl(second.url, 'select 1 n')).toEqual([{ n: 1 }]);
  });

  it('reports the reason given by PostgreSQL, and refuses another version and a lost password', async () => {
    const embedded = await bed.start();
    await embedded.stop();
    await writeFile(join(bed.cluster, 'postgresql.conf'), 'no_such_setting = 1\n');
    await expect(bed.start()).rejects.toThrow(/could not start on .*no_such_setting/);
    await writeFile(join(bed.cluster, 'PG_VERSION'), '15\n');
    await expect(bed.start()).rejects.toThrow('was created by PostgreSQL 15');
    await rm(join(bed.dataDir, 'postgres.password'));
    await expect(bed.start()).rejects.toThrow('has lost its password');
  });
});

describe.skipIf(process.getuid?.() !== 0)('startEmbedded as root', { timeout: 60_000 }, () => {
  it('stores the database elsewhere when its user cannot reach the directory, and finds it again', {
    tags: 'full',
  }, async () => {
    await bed.empty();
    await chmod(bed.root, 0o700);
    const first = await bed.start();
    const home = (await readFile(join(bed.dataDir, 'postgres.location'), 'utf8')).trim();
    bed.atEnd(() => rm(home, { recursive: true, force: true }));
    await queryUrl(first.url, 'create table kept as select 1 n');
    expect((await stat(join(home, 'postgres'))).uid).not.toBe(0);
    await first.stop();

    const second = await bed.start();
    expect(await queryUrl(second.url, 'select n from kept')).toEqual([{ n: 1 }]);
    await second.stop();

    await rm(home, { recursive: true });
    await expect(bed.start()).rejects.toThrow('which no longer exists');
  });

  it('opens an empty directory created for it for traversal only', { tags: 'full' }, async () => {
    await bed.empty();
    await mkdir(bed.dataDir, { mode: 0o700 });
    await bed.start();
    expect((await stat(bed.dataDir)).mode & 0o777).toBe(0o711);
    expect(await readdir(bed.dataDir)).not.toContain('postgres.location');
  });

  it('keeps the owner of a database created by an ordinary user', { tags: 'full' }, async () => {
    const first = await bed.start();
    await first.stop();
    await promisify(execFile)('chown', ['-R', 'nobody', bed.dataDir]);
    const second = await bed.start();
    expect(await queryUrl(second.url, 'select 1 n')).toEqual([{ n: 1 }]);
  });
});

async function deadPid(): Promise<number> {
  const { child } = promisify(execFile)(process.execPath, ['--version']);
  await once(child, 'exit');
  return child.pid ?? 0;
}

/** Returns the PID of a child whose parent has become another program and never reaps it. */
async function zombiePid(): Promise<number> {
  const parent = spawn('sh', ['-c', 'true & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] });
  bed.atEnd(async () => parent.kill());
  const [line] = await once(parent.stdout, 'data');
  const pid = Number(String(line));
  await vi.waitFor(() => expect(processState(pid)).not.toBe('running'), patience);
  return pid;
}
