import type { FileChange } from '../../git/changes.ts';
import { type Commit, parentsOf, type Signature } from '../../git/log.ts';
import type { HostedRepository } from '../../github/hosted-repository.ts';
import type { Bitbucket } from '../bitbucket.ts';
import { personJson } from './account.ts';
import { fullSlug, repositoryRefJson } from './repository.ts';

/** A commit. Bitbucket returns only one of its times. */
export const commitJson = (bitbucket: Bitbucket, repository: HostedRepository, commit: Commit) => {
  const self = selfOf(bitbucket, repository, commit.sha);
  const api = `${bitbucket.api}/repositories/${fullSlug(repository)}`;
  return {
    type: 'commit',
    hash: commit.sha,
    date: dateText(commit.author),
    author: signatureJson(bitbucket, commit.author),
    committer: signatureJson(bitbucket, commit.committer),
    message: `${commit.message}\n`,
    summary: { type: 'rendered', raw: `${commit.message}\n`, markup: 'markdown', html: '' },
    links: {
      ...self,
      diff: { href: `${api}/diff/${commit.sha}` },
      approve: { href: `${api}/commit/${commit.sha}/approve` },
      comments: { href: `${api}/commit/${commit.sha}/comments` },
      statuses: { href: `${api}/commit/${commit.sha}/statuses` },
      patch: { href: `${api}/patch/${commit.sha}` },
    },
    parents: parentsOf(commit).map((sha) => ({ hash: sha, type: 'commit', links: selfOf(bitbucket, repository, sha) })),
    repository: repositoryRefJson(bitbucket, repository),
  };
};

/** One changed file; a binary file has no lines. */
export const fileJson = (bitbucket: Bitbucket, repository: HostedRepository, sha: string, file: FileChange) => {
  const at = (path: string) => ({
    path,
    type: 'commit_file',
    escaped_path: escaped(path),
    links: { self: { href: `${bitbucket.api}/repositories/${fullSlug(repository)}/src/${sha}/${escaped(path)}` } },
  });
  return {
    type: 'diffstat',
    lines_added: file.additions,
    lines_removed: file.deletions,
    status: statuses[file.status],
    old: file.status === 'added' || file.status === 'copied' ? null : at(file.previousPath ?? file.path),
    new: file.status === 'removed' ? null : at(file.path),
  };
};

/** A commit as nested in pull requests and refs. */
export const selfOf = ({ api, url }: Bitbucket, repository: HostedRepository, sha: string) => ({
  self: { href: `${api}/repositories/${fullSlug(repository)}/commit/${sha}` },
  html: { href: `${url}/${fullSlug(repository)}/commits/${sha}` },
});

const statuses = {
  added: 'added',
  removed: 'removed',
  modified: 'modified',
  renamed: 'renamed',
  copied: 'added',
  changed: 'modified',
} as const satisfies Record<FileChange['status'], string>;

const dateText = ({ at }: Signature): string => `${new Date(at).toISOString().slice(0, 19)}+00:00`;

const signatureJson = (bitbucket: Bitbucket, { name, email }: Signature) => {
  const user = personJson(bitbucket, { name, email });
  return { type: 'author', raw: `${name} <${email}>`, ...(user === null ? {} : { user }) };
};

const escaped = (path: string): string => path.split('/').map(encodeURIComponent).join('/');
