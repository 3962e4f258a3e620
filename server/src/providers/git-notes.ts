import { sha256 } from '#core/hmac.ts';
import type { CheckedAddress } from '#core/outbound.ts';
import { HostFailed, HostRefused } from './code-host.ts';
import type { CredentialSource } from './connectable.ts';
import { type Git, type GitCredentials, GitFailed, type GitLimits, initRepository, withGit } from './git-program.ts';
import type { HostEvidence } from './host-evidence.ts';
import type { HostRef } from './host-facts.ts';
import { type KeptRepository, withKeptRepository } from './kept-repositories.ts';

const notesRef = 'refs/notes/ai';
// Notes of agents list files and lines; longer notes are not read.
const MAX_BYTES = 256 * 1024;
const fetchLimits = { maxRepositoryBytes: 128 * 1024 * 1024 };
const REFUSED_FOR_MS = 10 * 60_000;

interface NotesRemote {
  /** Checks the address of a repository. Throws the errors of CodeHost. */
  routeTo: (url: string) => Promise<CheckedAddress>;
  /** The URL of the host, without a trailing slash. */
  baseURL: string;
  /** The path of a repository below it; by default `owner/name.git`. */
  pathOf?: (ref: HostRef) => string;
  secret: CredentialSource;
  credentialsOf: (secret: string) => GitCredentials;
  /** By default two minutes and 128 MiB for the notes of a repository. */
  limits?: Partial<GitLimits>;
}

/**
 * Reads the git notes of agents for HostEvidence over the protocol of git, from a host whose API returns only branches
 * and tags. Throws the errors of CodeHost.
 */
