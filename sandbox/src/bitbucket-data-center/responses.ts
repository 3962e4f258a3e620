import type { FileChange } from '../git/changes.ts';
import { type Commit, parentsOf } from '../git/log.ts';
import type { CommitCheck, Push } from '../git/model.ts';
import type { Person, PullRequest } from '../git/pull-request.ts';
import { stableId, type User, userOf } from '../git/users.ts';
import type { GithubAccount, HostedRepository } from '../github/hosted-repository.ts';
import type { DataCenterHook } from './hook.ts';
import { addressOf, type DataCenter, type DataCenterBuild, projectKeyOf, slugOf } from './instance.ts';

type AccountJson = Pick<User | GithubAccount, 'id' | 'login' | 'type'> & { name?: string; emails?: string[] };

export const userJson = (dataCenter: DataCenter, { id, login, name = login, type, emails = [] }: AccountJson) => ({
  name: login,
  emailAddress: emails[0] ?? `${login}@example.com`,
  active: true,
  displayName: name,
  id,
  slug: login.toLowerCase().replaceAll(/[^\w.-]/g, '_'),
  type: type === 'Bot' ? 'SERVICE' : 'NORMAL',
  links: { self: [{ href: `${addressOf(dataCenter)}/users/${login.toLowerCase()}` }] },
});

/** The account of a name and address, else both, as in commits. */
export const personJson = (dataCenter: DataCenter, person: Person | null) => {
  const user = person === null ? undefined : userOf(dataCenter.host.users, person);
  if (user !== undefined) return userJson(dataCenter, user);
  return { name: person?.name ?? '', emailAddress: person?.email ?? '' };
};

export const projectJson = (dataCenter: DataCenter, account: GithubAccount) => {
  const key = projectKeyOf(account);
  const isPersonal = account.type === 'User';
  const page = isPersonal ? `users/${account.login.toLowerCase()}` : `projects/${key}`;
  return {
    key,
    id: account.id,
    name: account.login,
    ...(isPersonal ? { owner: userJson(dataCenter, account) } : { description: '', public: false }),
    type: isPersonal ? 'PERSONAL' : 'NORMAL',
    links: { self: [{ href: `${addressOf(dataCenter)}/${page}` }] },
  };
};

export const repositoryPage = (dataCenter: DataCenter, repository: HostedRepository): string => {
  const { owner } = repository;
  const project = owner.type === 'User' ? `users/${owner.login.toLowerCase()}` : `projects/${projectKeyOf(owner)}`;
  return `${addressOf(dataCenter)}/${project}/repos/${slugOf(repository)}`;
};

export const repositoryJson = (dataCenter: DataCenter, repository: HostedRepository) => {
  const { id, name, owner } = repository;
  const [key, slug] = [projectKeyOf(owner), slugOf(repository)];
  return {
    slug,
    id,
    name,
    hierarchyId: stableId(`hierarchy:${id}`).toString(16).padStart(20, '0'),
    scmId: 'git',
    state: 'AVAILABLE',
    statusMessage: 'Available',
    forkable: true,
    project: projectJson(dataCenter, owner),
    public: false,
    archived: false,
    links: {
      clone: [
        { href: `ssh://git@sandbox:7999/${key.toLowerCase()}/${slug}.git`, name: 'ssh' },
        { href: `${addressOf(dataCenter)}/scm/${key.toLowerCase()}/${slug}.git`, name: 'http' },
      ],
      self: [{ href: `${repositoryPage(dataCenter, repository)}/browse` }],
    },
  };
};

