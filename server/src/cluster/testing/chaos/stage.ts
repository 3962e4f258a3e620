import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, open, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createRepository } from '@sightline/sandbox/testing/repository.ts';
import { startSandboxGitlab } from '#providers/gitlab/sandbox.fixture.ts';
import { freePort } from '#testing/free-port.ts';
import { startFreezingProxy } from '#testing/freezing-proxy.ts';
import { createClusterDatabase, writeNginxConf } from '../cluster.ts';
import { startNginx, startPostgres, startProgram, startRedis } from '../programs.ts';
import { superviseProgram } from './supervised.ts';

const main = fileURLToPath(new URL('../../../main.ts', import.meta.url));
const cli = fileURLToPath(new URL('../../../cli/main.ts', import.meta.url));
const faketime = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1';

export type ChaosStage = Awaited<ReturnType<typeof startChaosStage>>;
type UndoTask = () => unknown;
export type StageNode = ChaosStage['nodes'][number];

/**
 * Starts two servers and a worker behind nginx, on a PostgreSQL with its own disk, reached through a proxy, with Redis,
 * a code host and adjustable clocks.
 */
export async function startChaosStage(diskBytes: number, log: (line: string) => void) {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-chaos-'));
  // PostgreSQL runs as another user, who must be able to traverse the folder.
  await chmod(folder, 0o711);
  const undo: UndoTask[] = [() => rm(folder, { recursive: true, force: true })];
  const { disk, postgres, postgresUrl } = await startDatabase(folder, diskBytes, undo, log);
  const databases = await createClusterDatabase(postgresUrl);
  const relay = await startFreezingProxy();
  undo.push(relay.close);

  const redisPort = await freePort();
  const redis = superviseProgram('Redis', () => startRedis(folder, redisPort), log);
  undo.push(() => redis.stop('SIGKILL'));
  await redis.start();

  const repository = createRepository();
  await repository.start();
  await repository.commit('First steps', { 'README.md': '# Widgets\n' });
  const ports = { nginx: await freePort(), plain: await freePort() };
  const url = `https://localhost:${ports.nginx}`;
  const gitlab = await startSandboxGitlab([repository.path], url, { pollMs: 1_000 });
  undo.push(repository.remove, gitlab.close);
  const environment = {
    PATH: process.env.PATH,
    HOME: folder,
    NODE_ENV: 'production',
    PUBLIC_URL: url,
    HOST: '127.0.0.1',
    TRUST_PROXY: '1',
    RATE_LIMITS: '*=1000000000',
    DATABASE_URL: relay.urlThroughProxy(databases.owner),
    DATABASE_QUERY_SECONDS: '60',
    REDIS_URL: `redis://127.0.0.1:${redisPort}`,
    MASTER_KEY: randomBytes(32).toString('base64'),
    GITLAB_URL: gitlab.baseURL,
    METRICS_TOKEN: 'a-token-for-metrics',
  };
  const options: NodeOptions = { folder, environment, undo, log };
  const first = await startNode('api1', 'api', options);
  const nodes = [first, await startNode('api2', 'api', options), await startNode('worker', 'worker', options)];
  const [one, other] = nodes;
  if (!one || !other) throw new Error('There are no servers.');
  const nginx = await startNginx(await writeNginxConf(folder, [one, other], ports), ports.nginx);
  undo.push(() => nginx.end('SIGTERM'));

  return {
    folder,
    disk,
    url,
    nodes,
    postgres,
    relay,
    redis,
    gitlab,
    repository,
    hasClocks: existsSync(faketime),
    /** The connection string of a superuser, bypassing the proxy. */
    databaseUrl: databases.superuser,
    /** Runs an operator command, bypassing the proxy. */
    async ask<Answer>(...args: string[]): Promise<Answer> {
      const env = { ...environment, DATABASE_URL: databases.owner, DATA_DIR: join(folder, 'operator') };
      return JSON.parse(execFileSync(process.execPath, [cli, ...args, '--json'], { env, encoding: 'utf8' })) as Answer;
    },
    /** Writes until the disk of PostgreSQL is full. Returns a function that frees the space. */
    fillDisk: () => fillDisk(disk),
    async close(): Promise<void> {
      for (const task of undo.reverse()) await task();
    },
  };
}

