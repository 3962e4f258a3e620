import { execFile } from 'node:child_process';
import { access, constants, statfs } from 'node:fs/promises';
import { promisify } from 'node:util';
import { flagNames } from '@sightline/contract/core/flags.ts';
import { openMasterKeys } from '#core/master-keys.ts';
import { createOutbound } from '#core/outbound.ts';
import { loadRedis } from '#core/redis.ts';
import { createSecrets } from '#core/secrets.ts';
import { createClickHouse } from '#providers/clickhouse.ts';
import { canPinAddresses } from '#providers/git-program.ts';
import { createGithubApps } from '#providers/github/apps.ts';
import { createGithub, type Github } from '#providers/github/github.ts';
import { verifySmtp } from '#providers/mail.ts';
import { requestUnleashFlags } from '#providers/unleash.ts';
import { type Config, gitEnvironment, ignoredVariables } from '../../config.ts';
import { GITLAB_COM_URL } from '../../config-gitlab.ts';
import { withDatabasePool } from '../command-resources.ts';
import { type DoctorCheck, failedCheck, passedCheck, warningCheck } from './check.ts';

const loopback = ['localhost', '127.0.0.1', '[::1]'];

export function checkPublicUrl({ PUBLIC_URL, PORT, production }: Config): DoctorCheck {
  const name = 'PUBLIC_URL';
  const { protocol, hostname, pathname, search, port } = new URL(PUBLIC_URL);
  const local = loopback.includes(hostname);
  if (pathname !== '/' || search !== '') {
    return failedCheck(
      name,
      `${PUBLIC_URL} contains more than a host and port`,
      'Sightline must be at the root of its host.',
    );
  }
  if (production && local) {
    return warningCheck(
      name,
      `${PUBLIC_URL} is reachable only from this machine`,
      'Set it to the address that people use. Otherwise links in emails do not work.',
    );
  }
  if (protocol === 'http:' && !local) {
    return warningCheck(name, `${PUBLIC_URL} is not encrypted`, 'Use a reverse proxy with TLS and its https address.');
  }
  if (local && !production && port !== '' && Number(port) !== PORT) {
    return warningCheck(
      name,
      `${PUBLIC_URL} and PORT ${PORT} differ`,
      'Omit PUBLIC_URL, or use the same port in both.',
    );
  }
  return passedCheck(name, PUBLIC_URL);
}

export async function checkMail({ SMTP_URL, production }: Config): Promise<DoctorCheck> {
  const name = 'mail';
  if (SMTP_URL === undefined) {
    return production
      ? failedCheck(name, 'no mail server configured: new users cannot confirm their address', 'Set SMTP_URL.')
      : passedCheck(name, 'stored locally and shown at /outbox');
  }
  const { host } = new URL(SMTP_URL);
  try {
    await verifySmtp(SMTP_URL);
    return passedCheck(name, `${host} accepts email`);
  } catch (error) {
    return failedCheck(
      name,
      `${host}: ${(error as Error).message}`,
      'Check SMTP_URL and the network connection to it.',
    );
  }
}

/**
 * Checks the GitHub app with the cheapest request that needs its key. Uses the app of the environment, or the one
 * created in the browser, which is stored encrypted, if `ownerUrl` is given.
 */
export async function checkGithub(config: Config, ownerUrl?: string): Promise<DoctorCheck> {
  const name = 'GitHub';
  const app = config.github ? createGithub(config.github) : ownerUrl && (await findKeptApp(config, ownerUrl));
  if (!app) {
    return config.sandbox
      ? passedCheck(name, 'the sandbox is used instead')
      : warningCheck(
          name,
          'no app configured: no repository can be connected',
          'Set the GITHUB_APP_… variables, or run: npm run sightline -- github-app',
        );
  }
  const message = `app ${app.config.slug} at ${app.config.url}`;
  try {
    await app.listFailedDeliveries(new Date()).next();
    return passedCheck(name, message);
  } catch (error) {
    const advice = config.github
      ? 'Check the GITHUB_… variables, and that it is reachable.'
      : 'Check that the app exists and that GitHub is reachable.';
    return failedCheck(name, `${message}: ${(error as Error).message}`, advice);
  }
}

async function findKeptApp(config: Config, ownerUrl: string): Promise<Github | undefined> {
  const secrets = createSecrets(await openMasterKeys(config));
  return withDatabasePool(ownerUrl, (database) =>
    createGithubApps(undefined, config.githubUrls, database, secrets).find(),
  );
}

export function checkOutbound({ gitlab }: Config): DoctorCheck {
  const name = 'destinations';
  const [ignored] = ignoredVariables();
  if (ignored) {
    return warningCheck(
      name,
      `${ignored.name} is set but no longer used, because it would apply to every organization`,
      `Remove it, and allow destinations per organization: ${ignored.instead}`,
    );
  }
  return gitlab.url === GITLAB_COM_URL
    ? passedCheck(name, 'public addresses and those of outbound list')
    : passedCheck(name, `public addresses and those of outbound list; ${gitlab.url} only if listed there`);
}

const run = promisify(execFile);