export const refJson = (ref: string) => ({
  id: ref,
  displayId: ref.replace(/^refs\/(?:heads|tags)\//, ''),
  type: ref.startsWith('refs/tags/') ? 'TAG' : 'BRANCH',
});

const minimalJson = (sha: string) => ({ id: sha, displayId: sha.slice(0, 11) });

export const commitJson = (dataCenter: DataCenter, commit: Commit) => ({
  ...minimalJson(commit.sha),
  author: personJson(dataCenter, commit.author),
  authorTimestamp: commit.author.at,
  committer: personJson(dataCenter, commit.committer),
  committerTimestamp: commit.committer.at,
  message: commit.message,
  parents: parentsOf(commit).map(minimalJson),
});

const pathJson = (path: string) => {
  const components = path.split('/');
  const name = components.at(-1) ?? '';
  const extension = name.includes('.') ? name.slice(name.lastIndexOf('.') + 1) : undefined;
  return {
    components,
    parent: components.slice(0, -1).join('/'),
    name,
    ...(extension !== undefined && { extension }),
    toString: path,
  };
};

const types: Readonly<Record<FileChange['status'], string>> = {
  added: 'ADD',
  copied: 'COPY',
  removed: 'DELETE',
  renamed: 'MOVE',
  modified: 'MODIFY',
  changed: 'MODIFY',
};
const noContent = '0'.repeat(40);

export const changeJson = ({ path, previousPath, status, blob }: FileChange) => ({
  contentId: status === 'removed' ? noContent : blob,
  ...(status === 'removed' && { fromContentId: blob }),
  ...(status === 'added' && { fromContentId: noContent }),
  path: pathJson(path),
  ...(previousPath !== undefined && { srcPath: pathJson(previousPath) }),
  executable: false,
  percentUnchanged: -1,
  type: types[status],
  nodeType: 'FILE',
  srcExecutable: false,
  properties: { gitChangeType: types[status] },
});

export const maybePath = (path: string | undefined) => (path === undefined ? null : pathJson(path));

export const isFork = ({ owner }: HostedRepository, { headOwner }: Pick<PullRequest, 'headOwner'>): boolean =>
  headOwner !== undefined && headOwner.toLowerCase() !== owner.login.toLowerCase();

const statuses = { approved: 'APPROVED', changes_requested: 'NEEDS_WORK' } as const;

/** The reviewers with their decisions in force. A comment is none. */
const reviewersJson = (dataCenter: DataCenter, { reviews }: PullRequest) => {
  const last = new Map(
    reviews.filter(({ verdict }) => verdict !== 'commented').map((review) => [review.reviewer.email, review]),
  );
  return [...last.values()].map(({ reviewer, verdict, dismissed, commit }) => {
    const isInForce = dismissed === null && verdict !== 'commented';
    return {
      user: personJson(dataCenter, reviewer),
      ...(isInForce && { lastReviewedCommit: commit }),
      role: 'REVIEWER',
      approved: isInForce && verdict === 'approved',
      status: isInForce ? statuses[verdict] : 'UNAPPROVED',
    };
  });
};

export const pullJson = (dataCenter: DataCenter, repository: HostedRepository, pull: PullRequest) => {
  const [isMerged, isOpen] = [pull.mergedAt !== null, pull.state === 'open'];
  const shape = repositoryJson(dataCenter, repository);
  const head = refJson(`refs/heads/${pull.headRef}`);
  return {
    id: pull.number,
    version: 1,
    title: pull.title,
    description: pull.body ?? '',
    state: isMerged ? 'MERGED' : isOpen ? 'OPEN' : 'DECLINED',
    open: isOpen,
    closed: !isOpen,
    draft: false,
    createdDate: pull.createdAt,
    updatedDate: pull.updatedAt,
    ...(pull.closedAt !== null && { closedDate: pull.closedAt }),
    fromRef: {
      id: head.id,
      displayId: head.displayId,
      latestCommit: pull.headSha,
      type: 'BRANCH',
      repository: isFork(repository, pull) ? { ...shape, id: stableId(`fork:${pull.headOwner}:${shape.id}`) } : shape,
    },
    toRef: {
      ...refJson(`refs/heads/${repository.git.defaultBranch}`),
      latestCommit: pull.baseSha,
      repository: shape,
    },
    locked: false,
    author: { user: personJson(dataCenter, pull.author), role: 'AUTHOR', approved: false, status: 'UNAPPROVED' },
    reviewers: reviewersJson(dataCenter, pull),
    participants: [],
    properties: {
      resolvedTaskCount: 0,
      commentCount: 0,
      openTaskCount: 0,
      ...(isMerged && pull.mergeSha !== null && { mergeCommit: minimalJson(pull.mergeSha) }),
    },
    links: { self: [{ href: `${repositoryPage(dataCenter, repository)}/pull-requests/${pull.number}` }] },
  };
};

const zeros = '0'.repeat(40);

export const refChangeJson = ({ ref, before, after }: Pick<Push, 'ref' | 'before' | 'after'>) => ({
  ref: refJson(ref),
  refId: ref,
  fromHash: before ?? zeros,
  toHash: after ?? zeros,
  type: before === null ? 'ADD' : after === null ? 'DELETE' : 'UPDATE',
});

/** A planted check: a run has a key of its own, and a status that of its name. */
export const plantedBuild = ({ id }: HostedRepository, check: CommitCheck): DataCenterBuild => ({
  repositoryId: id,
  sha: check.sha,
  key: check.isStatus ? check.name : `${check.name}-${check.startedAt}`,
  parent: check.name,
  name: check.name,
  state: stateOf(check),
  description: '',
  url: 'https://builds.example.com/',
  at: check.completedAt ?? check.startedAt,
});

const stateOf = ({ completedAt, conclusion }: CommitCheck): string => {
  if (completedAt === null || conclusion === null) return 'INPROGRESS';
  if (conclusion === 'success') return 'SUCCESSFUL';
  return conclusion === 'cancelled' || conclusion === 'skipped' ? 'CANCELLED' : 'FAILED';
};

export const buildJson = ({ key, parent, name, state, description, url, at }: DataCenterBuild) => ({
  key,
  ...(parent !== null && { parent }),
  name,
  state,
  description,
  url,
  createdDate: at,
  updatedDate: at,
  dateAdded: at,
});

export const hookJson = ({ id, name, url, secret, events, isActive, createdAt }: DataCenterHook) => ({
  id,
  name,
  createdDate: createdAt,
  updatedDate: createdAt,
  events,
  configuration: secret === '' ? {} : { secret },
  url,
  active: isActive,
  scopeType: 'repository',
  sslVerificationRequired: true,
});
