import type { FileChange } from '../../git/changes.ts';
import { type Commit, parentsOf, type Signature } from '../../git/log.ts';
import { fullName, type Host } from '../host.ts';
import type { HostedRepository } from '../hosted-repository.ts';
import { nodeId, personShape, timeShape } from './account.ts';

/** A commit in a list. */
export const commitShape = (host: Host, repository: HostedRepository, commit: Commit) => {
  const [self, web] = [`${host.api}/repos/${fullName(repository)}`, `${host.url}/${fullName(repository)}`];
  return {
    sha: commit.sha,
    node_id: nodeId('Commit', `${repository.id}:${commit.sha}`),
    commit: {
      author: signatureShape(commit.author),
      committer: signatureShape(commit.committer),
      message: commit.message,
      tree: { sha: commit.tree, url: `${self}/git/trees/${commit.tree}` },
      url: `${self}/git/commits/${commit.sha}`,
      comment_count: 0,
      verification: { verified: false, reason: 'unsigned', signature: null, payload: null, verified_at: null },
    },
    url: `${self}/commits/${commit.sha}`,
    html_url: `${web}/commit/${commit.sha}`,
    comments_url: `${self}/commits/${commit.sha}/comments`,
    author: personShape(host, commit.author),
    committer: personShape(host, commit.committer),
    parents: parentsOf(commit).map((sha) => ({
      sha,
      url: `${self}/commits/${sha}`,
      html_url: `${web}/commit/${sha}`,
    })),
  };
};

/** One changed file. As on GitHub for a large diff, without the patch. */
export const fileShape = (host: Host, repository: HostedRepository, sha: string, file: FileChange) => {
  const [self, web] = [`${host.api}/repos/${fullName(repository)}`, `${host.url}/${fullName(repository)}`];
  const path = file.path.split('/').map(encodeURIComponent).join('/');
  return {
    sha: file.blob,
    filename: file.path,
    status: file.status,
    additions: file.additions,
    deletions: file.deletions,
    changes: file.additions + file.deletions,
    blob_url: `${web}/blob/${sha}/${path}`,
    raw_url: `${web}/raw/${sha}/${path}`,
    contents_url: `${self}/contents/${path}?ref=${sha}`,
    ...(file.previousPath === undefined ? {} : { previous_filename: file.previousPath }),
  };
};

export const statsShape = (files: FileChange[]) => {
  const { additions, deletions } = countLines(files);
  return { total: additions + deletions, additions, deletions };
};

export const countLines = (files: FileChange[]): { additions: number; deletions: number } => ({
  additions: files.reduce((sum, file) => sum + file.additions, 0),
  deletions: files.reduce((sum, file) => sum + file.deletions, 0),
});

const signatureShape = ({ name, email, at }: Signature) => ({ name, email, date: timeShape(at) });
