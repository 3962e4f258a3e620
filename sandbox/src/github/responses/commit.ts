import type { FileChange } from '../../git/changes.ts';
import { type Commit, parentsOf, type Signature } from '../../git/log.ts';
import { fullName, type Host } from '../host.ts';
import type { HostedRepository } from '../hosted-repository.ts';
import { nodeId, personJson, timeText } from './account.ts';

/** A commit of the REST API, without its stats and files. Used by the routes of commits, comparisons and pull requests. */
export const commitJson = (host: Host, repository: HostedRepository, commit: Commit) => {
  const [apiUrl, webUrl] = [`${host.api}/repos/${fullName(repository)}`, `${host.url}/${fullName(repository)}`];
  return {
    sha: commit.sha,
    node_id: nodeId('Commit', `${repository.id}:${commit.sha}`),
    commit: {
      author: signatureJson(commit.author),
      committer: signatureJson(commit.committer),
      message: commit.message,
      tree: { sha: commit.tree, url: `${apiUrl}/git/trees/${commit.tree}` },
      url: `${apiUrl}/git/commits/${commit.sha}`,
      comment_count: 0,
      verification: verificationJson(commit, repository.git.planted.signatures.get(commit.sha)),
    },
    url: `${apiUrl}/commits/${commit.sha}`,
    html_url: `${webUrl}/commit/${commit.sha}`,
    comments_url: `${apiUrl}/commits/${commit.sha}/comments`,
    author: personJson(host, commit.author),
    committer: personJson(host, commit.committer),
    parents: parentsOf(commit).map((sha) => ({
      sha,
      url: `${apiUrl}/commits/${sha}`,
      html_url: `${webUrl}/commit/${sha}`,
    })),
  };
};

/** A changed file, without the patch as GitHub omits it for a large diff. */
export const fileJson = (host: Host, repository: HostedRepository, sha: string, file: FileChange) => {
  const [apiUrl, webUrl] = [`${host.api}/repos/${fullName(repository)}`, `${host.url}/${fullName(repository)}`];
  const path = file.path.split('/').map(encodeURIComponent).join('/');
  return {
    sha: file.blob,
    filename: file.path,
    status: file.status,
    additions: file.additions,
    deletions: file.deletions,
    changes: file.additions + file.deletions,
    blob_url: `${webUrl}/blob/${sha}/${path}`,
    raw_url: `${webUrl}/raw/${sha}/${path}`,
    contents_url: `${apiUrl}/contents/${path}?ref=${sha}`,
    ...(file.previousPath === undefined ? {} : { previous_filename: file.previousPath }),
  };
};

export const statsJson = (files: FileChange[]) => {
  const { additions, deletions } = countLines(files);
  return { total: additions + deletions, additions, deletions };
};

export const countLines = (files: FileChange[]): { additions: number; deletions: number } => ({
  additions: files.reduce((sum, file) => sum + file.additions, 0),
  deletions: files.reduce((sum, file) => sum + file.deletions, 0),
});

// GitHub signs the commits of its web interface.
// A signature that no key of the committer verifies is shown too.
const verificationJson = ({ committer, message }: Commit, signature: string | undefined) =>
  signature !== undefined
    ? { verified: false, reason: 'unknown_key', signature, payload: message, verified_at: null }
    : committer.email === 'noreply@github.com'
      ? { verified: true, reason: 'valid', signature: 'web-flow', payload: null, verified_at: timeText(committer.at) }
      : { verified: false, reason: 'unsigned', signature: null, payload: null, verified_at: null };

const signatureJson = ({ name, email, at }: Signature) => ({ name, email, date: timeText(at) });