export function createNotesReader(remote: NotesRemote): NonNullable<HostEvidence['notesOf']> {
  return async (ref, shas) => {
    if (shas.length === 0) return new Map();
    const route = await remote.routeTo(`${remote.baseURL}/${(remote.pathOf ?? pathOf)(ref)}`);
    const read = (secret: string) => readWith(route, remote.credentialsOf(secret), { shas, limits: remote.limits });
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
  { shas, limits }: { shas: readonly string[]; limits: Partial<GitLimits> | undefined },
): Promise<Notes> => {
  try {
    const commit = await findNotes(route, credentials);
    if (commit === undefined) return new Map();
    // The credential may read them, since the host returned their commit.
    return await withKeptRepository(route.href, (kept) =>
      withGit(route, { credentials, repository: kept.folder, limits: { ...fetchLimits, ...limits } }, async (git) => {
        if (kept.commit !== commit) await fetchNotes(git, { kept, url: route.href, commit });
        return readNotes(git, shas);
      }),
    );
  } catch (error) {
    throw error instanceof GitFailed ? failureOf(error) : error;
  }
};

/** The commits of notes by address and credential. An import reads many changes of a repository in a second. */
const known = new Map<string, { until: number; commit: Promise<string | undefined> }>();
const KNOWN_FOR_MS = 5_000;
const MAX_KNOWN = 1_000;

/** The commit of the notes; undefined without notes. */
function findNotes(route: CheckedAddress, credentials: GitCredentials): Promise<string | undefined> {
  const key = sha256(JSON.stringify([route.href, credentials])).toString('hex');
  const found = known.get(key);
  if (found && found.until > Date.now()) return found.commit;
  const commit = withGit(route, { credentials, limits: { maxOutputBytes: 64 * 1024 } }, async (git) => {
    const refs = (await git(['ls-remote', '--quiet', route.href, notesRef])).toString('utf8').split('\n');
    return refs.map((line) => line.split('\t')).find(([, name]) => name === notesRef)?.[0];
  });
  const [oldest] = known.keys();
  if (known.size >= MAX_KNOWN && oldest !== undefined) known.delete(oldest);
  known.delete(key);
  known.set(key, { until: Date.now() + KNOWN_FOR_MS, commit });
  commit.catch(() => known.delete(key));
  return commit;
}

interface NotesFetch {
  kept: KeptRepository;
  url: string;
  /** The commit of the notes on the host. */
  commit: string;
}

/**
 * Fetches what changed since the previous fetch. Notes above the limits are not fetched again before they change or
 * ten minutes have passed.
 */
async function fetchNotes(git: Git, { kept, url, commit }: NotesFetch): Promise<void> {
  const { refused } = kept;
  if (refused?.commit === commit && refused.until > Date.now()) throw refused.error;
  const hadNotes = kept.commit !== undefined;
  try {
    await initRepository(git);
    // In one file, whose size can be checked.
    const keepPack = ['-c', 'fetch.unpackLimit=1'];
    await git([...keepPack, 'fetch', '--quiet', '--no-tags', '--depth=1', url, `+${notesRef}:${notesRef}`]);
    kept.commit = (await git(['rev-parse', notesRef])).toString('utf8').trim();
    kept.refused = undefined;
  } catch (error) {
    await kept.clear();
    if (!(error instanceof GitFailed) || !/^(too_large|timeout)$/.test(error.reason)) throw error;
    // Previous versions of the notes remain in the repository.
    if (hadNotes && error.reason === 'too_large') return fetchNotes(git, { kept, url, commit });
    kept.refused = { commit, error, until: Date.now() + REFUSED_FOR_MS };
    throw error;
  }
}

const pathOf = ({ owner, name }: HostRef): string =>
  `${owner}/${name}.git`
    .split('/')
    .map((segment) => encodeURIComponent(segment))
    .join('/');

async function readNotes(git: Git, shas: readonly string[]): Promise<Notes> {
  const names = shas.filter((sha) => /^[0-9a-f]{40,64}$/.test(sha)).flatMap((sha) => pathsOf(sha));
  const checked = await git(['cat-file', '--batch-check'], names.map(([, path]) => `${notesRef}:${path}\n`).join(''));
  const notes = new Map<string, string | null>();
  const blobs = new Map<string, string>();
  for (const [index, line] of checked.toString('utf8').split('\n').entries()) {
    const [sha = ''] = names[index] ?? [];
    const [, blob, size] = /^([0-9a-f]+) blob (\d+)$/.exec(line) ?? [];
    if (blob === undefined) continue;
    if (Number(size) > MAX_BYTES) notes.set(sha, null);
    else blobs.set(sha, blob);
  }
  for (const [sha, text] of await readBlobs(git, blobs)) notes.set(sha, text);
  return notes;
}

/** With many notes, git splits the commit ID into folders of two characters, more levels with more notes. */
const pathsOf = (sha: string): [sha: string, path: string][] =>
  [0, 1, 2, 3].map((levels) => {
    const folders = Array.from({ length: levels }, (_, level) => `${sha.slice(2 * level, 2 * level + 2)}/`);
    return [sha, `${folders.join('')}${sha.slice(2 * levels)}`];
  });

async function readBlobs(git: Git, blobs: ReadonlyMap<string, string>): Promise<Map<string, string>> {
  if (blobs.size === 0) return new Map();
  const output = await git(['cat-file', '--batch'], [...blobs.values()].map((blob) => `${blob}\n`).join(''));
  const texts = new Map<string, string>();
  let at = 0;
  for (const sha of blobs.keys()) {
    const end = output.indexOf('\n', at);
    const size = Number(output.subarray(at, end).toString('utf8').split(' ')[2]);
    texts.set(sha, output.subarray(end + 1, end + 1 + size).toString('utf8'));
    at = end + 1 + size + 1;
  }
  return texts;
}

function failureOf({ reason, output }: GitFailed): Error {
  if (/Authentication failed|could not read (Username|Password)|error: 40[13]/.test(output)) {
    return new HostRefused(403, 'The credential may not read the repository with git.');
  }
  if (/error: 404|not found/i.test(output)) return new HostRefused(404, 'The repository was not found.');
  if (reason === 'too_large') return new HostRefused(413, 'The notes of the repository are too large.');
  if (reason === 'not_installed' || reason === 'too_old') {
    return new HostRefused(501, 'This server has no git that can read notes.');
  }
  return new HostFailed('The repository could not be read with git.');
}
