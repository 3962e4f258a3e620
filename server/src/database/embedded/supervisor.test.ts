import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { acquireLock } from './lock.ts';
import { readPidFile } from './pid-file.ts';
import { processState } from './process.ts';
import { type Embedded, findRunning, startEmbedded } from './supervisor.ts';

const patience = { timeout: 30_000, interval: 20 };
let root: string;
let dataDir: string;
let lines: string[];
const undo: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'sightline-embedded-'));
  // Root's PostgreSQL runs as another user, who must be able to pass.
  await chmod(root, 0o711);
  dataDir = join(root, 'data');
  lines = [];
});

afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
  await rm(root, { recursive: true, force: true });
});

describe('startEmbedded', { timeout: 60_000 }, () => {
  it('makes the database once and keeps its rows, its password and its port', async () => {
    const first = await start();
    expect(first.adopted).toBe(false);
    await query(first.url, 'create table kept (n int)');
    await query(first.url, 'insert into kept values (1)');
    expect((await stat(join(dataDir, 'postgres.password'))).mode & 0o777).toBe(0o600);
    await first.stop();
    lines = [];

    const second = await start();
    expect(second.adopted).toBe(false);
    expect(second.url).toBe(first.url);
    expect(lines.join('\n')).not.toContain('Making the database');
    expect(await query(second.url, 'select n from kept')).toEqual([{ n: 1 }]);
  });

  it('runs with the settings durability and the queries rely on', async () => {
    const { url } = await start();
    const settings = await query(
      url,
      `select current_setting('fsync') fsync, current_setting('synchronous_commit') synchronous_commit,
        current_setting('jit') jit, current_setting('max_wal_size') wal, current_setting('max_connections') connections,
        current_setting('server_encoding') encoding, lower('ÄÉ') lower,
        (select concat(datlocprovider, datlocale) from pg_database where datname = current_database()) locale`,
    );
    expect(settings).toEqual([
      {
        fsync: 'on',
        synchronous_commit: 'on',
        jit: 'off',
        wal: '2GB',
        connections: '60',
        encoding: 'UTF8',
        lower: 'äé',
        locale: 'bC.UTF-8',
      },
    ]);
  });

  it('lets nobody in without the password', async () => {
    const { url } = await start();
    await expect(query(url.replace(/:[0-9a-f]+@/, ':wrong@'), 'select 1')).rejects.toThrow('password');
  });

  it('leaves no process and no lock behind after stop', async () => {
    const embedded = await start();
    const pid = await postmasterPid();
    expect(await findRunning(dataDir)).toBe(embedded.url);
    await embedded.stop();
    expect(processState(pid)).toBe('gone');
    expect(await findRunning(dataDir)).toBeUndefined();
    await expect(stat(join(dataDir, 'sightline.lock'))).rejects.toThrow('ENOENT');
  });

  it('adopts what a killed server left, with every committed row', async () => {
    const server = await startServer();
    const pid = await postmasterPid();
    await query(server.url, 'create table kept as select generate_series(1, 500) n');
    await server.end('SIGKILL');
    expect(processState(pid)).toBe('running');

    const embedded = await start();
    expect(embedded.adopted).toBe(true);
    expect(embedded.url).toBe(server.url);
    expect(await query(embedded.url, 'select count(*)::int n from kept')).toEqual([{ n: 500 }]);
    await embedded.stop();
    expect(processState(pid)).not.toBe('running');
  });

  it('replaces what a killed server left when it runs otherwise than asked for', async () => {
    const server = await startServer();
    const pid = await postmasterPid();
    await query(server.url, 'create table kept as select 7 n');
    await server.end('SIGKILL');

    const embedded = await start({ port: await freePort() });
    expect(embedded.adopted).toBe(false);
    expect(processState(pid)).not.toBe('running');
    expect(await query(embedded.url, 'select n from kept')).toEqual([{ n: 7 }]);
  });

  it('restarts an adopted PostgreSQL that dies', async () => {
    const server = await startServer();
    await server.end('SIGKILL');
    const embedded = await start();
    expect(embedded.adopted).toBe(true);
    await expectRestart(embedded);
  });

  it('takes its PostgreSQL along when a signal ends the process', async () => {
    const server = await startServer();
    const pid = await postmasterPid();
    expect(await server.end('SIGTERM')).toBe(143);
    expect(processState(pid)).not.toBe('running');
  });

  it('takes its PostgreSQL along when the process just ends', async () => {
    const server = await startServer();
    const pid = await postmasterPid();
    expect(await server.end('exit')).toBe(3);
    await vi.waitFor(() => expect(processState(pid)).not.toBe('running'), patience);
  });

  it('restarts PostgreSQL when it dies by itself, at the same address', async () => {
    const embedded = await start();
    await query(embedded.url, 'create table kept as select 1 n');
    await expectRestart(embedded);
    expect(await query(embedded.url, 'select n from kept')).toEqual([{ n: 1 }]);
  });

  it('stops while a restart is pending', async () => {
    const embedded = await start();
    const reason = new Promise<string>((resolve) => embedded.onExit(resolve));
    process.kill(await postmasterPid(), 'SIGKILL');
    await reason;
    await embedded.stop();
    expect(await findRunning(dataDir)).toBeUndefined();
  });

  it('begins again after a kill in the middle of the first start', async () => {
    const half = join(dataDir, 'postgres.partial-1');
    await mkdir(join(half, 'base'), { recursive: true });
    await chmod(dataDir, 0o711);
    await writeFile(join(half, 'PG_VERSION'), '18\n');
    const { url } = await start();
    expect(await query(url, 'select 1 n')).toEqual([{ n: 1 }]);
    await expect(stat(half)).rejects.toThrow('ENOENT');
  });

  it.each([
    ['of a dead process', async () => (await deadPid()).toString()],
    ['of a stranger who got the number later', async () => process.pid.toString()],
    ['that was never written to the end', async () => ''],
  ])('removes a stale postmaster.pid %s', async (_, makePid) => {
    const first = await start();
    await query(first.url, 'create table kept as select 1 n');
    await first.stop();
    const owner = await stat(join(dataDir, 'postgres'));
    const path = join(dataDir, 'postgres', 'postmaster.pid');
    await writeFile(path, `${await makePid()}\n${join(dataDir, 'postgres')}\n1\n5432\n`);
    await promisify(execFile)('chown', [`${owner.uid}:${owner.gid}`, path]);
    const second = await start();
    expect(await query(second.url, 'select n from kept')).toEqual([{ n: 1 }]);
  });

  it('refuses a second instance on the same directory, also from another process', async () => {
    const server = await startServer();
    await expect(start()).rejects.toThrow(`Sightline is already running on ${dataDir} (process ${server.pid})`);
    expect(await query(server.url, 'select 1 n')).toEqual([{ n: 1 }]);
  });

  it('takes over the lock of a dead process, of a number used again, and one that was never written', async () => {
    await mkdir(dataDir);
    for (const left of [{ pid: await deadPid() }, { pid: process.ppid, identity: 'another-boot:1' }, undefined]) {
      await writeFile(join(dataDir, 'sightline.lock'), left === undefined ? '' : JSON.stringify(left));
      (await acquireLock(dataDir)).release();
    }
  });

  it('lets one of many that want a stale lock have it', async () => {
    await mkdir(dataDir);
    await writeFile(join(dataDir, 'sightline.lock'), JSON.stringify({ pid: await deadPid() }));
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => acquireLock(dataDir)));
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
  });

  it('says which port is taken, and gives the directory back', async () => {
    await using stranger = createServer();
    stranger.listen(0, '127.0.0.1');
    await once(stranger, 'listening');
    const address = stranger.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    if (port === undefined) throw new Error('no port');
    await expect(start({ port })).rejects.toThrow(`Another program uses port ${port}`);
    const embedded = await start();
    expect(await query(embedded.url, 'select 1 n')).toEqual([{ n: 1 }]);
  });

  it('moves to another port when a stranger sits on the remembered one', async () => {
    const first = await start();
    await first.stop();
    await using stranger = createServer();
    stranger.listen(Number(new URL(first.url).port), '127.0.0.1');
    await once(stranger, 'listening');
    const second = await start();
    expect(second.url).not.toBe(first.url);
    expect(await query(second.url, 'select 1 n')).toEqual([{ n: 1 }]);
  });

  it('does not touch a database of another version or without its password', async () => {
    const embedded = await start();
    await embedded.stop();
    await rm(join(dataDir, 'postgres.password'));
    await expect(start()).rejects.toThrow('has lost its password');
    await writeFile(join(dataDir, 'postgres.password'), 'some');
    await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '15\n');
    await expect(start()).rejects.toThrow('is of PostgreSQL 15');
  });

  it("passes PostgreSQL's own reason on", async () => {
    const embedded = await start();
    await embedded.stop();
    await writeFile(join(dataDir, 'postgres', 'postgresql.conf'), 'no_such_setting = 1\n');
    await expect(start()).rejects.toThrow(/could not start on .*no_such_setting/);
  });
});

