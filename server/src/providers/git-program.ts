import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hostOfUrl } from '#core/destination.ts';
import type { CheckedAddress } from '#core/outbound.ts';
import { gitEnvironment } from '../config.ts';

/** Credentials for a remote over HTTPS. */
export interface GitCredentials {
  user: string;
  token: string;
  /** Basic authentication by default. */
  scheme?: 'bearer';
}

export interface GitIdentity {
  name: string;
  email: string;
}

/** Runs git in the repository and returns its output. Throws GitFailed. */
export type Git = (args: readonly string[], input?: string) => Promise<Buffer>;

/** A git command failed. `output` may contain the response of an internal service: it must not be shown. */
export class GitFailed extends Error {
  override name = 'GitFailed';
  readonly reason: 'timeout' | 'too_large' | 'not_installed' | 'too_old' | 'failed';
  readonly output: string;
  constructor(reason: GitFailed['reason'], output = '') {
    super(`git: ${reason}`);
    this.reason = reason;
    this.output = output;
  }
}

/** Limits of one command. Above them, its processes are killed. */
export interface GitLimits {
  /** The longest command fetches the newest commit. */
  timeoutMs: number;
  maxOutputBytes: number;
  /** Of the folder of the repository. Checked while the command runs and at its end. */
  maxRepositoryBytes: number;
}

const defaultLimits: GitLimits = {
  timeoutMs: 120_000,
  maxOutputBytes: 256 * 1024 * 1024,
  maxRepositoryBytes: Number.POSITIVE_INFINITY,
};
const SIZE_CHECK_MS = 100;

interface GitOptions {
  credentials: GitCredentials;
  /** The author of commits. */
  identity?: GitIdentity;
  /** The folder of the repository; by default a temporary one, which is deleted afterwards. */
  repository?: string;
  limits?: Partial<GitLimits>;
}

/**
 * Runs git in a folder. The credentials are only in a temporary file, which is deleted afterwards. Commands connect
 * only to the checked address. Throws GitFailed.
 */
