import type { FileChange } from '../git/changes.ts';
import { type Commit, parentsOf } from '../git/log.ts';
import type { Person, PullRequest } from '../git/pull-request.ts';
import { type User, userOf } from '../git/users.ts';
import type { GithubAccount, HostedRepository } from '../github/hosted-repository.ts';
import { type AzureDevops, addressOf, guidOf, projectIdOf, repositoryIdOf } from './collection.ts';

export const zeros = '0'.repeat(40);

export const timeText = (at: number): string => new Date(at).toISOString();

/** The unique name of an account: an address that is not that of its commits. */
export const uniqueNameOf = ({ login }: Pick<User, 'login'>): string => `${login}@azure.example`;

export const userIdOf = ({ id }: Pick<User, 'id'>): string => guidOf(`user:${id}`);

export const identityJson = (azureDevops: AzureDevops, user: User) => {
  const id = userIdOf(user);
  const kind = user.type === 'Bot' ? 'svc' : 'aad';
  return {
    displayName: user.name,
    url: `${addressOf(azureDevops)}/_apis/Identities/${id}`,
    id,
    uniqueName: uniqueNameOf(user),
    imageUrl: `${azureDevops.host.url}/avatars/u/${user.id}?v=4`,
    descriptor: `${kind}.${Buffer.from(id).toString('base64url')}`,
  };
};

/** The account of a name and address; for an address without one, an account that was deleted. */
export const personJson = (azureDevops: AzureDevops, person: Person) => {
  const user = userOf(azureDevops.host.users, person);
  if (user !== undefined) return identityJson(azureDevops, user);
  return { displayName: person.name, id: guidOf(`deleted:${person.email}`), uniqueName: '', isDeletedInOrigin: true };
};

/** The account of a program that reports results, by its number; undefined: that of the pipelines. */
export const programIdOf = (app: number | undefined): string => guidOf(`program:${app ?? 'pipelines'}`);

export const programJson = (app: number | undefined) => {
  const id = programIdOf(app);
  return { displayName: 'Project Collection Build Service', id, uniqueName: `Build\\${id}`, descriptor: `svc.${id}` };
};

export const projectJson = (azureDevops: AzureDevops, owner: GithubAccount) => ({
  id: projectIdOf({ owner }),
  name: owner.login,
  url: `${addressOf(azureDevops)}/_apis/projects/${projectIdOf({ owner })}`,
  state: 'wellFormed',
  revision: 11,
  visibility: 'private',
  lastUpdateTime: '0001-01-01T00:00:00',
});

export const repositoryURL = (
  azureDevops: AzureDevops,
  { owner, name }: Pick<HostedRepository, 'owner' | 'name'>,
): string => `${addressOf(azureDevops)}/${encodeURIComponent(owner.login)}/_git/${encodeURIComponent(name)}`;

export const repositoryApi = (azureDevops: AzureDevops, repository: HostedRepository): string =>
  `${addressOf(azureDevops)}/${projectIdOf(repository)}/_apis/git/repositories/${repositoryIdOf(repository)}`;

export const repositoryJson = (azureDevops: AzureDevops, repository: HostedRepository) => {
  const web = repositoryURL(azureDevops, repository);
  const { git } = repository;
  return {
    id: repositoryIdOf(repository),
    name: repository.name,
    url: repositoryApi(azureDevops, repository),
    project: projectJson(azureDevops, repository.owner),
    ...(git.refs.has(`refs/heads/${git.defaultBranch}`) && { defaultBranch: `refs/heads/${git.defaultBranch}` }),
    size: git.commits.size * 1000,
    remoteUrl: web,
    sshUrl: `ssh://sandbox:22/${repository.name}`,
    webUrl: web,
    isDisabled: false,
    isInMaintenance: false,
  };
};

/** A commit as in lists: without parents, and with the first line of a longer message. */
export const listedCommitJson = (azureDevops: AzureDevops, repository: HostedRepository, commit: Commit) => {
  const [line = ''] = commit.message.split('\n');
  const isShort = commit.message.trimEnd() !== line;
  return {
    ...commitJson(azureDevops, repository, commit),
    comment: isShort ? line : commit.message,
    ...(isShort && { commentTruncated: true }),
  };
};

export const commitJson = (
  azureDevops: AzureDevops,
  repository: HostedRepository,
  { sha, author, committer, message }: Commit,
) => ({
  commitId: sha,
  author: { name: author.name, email: author.email, date: timeText(author.at) },
  committer: { name: committer.name, email: committer.email, date: timeText(committer.at) },
  comment: message,
  url: `${repositoryApi(azureDevops, repository)}/commits/${sha}`,
  remoteUrl: `${repositoryURL(azureDevops, repository)}/commit/${sha}`,
});

/** The parts of a single commit that lists lack. */
export const wholeCommitJson = (commit: Commit) => ({ parents: parentsOf(commit), treeId: commit.tree });

const kinds: Readonly<Record<FileChange['status'], string>> = {
  added: 'add',
  copied: 'add',
  removed: 'delete',
  modified: 'edit',
  changed: 'edit',
  renamed: 'rename',
};

/** The changes of files. A renamed file has an entry for its former path. */
export const changesJson = (files: readonly FileChange[]) =>
  files.flatMap((file) => {
    const { path, previousPath, status, blob, additions, deletions } = file;
    const isEdited = status === 'renamed' && additions + deletions > 0;
    const changeType = isEdited ? 'edit, rename' : kinds[status];
    const ids = status === 'removed' ? { originalObjectId: blob } : { objectId: blob };
    const item = { ...ids, gitObjectType: 'blob', path: `/${path}` };
    const former =
      previousPath === undefined
        ? []
        : [{ item: { gitObjectType: 'blob', path: `/${previousPath}` }, changeType: 'delete, sourceRename' }];
    return [
      { item, changeType, ...(previousPath !== undefined && { sourceServerItem: `/${previousPath}` }) },
      ...former,
    ];
  });

export const isFork = ({ owner }: HostedRepository, { headOwner }: Pick<PullRequest, 'headOwner'>): boolean =>
  headOwner !== undefined && headOwner.toLowerCase() !== owner.login.toLowerCase();