/** Starts PostgreSQL on a disk of its own. */
async function startDatabase(folder: string, diskBytes: number, undo: UndoTask[], log: (line: string) => void) {
  const disk = await mountDisk(folder, diskBytes, undo);
  const home = join(disk, 'postgres');
  await mkdir(home, { mode: 0o700 });
  execFileSync('chown', ['postgres', home]);
  const postgresPort = await freePort();
  const settings = ['max_connections=200', 'max_wal_size=1GB', 'shared_buffers=512MB'];
  const postgres = superviseProgram('PostgreSQL', () => startPostgres(home, settings, postgresPort), log);
  undo.push(() => postgres.stop('SIGQUIT'));
  await postgres.start();
  return { disk, postgres, postgresUrl: `postgresql://postgres@127.0.0.1:${postgresPort}/postgres` };
}

interface NodeOptions {
  folder: string;
  environment: Record<string, string | undefined>;
  undo: UndoTask[];
  log: (line: string) => void;
}

/** Starts a server or a worker with a clock of its own. */
async function startNode(name: string, role: 'api' | 'worker', { folder, environment, undo, log }: NodeOptions) {
  const [port, metricsPort, clock] = [await freePort(), await freePort(), join(folder, `${name}.clock`)];
  await writeFile(clock, '+0');
  const env = {
    ...environment,
    ROLE: role,
    PORT: String(port),
    METRICS_PORT: String(metricsPort),
    DATA_DIR: join(folder, name),
    ...(existsSync(faketime) && {
      LD_PRELOAD: faketime,
      FAKETIME_TIMESTAMP_FILE: clock,
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    }),
  };
  const ready = role === 'api' ? 'Sightline is ready' : 'works off jobs';
  const program = superviseProgram(
    name,
    () => startProgram(process.execPath, [main], (output) => output.includes(ready), { env }),
    log,
  );
  undo.push(() => program.stop('SIGKILL'));
  await program.start();
  const metrics = `http://127.0.0.1:${metricsPort}`;
  /** Shifts the clock, in seconds from the true time. */
  const shiftClock = (seconds: number) => writeFile(clock, `${seconds < 0 ? '' : '+'}${seconds}`);
  return { name, role, url: `http://127.0.0.1:${port}`, metrics, program, shiftClock };
}

/** Writes until the disk is full. Returns a function that frees the space. */
async function fillDisk(disk: string): Promise<() => Promise<void>> {
  const path = join(disk, 'ballast');
  const { bavail, bsize } = await statfs(disk);
  execFileSync('fallocate', ['--length', String(Math.max(bavail * bsize - 65_536, 4_096)), path]);
  // The space that fallocate leaves to the file system.
  const remainder = await open(join(disk, 'ballast-rest'), 'w');
  try {
    for (;;) await remainder.write(Buffer.alloc(4_096));
  } catch {
    await remainder.close();
  }
  return async () => {
    await rm(path, { force: true });
    await rm(join(disk, 'ballast-rest'), { force: true });
  };
}

/** Mounts a separate file system that can run full. */
async function mountDisk(folder: string, bytes: number, undo: UndoTask[]): Promise<string> {
  const [image, disk] = [join(folder, 'disk.img'), join(folder, 'disk')];
  await mkdir(disk);
  execFileSync('truncate', ['--size', String(bytes), image]);
  // Reserves no space for root, because PostgreSQL runs as another user.
  execFileSync('mkfs.ext4', ['-q', '-F', '-m', '0', image], { stdio: 'pipe' });
  execFileSync('mount', ['-o', 'loop', image, disk]);
  undo.push(() => execFileSync('umount', ['--lazy', disk]));
  await chmod(disk, 0o711);
  return disk;
}