/** Checks git, which publishes checkpoints of the ledger in repositories. */
export async function checkGit(): Promise<DoctorCheck> {
  const name = 'git';
  const advice = 'Git anchors of the ledger require git 2.37 or newer. Install it.';
  try {
    const { stdout } = await run('git', ['version'], { env: gitEnvironment() });
    return canPinAddresses(stdout)
      ? passedCheck(name, stdout.trim())
      : warningCheck(name, `${stdout.trim()} is too old`, advice);
  } catch {
    return warningCheck(name, 'is not installed', advice);
  }
}

/**
 * Requests flags without a user: some enabled flags may be missing, but none at all means that Unleash has no flag of
 * Sightline.
 */
export async function checkFlags({ unleash }: Config): Promise<DoctorCheck> {
  const name = 'feature flags';
  if (!unleash) return passedCheck(name, 'from the own table');
  try {
    const answer = await requestUnleashFlags(unleash);
    const on = answer?.toggles.length ?? 0;
    const message = `Unleash at ${unleash.url} answers, ${on} of ${flagNames.length} on`;
    return on > 0
      ? passedCheck(name, message)
      : warningCheck(name, message, 'Unknown flags are off. Create the flags of docs/operations/accounts.md there.');
  } catch (error) {
    return failedCheck(
      name,
      (error as Error).message,
      'Until it responds, its last response or the local table decides.',
    );
  }
}

export async function checkClickHouse({ CLICKHOUSE_URL }: Config): Promise<DoctorCheck> {
  const name = 'ClickHouse';
  if (CLICKHOUSE_URL === undefined) return passedCheck(name, 'none: partial words are not found');
  try {
    const [row] = await createClickHouse(CLICKHOUSE_URL).read<[string]>('select version()', {});
    return passedCheck(name, `version ${row?.[0]} at ${new URL(CLICKHOUSE_URL).origin}`);
  } catch (error) {
    return warningCheck(
      name,
      (error as Error).message,
      'Until it responds, partial words are not found and large histograms are truncated.',
    );
  }
}

export async function checkRedis({ REDIS_URL }: Config): Promise<DoctorCheck> {
  const name = 'Redis';
  if (REDIS_URL === undefined) return passedCheck(name, 'none: notifications between processes use PostgreSQL');
  const { host } = new URL(REDIS_URL);
  const createClient = await loadRedis(REDIS_URL);
  const client = createClient({ socket: { reconnectStrategy: false, connectTimeout: 5_000 } });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.ping();
    return passedCheck(name, `answers at ${host}`);
  } catch (error) {
    const problem = (error as Error).message || (error as NodeJS.ErrnoException).code;
    return failedCheck(
      name,
      `${host}: ${problem}`,
      'Until it responds, pages receive updates only from their own process.',
    );
  } finally {
    if (client.isOpen) client.destroy();
  }
}

const gigabyte = 1024 ** 3;

export async function checkSpace({ dataDir }: Config): Promise<DoctorCheck> {
  const name = 'disk space';
  const there = await access(dataDir, constants.W_OK).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw new Error(`${dataDir} cannot be written to`);
    },
  );
  if (!there) return warningCheck(name, `${dataDir} does not exist`, 'The first start creates it: npm start');
  const { bavail, bsize } = await statfs(dataDir);
  const free = (bavail * bsize) / gigabyte;
  const message = `${free.toFixed(1)} GB free for ${dataDir}`;
  const advice = 'PostgreSQL stops when the disk is full. Free disk space.';
  if (free < 0.5) return failedCheck(name, message, advice);
  return free < 5 ? warningCheck(name, message, advice) : passedCheck(name, message);
}

export async function checkServer({ PORT, METRICS_PORT, listenHost, ROLE }: Config): Promise<DoctorCheck> {
  const port = ROLE === 'worker' ? METRICS_PORT : PORT;
  if (port === undefined) return passedCheck('server', 'a worker without METRICS_PORT answers no requests');
  const url = `http://${hostOf(listenHost)}:${port}/api/health/ready`;
  const status = await statusOf(url);
  if (status === undefined)
    return warningCheck('server', `no response at ${url}`, 'Start it: npm start, or its service.');
  return status === 200
    ? passedCheck('server', `ready at ${url}`)
    : failedCheck('server', `${status} from ${url}`, 'See its log.');
}

export async function checkSandbox(config: Config): Promise<DoctorCheck> {
  if (!config.sandbox) return passedCheck('sandbox', 'off');
  const url = `http://127.0.0.1:${config.PORT + 1}/_sandbox/repositories`;
  const status = await statusOf(url);
  if (status === 200) return passedCheck('sandbox', `answers at ${url}`);
  return (await checkServer(config)).state === 'ok'
    ? failedCheck('sandbox', `no response at ${url}`, 'Restart the server. It starts the sandbox.')
    : warningCheck('sandbox', 'not running, because the server is not running', 'The server starts it: npm start');
}

const hostOf = (host: string) =>
  host === '::' || host === '0.0.0.0' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;

/** Returns the HTTP status of a local address, or undefined without a response. */
const statusOf = (url: string): Promise<number | undefined> =>
  createOutbound([new URL(url).hostname.replace(/^\[|\]$/g, '')])
    .fetch('url', url)
    .then(
      ({ status }) => status,
      () => undefined,
    );
