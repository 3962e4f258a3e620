import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort } from '#testing/free-port.ts';
import {
  type RunningProgram,
  startNginx,
  startPostgres,
  startProgram,
  startPrometheus,
  startRedis,
} from './programs.ts';

const source = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const conf = new URL('../../../../deploy/nginx.conf', import.meta.url);

/** The limit of picture requests per account and minute: the only limit that a test reaches. */
export const PICTURE_LIMIT_PER_MINUTE = 20;

const metricsToken = 'a-token-for-metrics';

/** An installation with several processes as in docs/operations/install.md. */
export interface Cluster {
  /** The public address: nginx with TLS. */
  url: string;
  /** Its two servers, each reached directly, and its worker. */
  nodes: readonly [ClusterNode, ClusterNode];
  worker: ClusterNode;
  redis: { stop: () => Promise<void>; start: () => Promise<void> };
  /** Prometheus, which scrapes all three, with the alert rules of deploy/. */
  prometheus: { url: string };
  /** The connection string of a superuser of Sightline's database. */
  databaseUrl: string;
  /** Runs an operator command that must succeed. */
  ask: <Answer>(...args: string[]) => Promise<Answer>;
  close: () => Promise<void>;
}

export interface ClusterNode {
  url: string;
  /** Host and port of its metrics. */
  metrics: string;
  kill: () => Promise<void>;
  start: () => Promise<void>;
}

/**
 * Starts two servers and a worker on a PostgreSQL and a Redis of this machine, behind nginx with the configuration for
 * operators.
 */
export async function startCluster(): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-cluster-'));
  // As root, PostgreSQL runs as another user, who must be able to traverse the folder.
  await chmod(folder, 0o711);
  const undo: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const task of undo.reverse()) await task();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    return await start(folder, undo, close);
  } catch (error) {
    await close();
    throw error;
  }
}

async function start(folder: string, undo: (() => Promise<unknown>)[], close: Cluster['close']): Promise<Cluster> {
  const home = join(folder, 'postgres');
  await mkdir(home);
  if (process.getuid?.() === 0) execFileSync('chown', ['postgres', home]);
  const postgres = await startPostgres(home);
  undo.push(() => postgres.end());
  const databaseUrl = await createClusterDatabase(postgres.superuser);

  const redisPort = await freePort();
  const redis = revivable(() => startRedis(folder, redisPort));
  undo.push(redis.kill);
  await redis.start();

  const ports = { nginx: await freePort(), plain: await freePort() };
  const url = `https://localhost:${ports.nginx}`;
  const env = {
    PATH: process.env.PATH,
    RATE_LIMITS: `*=1000000000,pictures=${PICTURE_LIMIT_PER_MINUTE}`,
    HOME: folder,
    NODE_ENV: 'production',
    PUBLIC_URL: url,
    HOST: '127.0.0.1',
    TRUST_PROXY: '1',
    DATABASE_URL: databaseUrl.owner,
    REDIS_URL: `redis://127.0.0.1:${redisPort}`,
    MASTER_KEY: randomBytes(32).toString('base64'),
    DATA_DIR: join(folder, 'data'),
    METRICS_TOKEN: metricsToken,
    ...(process.env.NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
  };
  const node = async (role: 'api' | 'worker'): Promise<ClusterNode> => {
    const [port, metricsPort] = [await freePort(), await freePort()];
    const ready = role === 'api' ? 'Sightline is ready' : 'works off jobs';
    const server = revivable(() =>
      startProgram(process.execPath, [source('main.ts')], (output) => output.includes(ready), {
        env: { ...env, ROLE: role, PORT: String(port), METRICS_PORT: String(metricsPort) },
      }),
    );
    undo.push(server.stop);
    await server.start();
    const metrics = `127.0.0.1:${metricsPort}`;
    return { url: `http://127.0.0.1:${port}`, metrics, kill: server.kill, start: server.start };
  };
  const first = await node('api');
  const nodes = [first, await node('api')] as const;
  const worker = await node('worker');
  const nginx = await startNginx(await writeNginxConf(folder, nodes, ports), ports.nginx);
  undo.push(() => nginx.end('SIGTERM'));

  const targets = [...nodes, worker].map(({ metrics }) => metrics);
  const prometheus = await startPrometheus(folder, { targets, token: metricsToken });
  undo.push(() => prometheus.end());

  return {
    url,
    prometheus,
    nodes,
    worker,
    redis: { stop: redis.kill, start: redis.start },
    databaseUrl: databaseUrl.superuser,
    ask: async <Answer>(...args: string[]) => {
      const { stdout } = await promisify(execFile)(process.execPath, [source('cli/main.ts'), ...args, '--json'], {
        env: { ...env, DATABASE_BACKUP_URL: databaseUrl.superuser },
      });
      return JSON.parse(stdout) as Answer;
    },
    close,
  };
}

/** Runs the statements of docs/operations/install.md. */
export async function createClusterDatabase(superuser: string): Promise<{ owner: string; superuser: string }> {
  const client = new pg.Client({ connectionString: superuser });
  await client.connect();
  await client.query("create role sightline login createrole password 'secret'");
  await client.query('create database sightline owner sightline');
  await client.end();
  const of = (login: string) => superuser.replace('//postgres@', `//${login}@`).replace(/\/postgres$/, '/sightline');
  return { owner: of('sightline:secret'), superuser: of('postgres') };
}

/** Writes the nginx configuration for operators with the addresses of this cluster and a generated certificate. */
export async function writeNginxConf(
  folder: string,
  [one, other]: readonly [Pick<ClusterNode, 'url'>, Pick<ClusterNode, 'url'>],
  ports: { nginx: number; plain: number },
): Promise<string> {
  const [key, certificate] = [join(folder, 'tls.key'), join(folder, 'tls.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const kind = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2'];
  execFileSync('openssl', ['req', ...kind, '-keyout', key, '-out', certificate, ...subject], { stdio: 'pipe' });
  setDefaultCACertificates([...getCACertificates('default'), await readFile(certificate, 'utf8')]);
  const changes = {
    '127.0.0.1:3000': new URL(one.url).host,
    '127.0.0.1:3001': new URL(other.url).host,
    'listen 443': `listen ${ports.nginx}`,
    'listen 80': `listen ${ports.plain}`,
    'sightline.example.org': 'localhost',
    '/etc/ssl/certs/sightline.pem': certificate,
    '/etc/ssl/private/sightline.key': key,
  };
  let text = await readFile(conf, 'utf8');
  for (const [given, own] of Object.entries(changes)) {
    if (!text.includes(given)) throw new Error(`deploy/nginx.conf names no ${given}`);
    text = text.replaceAll(given, own);
  }
  const own = join(folder, 'sightline.conf');
  await writeFile(own, text);
  const main = join(folder, 'nginx.conf');
  await writeFile(
    main,
    `daemon off;
pid ${folder}/nginx.pid;
error_log stderr warn;
worker_processes 2;
worker_rlimit_nofile 8192;
events { worker_connections 4096; }
http {
  access_log off;
  client_body_temp_path ${folder}/bodies;
  proxy_temp_path ${folder}/answers;
  include ${own};
}
`,
  );
  return main;
}

/** Returns a program that can be ended and restarted. */
function revivable(begin: () => Promise<RunningProgram>) {
  let current: RunningProgram | undefined;
  const end = async (signal: NodeJS.Signals) => {
    await current?.end(signal);
    current = undefined;
  };
  return {
    start: async () => {
      current = await begin();
    },
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  };
}