describe.skipIf(process.getuid?.() !== 0)('startEmbedded as root', { timeout: 60_000 }, () => {
  it('keeps the database elsewhere when its user cannot reach the directory, and finds it again', async () => {
    await chmod(root, 0o700);
    const first = await start();
    const home = (await readFile(join(dataDir, 'postgres.location'), 'utf8')).trim();
    undo.unshift(() => rm(home, { recursive: true, force: true }));
    await query(first.url, 'create table kept as select 1 n');
    expect((await stat(join(home, 'postgres'))).uid).not.toBe(0);
    await first.stop();

    const second = await start();
    expect(await query(second.url, 'select n from kept')).toEqual([{ n: 1 }]);
    await second.stop();

    await rm(home, { recursive: true });
    await expect(start()).rejects.toThrow('which is gone');
  });
});

async function start(options: { port?: number } = {}): Promise<Embedded> {
  const embedded = await startEmbedded({ dataDir, log: (line) => lines.push(line), ...options });
  undo.push(embedded.stop);
  return embedded;
}

/** A Node process of its own that runs the database, to be killed. */
async function startServer() {
  const child = fork(join(import.meta.dirname, 'supervisor.fixture.ts'), [dataDir], { execArgv: [] });
  const ended = once(child, 'exit');
  const end = async (how: 'SIGKILL' | 'SIGTERM' | 'exit'): Promise<unknown> => {
    if (how === 'exit') child.send('exit');
    else child.kill(how);
    return (await ended)[0];
  };
  undo.push(() => end('SIGTERM'));
  const [url] = await once(child, 'message');
  return { url: String(url), pid: child.pid, end };
}

async function expectRestart(embedded: Embedded): Promise<void> {
  const reason = new Promise<string>((resolve) => embedded.onExit(resolve));
  const pid = await postmasterPid();
  process.kill(pid, 'SIGKILL');
  await reason;
  await vi.waitFor(async () => expect(await findRunning(dataDir)).toBe(embedded.url), patience);
  expect(await postmasterPid()).not.toBe(pid);
}

async function postmasterPid(): Promise<number> {
  const file = await readPidFile(join(dataDir, 'postgres'));
  if (file === undefined) throw new Error('no postmaster.pid');
  return file.pid;
}

async function deadPid(): Promise<number> {
  const { child } = promisify(execFile)(process.execPath, ['--version']);
  await once(child, 'exit');
  return child.pid ?? 0;
}

async function freePort(): Promise<number> {
  await using server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
