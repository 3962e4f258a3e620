import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hostOfUrl } from '#core/destination.ts';
import type { CheckedAddress } from '#core/outbound.ts';
import { gitEnvironment } from '../config.ts';

/** Credentials for a remote over HTTPS. */
export interface GitCredentials {
  user: string;
  token: string;
}

export interface GitIdentity {
  name: string;
  email: string;
}

/** Runs git in the temporary repository and returns its output. Throws GitFailed. */
export type Git = (args: readonly string[], input?: string) => Promise<Buffer>;

/** A git command failed. `output` may contain the response of an internal service: it must not be shown. */
export class GitFailed extends Error {
  override name = 'GitFailed';
  readonly reason: 'timeout' | 'not_installed' | 'too_old' | 'failed';
  readonly output: string;
  constructor(reason: GitFailed['reason'], output = '') {
    super(`git: ${reason}`);
    this.reason = reason;
    this.output = output;
  }
}

// The timeout of one git command; the longest fetches the newest commit.
const TIMEOUT_MS = 120_000;

interface GitOptions {
  credentials: GitCredentials;
  /** The author of commits. */
  identity?: GitIdentity;
}

/**
 * Runs git in a temporary folder, which is deleted afterwards. Commands connect only to the checked address. Throws
 * GitFailed.
 */
export async function withGit<Result>(
  route: CheckedAddress,
  { credentials, identity = { name: 'Sightline', email: 'sightline@localhost' } }: GitOptions,
  work: (git: Git) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-git-'));
  try {
    const version = await run(folder, ['version'], identity, '');
    if (!canPinAddresses(version.toString())) throw new GitFailed('too_old');
    const settings = join(folder, 'settings');
    await writeFile(settings, settingsOf(route, credentials), { mode: 0o600 });
    return await work((args, input = '') => run(folder, ['-c', `include.path=${settings}`, ...args], identity, input));
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
function settingsOf(route: CheckedAddress, { user, token }: GitCredentials): string {
  const { protocol } = new URL(route.href);
  const credentials = Buffer.from(`${user || 'git'}:${token}`).toString('base64');
  return [
    '[http]',
    // Connects only to the checked address, or through the proxy that checks it.
    ...(route.address === undefined ? [] : [`curloptResolve = ${pinOf(new URL(route.href), route.address)}`]),
    `proxy = ${route.proxy ?? ''}`,
    'followRedirects = false',
    'lowSpeedLimit = 1',
    'lowSpeedTime = 30',
    ...(token === '' ? [] : [`extraHeader = Authorization: Basic ${credentials}`]),
    '[protocol]',
    'allow = never',
    '[protocol "https"]',
    'allow = always',
    // The check accepts http only if the operator allows it.
    ...(protocol === 'http:' ? ['[protocol "http"]', 'allow = always'] : []),
    '[core]',
    'hooksPath = /dev/null',
    '[gc]',
    'auto = 0',
    '',
  ].join('\n');
}

const pinOf = (url: URL, address: string): string => {
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return `${hostOfUrl(url)}:${port}:${address.includes(':') ? `[${address}]` : address}`;
};

function run(folder: string, args: readonly string[], { name, email }: GitIdentity, input: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = spawn('git', args, {
      cwd: folder,
      timeout: TIMEOUT_MS,
      killSignal: 'SIGKILL',
      env: {
        ...gitEnvironment(),
        // Otherwise git reads the .netrc of the user.
        HOME: folder,
        GIT_AUTHOR_NAME: name,
        GIT_AUTHOR_EMAIL: email,
        GIT_COMMITTER_NAME: name,
        GIT_COMMITTER_EMAIL: email,
      },
    });
    const out: Buffer[] = [];
    const errors: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    child.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'ENOENT' ? new GitFailed('not_installed') : error),
    );
    child.once('close', (code, signal) => {
      if (code === 0) resolve(Buffer.concat(out));
      else reject(new GitFailed(signal === null ? 'failed' : 'timeout', Buffer.concat(errors).toString('utf8')));
    });
  });
}
