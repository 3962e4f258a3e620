import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hostOfUrl } from '#core/destination.ts';
import { Invalid, UpstreamFailed } from '#core/errors.ts';
import type { CheckedAddress, Outbound } from '#core/outbound.ts';
import { gitEnvironment } from '../config.ts';

/** A branch of a remote repository over HTTPS. */
export interface GitRemote {
  url: string;
  branch: string;
  user: string;
  token: string;
}

export interface CommittedFile {
  /** Relative to the root of the repository. */
  path: string;
  content: string;
  /** The commit message. */
  message: string;
  author: { name: string; email: string };
}

// The timeout of one git command; the longest fetches the newest commit.
const TIMEOUT_MS = 120_000;

/**
 * Commits a file on top of a branch and pushes without force; creates the branch if necessary. Returns the ID of the
 * commit that contains the file. Throws `Invalid('url')` and `UpstreamFailed` with our own messages, because the output
 * of git may contain the response of an internal service.
 */
export async function commitFileToRemote(outbound: Outbound, given: GitRemote, file: CommittedFile): Promise<string> {
  // Uses the parsed URL, because git and the URL Standard parse hosts differently.
  const route = await outbound.check('url', given.url);
  const remote = { ...given, url: route.href };
  const folder = await mkdtemp(join(tmpdir(), 'sightline-git-'));
  try {
    if (!canPinAddresses(await run(folder, ['version'], file, ''))) throw tooOld();
    await writeFile(join(folder, 'settings'), settingsOf(remote, route), { mode: 0o600 });
    const git = (args: readonly string[], input = '') =>
      run(folder, ['-c', `include.path=${join(folder, 'settings')}`, ...args], file, input);
    await git(['init', '--quiet', '--template=', '.']);
    const head = await readHead(git, remote);
    const tree = await treeWith(git, head, file);
    if (head !== undefined && (await git(['rev-parse', `${head}^{tree}`])) === tree) return head;
    const commit = await git(['commit-tree', tree, ...(head === undefined ? [] : ['-p', head])], file.message);
    await git(['push', '--quiet', '--no-verify', remote.url, `${commit}:refs/heads/${remote.branch}`]);
    return commit;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

// The first version with http.curloptResolve. Older ones ignore it and resolve the host again.
const MIN_GIT_VERSION = [2, 37] as const;

/** Whether git connects only to the checked address. `version`: the output of `git version`. */
export function canPinAddresses(version: string): boolean {
  const [, major = 0, minor = 0] = /^git version (\d+)\.(\d+)/.exec(version)?.map(Number) ?? [];
  return major > MIN_GIT_VERSION[0] || (major === MIN_GIT_VERSION[0] && minor >= MIN_GIT_VERSION[1]);
}

const tooOld = () =>
  UpstreamFailed(
    'The git version on this server is too old for checked addresses, so nothing was sent.',
    `The operator of this server must install git ${MIN_GIT_VERSION.join('.')} or newer.`,
  );

type Git = (args: readonly string[], input?: string) => Promise<string>;

/** Settings for a file that only this user can read, because other users can see command lines. */
function settingsOf({ url, user, token }: GitRemote, route: CheckedAddress): string {
  const { protocol } = new URL(url);
  const credentials = Buffer.from(`${user || 'git'}:${token}`).toString('base64');
  return [
    '[http]',
    // Connects only to the checked address, or through the proxy that checks it.
    ...(route.address === undefined ? [] : [`curloptResolve = ${pinOf(new URL(url), route.address)}`]),
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

async function readHead(git: Git, { url, branch }: GitRemote): Promise<string | undefined> {
  const ref = `refs/heads/${branch}`;
  const found = await git(['ls-remote', '--quiet', url, ref]);
  if (found === '') return undefined;
  await git(['fetch', '--quiet', '--no-tags', '--depth=1', url, ref]);
  return git(['rev-parse', 'FETCH_HEAD']);
}

async function treeWith(git: Git, head: string | undefined, { path, content }: CommittedFile): Promise<string> {
  if (head !== undefined) await git(['read-tree', head]);
  const blob = await git(['hash-object', '-w', '--stdin'], content);
  await git(['update-index', '--add', '--cacheinfo', `100644,${blob},${path}`]);
  return git(['write-tree']);
}

function run(folder: string, args: readonly string[], { author }: CommittedFile, input: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn('git', args, {
      cwd: folder,
      timeout: TIMEOUT_MS,
      killSignal: 'SIGKILL',
      env: {
        ...gitEnvironment(),
        // Otherwise git reads the .netrc of the user.
        HOME: folder,
        GIT_AUTHOR_NAME: author.name,
        GIT_AUTHOR_EMAIL: author.email,
        GIT_COMMITTER_NAME: author.name,
        GIT_COMMITTER_EMAIL: author.email,
      },
    });
    const out: Buffer[] = [];
    const errors: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    child.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'ENOENT' ? UpstreamFailed('git is not installed on this server.') : error),
    );
    child.once('close', (code, signal) => {
      if (code === 0) resolve(Buffer.concat(out).toString('utf8').trim());
      else reject(failureOf(Buffer.concat(errors).toString('utf8'), signal !== null));
    });
  });
}

function failureOf(text: string, timedOut: boolean): Error {
  if (timedOut) return UpstreamFailed('The repository did not respond within two minutes.');
  if (/Authentication failed|could not read (Username|Password)|error: 40[13]/.test(text)) {
    return UpstreamFailed('The repository rejects the token. Grant it write access.');
  }
  if (/error: 404|not found/i.test(text)) return Invalid('url', 'is not a repository that this token can access');
  return UpstreamFailed(
    'The repository rejected the commit.',
    reasons.find(([regex]) => regex.test(text))?.[1] ?? 'Check the URL, the branch and the permissions of the token.',
  );
}

const reasons: readonly (readonly [RegExp, string])[] = [
  [
    /could not resolve host|failed to connect|could not connect|connection (refused|reset|timed out)/i,
    'It is not available.',
  ],
  [/certificate|SSL|TLS/, 'Its certificate is not trusted, or it does not speak TLS.'],
  [/redirect/i, 'It redirects. Redirects are not followed.'],
  [
    /\[remote rejected\]|hook declined|protected branch/i,
    'It rejects pushes to this branch. Check its branch protection.',
  ],
  [/\[rejected\]|non-fast-forward|fetch first/i, 'Another commit reached the branch at the same time.'],
];
