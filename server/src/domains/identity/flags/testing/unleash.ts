import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '#testing/free-port.ts';

/** A real Unleash server with flags that tests can change. */
export interface RealUnleash {
  url: string;
  frontendToken: string;
  /** Creates a flag of the default project that is on if its one constraint matches. */
  make: (name: string, constraint: { contextName: string; values: string[] }) => Promise<void>;
  turn: (name: string, state: 'on' | 'off') => Promise<void>;
  /** The number of evaluations of the flag that Unleash recorded. */
  usage: (name: string) => Promise<{ yes: number; no: number }>;
  stop: () => Promise<void>;
}

/**
 * Finds an installation of unleash-server: in UNLEASH_SERVER_DIR (its own folder, or one with it below node_modules),
 * or beside the packages of this checkout. It is not a dependency because of its AGPL license. Undefined if there is
 * none.
 */
export function findUnleash(): string | undefined {
  const given = process.env.UNLEASH_SERVER_DIR;
  const folders = given === undefined ? [] : [given, join(given, 'node_modules/unleash-server')];
  const found = folders.map((folder) => join(folder, 'dist/server.js')).find(existsSync);
  if (found !== undefined || given !== undefined) return found;
  try {
    const main = createRequire(import.meta.url).resolve('unleash-server');
    return join(main, '../../server.js');
  } catch {
    return undefined;
  }
}

const secret = () => randomBytes(16).toString('hex');

/** Starts Unleash on a new database in the cluster of `superuserUrl`. */
export async function startUnleash(server: string, superuserUrl: string): Promise<RealUnleash> {
  const name = `unleash_${randomBytes(6).toString('hex')}`;
  await onServer(superuserUrl, `create database ${name}`);
  const databaseUrl = new URL(superuserUrl);
  databaseUrl.pathname = `/${name}`;
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const adminToken = `*:*.${secret()}`;
  const frontendToken = `default:development.${secret()}`;
  const child = spawn(process.execPath, [server], {
    env: {
      PATH: process.env.PATH,
      TZ: 'UTC',
      NODE_ENV: 'production',
      HTTP_HOST: '127.0.0.1',
      HTTP_PORT: String(port),
      DATABASE_URL: databaseUrl.href,
      DATABASE_SSL: 'false',
      INIT_ADMIN_API_TOKENS: adminToken,
      INIT_FRONTEND_API_TOKENS: frontendToken,
      CHECK_VERSION: 'false',
      SEND_TELEMETRY: 'false',
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = listen(child);
  await healthy(url, child, output);

  const admin = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${url}/api/admin${path}`, {
      method,
      headers: { authorization: adminToken, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
  const inDevelopment = (flag: string) => `/projects/default/features/${flag}/environments/development`;

  return {
    url,
    frontendToken,
    async make(flag, { contextName, values }) {
      await admin('POST', '/context', { name: contextName, legalValues: [] }).catch(() => undefined);
      await admin('POST', '/projects/default/features', { name: flag, type: 'release' });
      await admin('POST', `${inDevelopment(flag)}/strategies`, {
        name: 'flexibleRollout',
        parameters: { rollout: '100', stickiness: 'default', groupId: flag },
        constraints: [{ contextName, operator: 'IN', values }],
      });
      await admin('POST', `${inDevelopment(flag)}/on`);
    },
    turn: async (flag, state) => void (await admin('POST', `${inDevelopment(flag)}/${state}`)),
    async usage(flag) {
      const { data } = (await admin('GET', `/client-metrics/features/${flag}/raw`)) as {
        data: { yes: number; no: number }[];
      };
      return {
        yes: data.reduce((sum, { yes }) => sum + yes, 0),
        no: data.reduce((sum, { no }) => sum + no, 0),
      };
    },
    async stop() {
      if (child.exitCode === null) {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
      await onServer(superuserUrl, `drop database if exists ${name} with (force)`);
    },
  };
}

function listen({ stdout, stderr }: ChildProcess): () => string {
  let output = '';
  const append = (chunk: Buffer) => {
    output = `${output}${chunk}`.slice(-4_000);
  };
  stdout?.on('data', append);
  stderr?.on('data', append);
  return () => output;
}

async function healthy(url: string, child: ChildProcess, output: () => string): Promise<void> {
  while (child.exitCode === null) {
    const answer = await fetch(`${url}/health`).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  throw new Error(`Unleash did not start:\n${output()}`);
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement);
  await client.end();
}
