import { sha256 } from '#core/hmac.ts';
import type { CheckedAddress } from '#core/outbound.ts';
import { HostFailed, HostRefused } from './code-host.ts';
import type { CredentialSource } from './connectable.ts';
import { type Git, type GitCredentials, GitFailed, initRepository, withGit } from './git-program.ts';
import type { HostEvidence } from './host-evidence.ts';
import type { HostRef } from './host-facts.ts';

const notesRef = 'refs/notes/ai';
// Notes of agents list files and lines; longer notes are not read.
const MAX_BYTES = 256 * 1024;

interface NotesRemote {
  /** Checks the address of a repository. Throws the errors of CodeHost. */
  routeTo: (url: string) => Promise<CheckedAddress>;
  /** The URL of the host, without a trailing slash. */
  baseURL: string;
  secret: CredentialSource;
  credentialsOf: (secret: string) => GitCredentials;
}

/**
 * Reads the git notes of agents for HostEvidence over the protocol of git, from a host whose API returns only branches
 * and tags. Throws the errors of CodeHost.
 */
export function createNotesReader(remote: NotesRemote): NonNullable<HostEvidence['notesOf']> {
  return async (ref, shas) => {
    if (shas.length === 0) return new Map();
    const route = await remote.routeTo(`${remote.baseURL}/${pathOf(ref)}.git`);
    const read = (secret: string) => readWith(route, remote.credentialsOf(secret), shas);
    const secret = await remote.secret();
    try {
      return await read(secret);
    } catch (error) {
      if (!(error instanceof HostRefused) || error.status !== 403) throw error;
      const other = await remote.secret(secret);
      if (other === secret) throw error;
      return read(other);
    }
  };
}

type Notes = ReadonlyMap<string, string | null>;

const readWith = async (
  route: CheckedAddress,
  credentials: GitCredentials,
  shas: readonly string[],
): Promise<Notes> => {
  try {
    if (!(await hasNotes(route, credentials))) return new Map();
    return await withGit(route, { credentials }, (git) => readNotes(git, route.href, shas));
  } catch (error) {
    throw error instanceof GitFailed ? failureOf(error) : error;
  }
};

/** Whether repositories have notes, by address and credential. An import reads many changes of a repository in a second. */
const known = new Map<string, { until: number; hasNotes: Promise<boolean> }>();
const KNOWN_FOR_MS = 5_000;
const MAX_KNOWN = 1_000;

function hasNotes(route: CheckedAddress, credentials: GitCredentials): Promise<boolean> {
  const key = sha256(JSON.stringify([route.href, credentials])).toString('hex');
  const found = known.get(key);
  if (found && found.until > Date.now()) return found.hasNotes;
  const list = (git: Git) => git(['ls-remote', '--quiet', route.href, notesRef]);
  const asked = withGit(route, { credentials }, list).then((output) => output.length > 0);
  const [oldest] = known.keys();
  if (known.size >= MAX_KNOWN && oldest !== undefined) known.delete(oldest);
  known.delete(key);
  known.set(key, { until: Date.now() + KNOWN_FOR_MS, hasNotes: asked });
  asked.catch(() => known.delete(key));
  return asked;
}

const pathOf = ({ owner, name }: HostRef): string =>
  `${owner}/${name}`
    .split('/')
    .map((segment) => encodeURIComponent(segment))
    .join('/');

async function readNotes(git: Git, url: string, shas: readonly string[]): Promise<Notes> {
  const notes = new Map<string, string | null>();
  await initRepository(git);
  await git(['fetch', '--quiet', '--no-tags', '--depth=1', url, notesRef]);
  const requested = new Set(shas);
  const tree = (await git(['ls-tree', '-r', '-l', '-z', 'FETCH_HEAD'])).toString('utf8');
  for (const entry of tree.split('\0')) {
    const [, blob = '', size = '', path = ''] = /^\d+ blob ([0-9a-f]+) +(\d+)\t(.*)$/s.exec(entry) ?? [];
    // With many notes, git splits the commit ID into folders.
    const commit = path.replaceAll('/', '');
    if (!requested.has(commit)) continue;
    notes.set(commit, Number(size) > MAX_BYTES ? null : (await git(['cat-file', 'blob', blob])).toString('utf8'));
  }
  return notes;
}

function failureOf({ reason, output }: GitFailed): Error {
  if (/Authentication failed|could not read (Username|Password)|error: 40[13]/.test(output)) {
    return new HostRefused(403, 'The credential may not read the repository with git.');
  }
  if (/error: 404|not found/i.test(output)) return new HostRefused(404, 'The repository was not found.');
  if (reason === 'not_installed' || reason === 'too_old') {
    return new HostRefused(501, 'This server has no git that can read notes.');
  }
  return new HostFailed('The repository could not be read with git.');
}
