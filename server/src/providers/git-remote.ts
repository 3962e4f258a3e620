import { Invalid, UpstreamFailed } from '#core/errors.ts';
import type { Outbound } from '#core/outbound.ts';
import { type Git, GitFailed, type GitIdentity, initRepository, MIN_GIT_VERSION, withGit } from './git-program.ts';

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
  author: GitIdentity;
}

/**
 * Commits a file on top of a branch and pushes without force; creates the branch if necessary. Returns the ID of the
 * commit that contains the file. Throws `Invalid('url')` and `UpstreamFailed` with our own messages, because the output
 * of git may contain the response of an internal service.
 */
export async function commitFileToRemote(outbound: Outbound, given: GitRemote, file: CommittedFile): Promise<string> {
  // Uses the parsed URL, because git and the URL Standard parse hosts differently.
  const route = await outbound.check('url', given.url);
  const url = route.href;
  const { branch } = given;
  const commitAndPush = async (git: Git): Promise<string> => {
    await initRepository(git);
    const head = await readHead(git, url, branch);
    const tree = await treeWith(git, head, file);
    if (head !== undefined && (await textOf(git(['rev-parse', `${head}^{tree}`]))) === tree) return head;
    const parents = head === undefined ? [] : ['-p', head];
    const commit = await textOf(git(['commit-tree', tree, ...parents], file.message));
    await git(['push', '--quiet', '--no-verify', url, `${commit}:refs/heads/${branch}`]);
    return commit;
  };
  return withGit(route, { credentials: given, identity: file.author }, commitAndPush).catch((error: unknown) => {
    throw error instanceof GitFailed ? failureOf(error) : error;
  });
}

const textOf = async (output: Promise<Buffer>): Promise<string> => (await output).toString('utf8').trim();

async function readHead(git: Git, url: string, branch: string): Promise<string | undefined> {
  const ref = `refs/heads/${branch}`;
  const found = await textOf(git(['ls-remote', '--quiet', url, ref]));
  if (found === '') return undefined;
  await git(['fetch', '--quiet', '--no-tags', '--depth=1', url, ref]);
  return textOf(git(['rev-parse', 'FETCH_HEAD']));
}

async function treeWith(git: Git, head: string | undefined, { path, content }: CommittedFile): Promise<string> {
  if (head !== undefined) await git(['read-tree', head]);
  const blob = await textOf(git(['hash-object', '-w', '--stdin'], content));
  await git(['update-index', '--add', '--cacheinfo', `100644,${blob},${path}`]);
  return textOf(git(['write-tree']));
}

const tooOld = () =>
  UpstreamFailed(
    'The git version on this server is too old for checked addresses, so nothing was sent.',
    `The operator of this server must install git ${MIN_GIT_VERSION.join('.')} or newer.`,
  );

function failureOf({ reason, output: text }: GitFailed): Error {
  if (reason === 'not_installed') return UpstreamFailed('git is not installed on this server.');
  if (reason === 'too_old') return tooOld();
  if (reason === 'timeout') return UpstreamFailed('The repository did not respond within two minutes.');
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
