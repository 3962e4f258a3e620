import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { processState } from './process.ts';
import { type EmbeddedPostgres, findRunningDatabaseUrl, startEmbeddedPostgres } from './supervisor.ts';
import { occupyPort, openTestbed, queryUrl, type Testbed } from './testbed.ts';

const patience = { timeout: 30_000, interval: 20 };
let bed: Testbed;
beforeEach(async () => {
  bed = await openTestbed();
});
afterEach(() => bed.close());

describe('startEmbedded', { timeout: 60_000 }, () => {
  it('creates the database once and keeps its rows, password and port', async () => {
    await bed.empty();
    const first = await bed.start();
    expect(bed.lines.join('\n')).toContain('Creating the database');
    expect(first.adopted).toBe(false);
    await queryUrl(first.url, 'create table kept as select 1 n');
    expect((await stat(join(bed.dataDir, 'postgres.password'))).mode & 0o777).toBe(0o600);
    await first.stop();
    bed.lines.length = 0;

    const second = await bed.start();
    expect(second.adopted).toBe(false);
    expect(second.url).toBe(first.url);
    expect(bed.lines.join('\n')).not.toContain('Creating the database');
    expect(await queryUrl(second.url, 'select n from kept')).toEqual([{ n: 1 }]);
  });

  it('runs with the settings that durability and queries rely on, and requires the password', async () => {
    const { url } = await bed.start();
    const settings = await queryUrl(
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
    await expect(queryUrl(url.replace(/:[0-9a-f]+@/, ':wrong@'), 'select 1')).rejects.toThrow('password');
  });

  it('listens on a socket in its directory, and on TCP if the path is too long', { tags: 'full' }, async () => {
    const short = await bed.start();
    const address = 'select host(inet_server_addr()) as address';
    expect(await queryUrl(short.url, address)).toEqual([{ address: null }]);
    const byTcp = short.url.replace(/@.*:/, '@127.0.0.1:');
    expect(await queryUrl(byTcp, address)).toEqual([{ address: '127.0.0.1' }]);
    const long = await startEmbeddedPostgres({ dataDir: join(bed.root, 'long'.repeat(25)), log: () => undefined });
    bed.atEnd(long.stop);
    expect(await queryUrl(long.url, address)).toEqual([{ address: '127.0.0.1' }]);
  });

  it('leaves no process and no lock behind after stop', async () => {
    const embedded = await bed.start();
    const pid = await bed.postmasterPid();
    expect(await findRunningDatabaseUrl(bed.dataDir)).toBe(embedded.url);
    await embedded.stop();
    expect(processState(pid)).toBe('gone');
    expect(await findRunningDatabaseUrl(bed.dataDir)).toBeUndefined();
    await expect(stat(join(bed.dataDir, 'sightline.lock'))).rejects.toThrow('ENOENT');
  });

  it('adopts the PostgreSQL of a killed server with every committed row', { tags: 'full' }, async () => {
    const server = bed.startServer();
    const url = await server.url;
    const pid = await bed.postmasterPid();
    await queryUrl(url, 'create table kept as select generate_series(1, 500) n');
    await server.end('SIGKILL');
    expect(processState(pid)).toBe('running');

    const embedded = await bed.start();
    expect(embedded.adopted).toBe(true);
    expect(embedded.url).toBe(url);
    expect(await queryUrl(url, 'select count(*)::int n from kept')).toEqual([{ n: 500 }]);
    await embedded.stop();
    expect(processState(pid)).not.toBe('running');
  });

  it('replaces the PostgreSQL of a killed server that runs with other settings than requested', {
    tags: 'full',
  }, async () => {
    const server = bed.startServer();
    await queryUrl(await server.url, 'create table kept as select 7 n');
    const pid = await bed.postmasterPid();
    await server.end('SIGKILL');

    const occupant = await occupyPort();
    occupant.server.close();
    const embedded = await bed.start({ port: occupant.port });
    expect(embedded.adopted).toBe(false);
    expect(processState(pid)).not.toBe('running');
    expect(await queryUrl(embedded.url, 'select n from kept')).toEqual([{ n: 7 }]);
  });

  it('restarts an adopted PostgreSQL that dies', { tags: 'full' }, async () => {
    const server = bed.startServer();
    await server.url;
    await server.end('SIGKILL');
    const embedded = await bed.start({ firstPauseMs: 10 });
    expect(embedded.adopted).toBe(true);
    await expectRestart(embedded);
  });

  it.each([
    ['when a signal ends the process', 'SIGTERM', 143],
    ['when the process exits', 'exit', 3],
  ] as const)('stops its PostgreSQL %s', { tags: 'full' }, async (_, how, code) => {
    const server = bed.startServer();
    await server.url;
    const pid = await bed.postmasterPid();
    expect(await server.end(how)).toBe(code);
    await vi.waitFor(() => expect(processState(pid)).not.toBe('running'), patience);
  });

  it('restarts a crashed PostgreSQL at the same address', { tags: 'full' }, async () => {
    const embedded = await bed.start({ firstPauseMs: 10 });
    await queryUrl(embedded.url, 'create table kept as select 1 n');
    await expectRestart(embedded);
    expect(await queryUrl(embedded.url, 'select n from kept')).toEqual([{ n: 1 }]);
  });

  it('stops while a restart is pending', async () => {
    const embedded = await bed.start();
    const reason = new Promise<string>((resolve) => embedded.onExit(resolve));
    process.kill(await bed.postmasterPid(), 'SIGKILL');
    await reason;
    await embedded.stop();
    expect(await findRunningDatabaseUrl(bed.dataDir)).toBeUndefined();
  });

  it('stops while a restart is in progress', { tags: 'full' }, async () => {
    const embedded = await bed.start({ firstPauseMs: 10 });
    const first = await bed.postmasterPid();
    process.kill(first, 'SIGKILL');
    await vi.waitFor(async () => expect(await bed.postmasterPid()).not.toBe(first), { ...patience, interval: 1 });
    const second = await bed.postmasterPid();
    await embedded.stop();
    expect(processState(second)).not.toBe('running');
    expect(await findRunningDatabaseUrl(bed.dataDir)).toBeUndefined();
  });
});

async function expectRestart(embedded: EmbeddedPostgres): Promise<void> {
  const reason = new Promise<string>((resolve) => embedded.onExit(resolve));
  const pid = await bed.postmasterPid();
  process.kill(pid, 'SIGKILL');
  await reason;
  await vi.waitFor(async () => expect(await findRunningDatabaseUrl(bed.dataDir)).toBe(embedded.url), patience);
  expect(await bed.postmasterPid()).not.toBe(pid);
}