export async function withGit<Result>(
  route: CheckedAddress,
  { credentials, identity = { name: 'Sightline', email: 'sightline@localhost' }, repository, limits }: GitOptions,
  work: (git: Git) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-git-'));
  try {
    const place = { home: folder, folder: repository ?? folder, identity, limits: { ...defaultLimits, ...limits } };
    const version = await run(place, ['version'], '');
    if (!canPinAddresses(version.toString())) throw new GitFailed('too_old');
    const settings = join(folder, 'settings');
    await writeFile(settings, settingsOf(route, credentials), { mode: 0o600 });
    return await work((args, input = '') => run(place, ['-c', `include.path=${settings}`, ...args], input));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Makes the folder an empty repository. */
export const initRepository = (git: Git): Promise<Buffer> => git(['init', '--quiet', '--template=', '.']);

// The first version with http.curloptResolve. Older ones ignore it and resolve the host again.
export const MIN_GIT_VERSION = [2, 37] as const;

/** Whether git connects only to the checked address. `version`: the output of `git version`. */
export function canPinAddresses(version: string): boolean {
  const [, major = 0, minor = 0] = /^git version (\d+)\.(\d+)/.exec(version)?.map(Number) ?? [];
  return major > MIN_GIT_VERSION[0] || (major === MIN_GIT_VERSION[0] && minor >= MIN_GIT_VERSION[1]);
}

/** Settings for a file that only this user can read, because other users can see command lines. */
function settingsOf(route: CheckedAddress, { user, token, scheme }: GitCredentials): string {
  const { protocol } = new URL(route.href);
  // Other characters could end the line, or the value.
  if (scheme === 'bearer' && !/^[A-Za-z0-9._~+/=-]*$/.test(token)) throw new GitFailed('failed');
  const basic = `Basic ${Buffer.from(`${user || 'git'}:${token}`).toString('base64')}`;
  return [
    '[http]',
    // Connects only to the checked address, or through the proxy that checks it.
    ...(route.address === undefined ? [] : [`curloptResolve = ${pinOf(new URL(route.href), route.address)}`]),
    `proxy = ${route.proxy ?? ''}`,
    'followRedirects = false',
    'lowSpeedLimit = 1',
    'lowSpeedTime = 30',
    ...(token === '' ? [] : [`extraHeader = Authorization: ${scheme === 'bearer' ? `Bearer ${token}` : basic}`]),
    '[protocol]',
    'allow = never',
    '[protocol "https"]',
    'allow = always',
    // The check accepts http only if the operator allows it.
    ...(protocol === 'http:' ? ['[protocol "http"]', 'allow = always'] : []),
    '[core]',
    'hooksPath = /dev/null',
    // Larger files are not held in memory.
    'bigFileThreshold = 1m',
    '[gc]',
    'auto = 0',
    '',
  ].join('\n');
}

const pinOf = (url: URL, address: string): string => {
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return `${hostOfUrl(url)}:${port}:${address.includes(':') ? `[${address}]` : address}`;
};

interface GitEnvironment {
  /** Contains no files of the user. Otherwise git reads the .netrc of the user. */
  home: string;
  /** The folder of the repository. */
  folder: string;
  identity: GitIdentity;
  limits: GitLimits;
}

function run(place: GitEnvironment, args: readonly string[], input: string): Promise<Buffer> {
  const { folder, limits } = place;
  return new Promise((resolve, reject) => {
    const child = start(place, args);
    const out: Buffer[] = [];
    const errors: Buffer[] = [];
    let exceeded: 'timeout' | 'too_large' | undefined;
    const stop = (reason: typeof exceeded) => {
      exceeded ??= reason;
      killAll(child);
    };
    const collect = (into: Buffer[]) => {
      let size = 0;
      return (chunk: Buffer) => {
        size += chunk.length;
        if (size > limits.maxOutputBytes) stop('too_large');
        else into.push(chunk);
      };
    };
    const timer = setTimeout(() => stop('timeout'), limits.timeoutMs);
    const isTooLarge = async () =>
      Number.isFinite(limits.maxRepositoryBytes) && (await sizeOf(folder)) > limits.maxRepositoryBytes;
    const stopAboveSize = async () => {
      if ((await isTooLarge()) && !hasEnded) stop('too_large');
    };
    const check = setInterval(() => void stopAboveSize(), SIZE_CHECK_MS);
    let hasEnded = false;
    const end = () => {
      hasEnded = true;
      clearTimeout(timer);
      clearInterval(check);
    };
    child.stdout.on('data', collect(out));
    child.stderr.on('data', collect(errors));
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    child.once('error', (error: NodeJS.ErrnoException) => {
      end();
      reject(error.code === 'ENOENT' ? new GitFailed('not_installed') : error);
    });
    child.once('close', async (code) => {
      end();
      if (await isTooLarge()) exceeded ??= 'too_large';
      if (code === 0 && exceeded === undefined) resolve(Buffer.concat(out));
      else reject(new GitFailed(exceeded ?? 'failed', Buffer.concat(errors).toString('utf8')));
    });
  });
}

const isWindows = process.platform === 'win32';

const start = ({ home, folder, identity: { name, email } }: GitEnvironment, args: readonly string[]) =>
  spawn('git', args, {
    cwd: folder,
    // A group of its own, because git downloads with further processes.
    detached: !isWindows,
    windowsHide: true,
    env: {
      ...gitEnvironment(),
      HOME: home,
      GIT_AUTHOR_NAME: name,
      GIT_AUTHOR_EMAIL: email,
      GIT_COMMITTER_NAME: name,
      GIT_COMMITTER_EMAIL: email,
    },
  });

function killAll(child: ChildProcess): void {
  if (isWindows || child.pid === undefined) return void child.kill('SIGKILL');
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch (error) {
    // All of them ended meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** The size of the files in a folder in bytes. Files that are deleted meanwhile count nothing. */
async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const sizes = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) =>
      stat(join(parentPath, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
