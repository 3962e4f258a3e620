import type { KeyObject } from 'node:crypto';
import { type Comments, createComments } from '../git/comments.ts';
import type { Repository } from '../git/model.ts';
import type { PullRequest } from '../git/pull-request.ts';
import type { RefChange } from '../git/refs.ts';
import { openRepository } from '../git/repository.ts';
import { createUsers, stableId, type User, userOf } from '../git/users.ts';
import type { AlertStore } from './alerts/store.ts';
import type { GithubAccount, HostedRepository } from './hosted-repository.ts';
import type { Webhooks } from './webhooks.ts';

/** Times are epoch milliseconds. `selected` applies only if `selection` requires it. */
export type Installation = {
  id: number;
  account: GithubAccount;
  selection: 'all' | 'selected';
  selected: Set<number>;
  createdAt: number;
  updatedAt: number;
  suspendedAt: number | null;
  suspendedBy: User | null;
  installedBy: User | undefined;
  permissions: Permissions;
};

/** The access level per resource; other resources are not readable. */
export type Permissions = Record<string, 'read' | 'write'>;

export type GithubToken = {
  kind: 'installation' | 'user' | 'refresh';
  holder: number;
  repositories?: Set<number>;
  expiresAt: number;
};

/** An authorization code that was not exchanged yet. `challenge` is a PKCE challenge, method S256. */
export type Grant = {
  userId: number;
  redirectUri: string | undefined;
  challenge: string | undefined;
  expiresAt: number;
};

export type AppSettings = {
  appId: number;
  slug: string;
  publicKey: KeyObject;
  clientId: string;
  clientSecret: string;
  setupUrl: string | undefined;
  callbackUrl: string | undefined;
  /** Additional permitted redirect URLs. */
  otherCallbackUrls: string[];
  /** The permissions that it requests, and its webhook events. */
  permissions: Permissions;
  events: string[];
};

/** The changes of a repository since the last poll: updated refs, the default branch last, and the former state. */
export type RepositoryChange = {
  repository: HostedRepository;
  moved: RefChange[];
  /** The former commits of refs. */
  tips: string[];
  pullsBefore: PullRequest[];
};

/** The complete state of the sandbox host. `url` is its web URL, `api` the root of its REST API. */
export type Host = {
  url: string;
  api: string;
  app: AppSettings;
  users: ReturnType<typeof createUsers>;
  repositories: HostedRepository[];
  installations: Map<number, Installation>;
  /** How often the app was uninstalled since the sandbox started. */
  uninstalled: number;
  tokens: Map<string, GithubToken>;
  grants: Map<string, Grant>;
  webhooks: Webhooks;
  alerts: AlertStore;
  /** Kept in memory only. */
  comments: Comments;
  /** Other hosts over the same repositories, notified of each change. */
  followers: ((change: RepositoryChange) => Promise<void>)[];
  /** Watches a repository for changes until it is removed. */
  watch: (repository: HostedRepository) => void;
  unwatch: (repository: HostedRepository) => void;
  /** Number of entries at which a recursive tree is truncated. */
  mostTreeEntries: number;
  save: () => void;
  /** Call after a change of planted data. */
  savePlanted: () => void;
};

/** Reads the repositories and the people in them. Throws if a path contains no git repository. */
export const createHost = async (
  paths: string[],
  app: AppSettings,
  webhooks: Webhooks,
  alerts: AlertStore,
): Promise<Host> => {
  const opened: Repository[] = [];
  for (const path of paths) opened.push(await openRepository(path));
  const owners = opened.map((git) => git.remoteOwner ?? 'sandbox');
  const host: Host = {
    url: '',
    api: '',
    app,
    users: createUsers(owners),
    repositories: [],
    installations: new Map(),
    uninstalled: 0,
    tokens: new Map(),
    grants: new Map(),
    webhooks,
    alerts,
    comments: createComments(),
    watch: () => undefined,
    unwatch: () => undefined,
    save: () => undefined,
    savePlanted: () => undefined,
    followers: [],
    mostTreeEntries: 100_000,
  };
  for (const git of opened) readPeople(host, git);
  for (const git of opened) registerRepository(host, git);
  return host;
};

/** Creates users for all authors, committers and reviewers of a repository; existing ones are unchanged. */
export const readPeople = ({ users }: Host, git: Repository): void => {
  const byTime = [...git.commits.values()].sort((one, other) => one.author.at - other.author.at);
  for (const { author, committer } of byTime) for (const person of [author, committer]) userOf(users, person);
  for (const { reviews } of git.pullRequests) for (const { reviewer } of reviews) userOf(users, reviewer);
};

export const fullName = ({ owner, name }: HostedRepository): string => `${owner.login}/${name}`;

/**
 * Adds a repository with its own or a known account. Throws if the path contains none. `isWatched`: changes of its refs
 * are noticed immediately, which costs a process each second.
 */
export const addRepository = async (host: Host, path: string, { isWatched = true } = {}): Promise<HostedRepository> => {
  const git = await openRepository(path);
  readPeople(host, git);
  const repository = registerRepository(host, git);
  if (isWatched) host.watch(repository);
  return repository;
};

/** Removes an account with its repositories. */
export const removeAccount = (host: Host, account: GithubAccount): void => {
  const isOfAccount = ({ owner }: HostedRepository): boolean => owner.id === account.id;
  for (const repository of host.repositories.filter(isOfAccount)) host.unwatch(repository);
  host.repositories = host.repositories.filter((repository) => !isOfAccount(repository));
};

/** The accounts that own repositories, without duplicates. */
export const accountsOf = (host: Host): GithubAccount[] => [
  ...new Map(host.repositories.map(({ owner }) => [owner.id, owner])).values(),
];

/** The repositories that an installation can access. */
export const repositoriesOf = (host: Host, installation: Installation): HostedRepository[] =>
  host.repositories.filter(
    ({ id, owner }) =>
      owner.id === installation.account.id && (installation.selection === 'all' || installation.selected.has(id)),
  );

/** All users, those with most commits first. */
export const peopleOf = (host: Host): User[] => {
  const counts = new Map<User, number>([...host.users.byLogin.values()].map((user) => [user, 0]));
  for (const { git } of host.repositories) {
    for (const { author } of git.commits.values()) {
      const user = userOf(host.users, author);
      if (user !== undefined) counts.set(user, (counts.get(user) ?? 0) + 1);
    }
  }
  const people = [...counts].filter(([user]) => user.type === 'User' && user.login !== 'web-flow');
  return people.sort(([, one], [, other]) => other - one).map(([user]) => user);
};

const registerRepository = (host: Host, git: Repository): HostedRepository => {
  const login = git.remoteOwner ?? 'sandbox';
  const owner = accountNamed(host, login);
  const isTaken = (name: string): boolean =>
    host.repositories.some((other) => other.owner.id === owner.id && other.name.toLowerCase() === name.toLowerCase());
  const folder = git.folder.replaceAll(/[^\w.-]+/g, '-') || 'repository';
  let name = folder;
  for (let suffix = 2; isTaken(name); suffix += 1) name = `${folder}-${suffix}`;
  const repository = { id: stableId(`repository:${login}/${name}`), owner, name, formerNames: [], git };
  host.repositories.push(repository);
  return repository;
};

const accountNamed = ({ users, repositories }: Host, login: string): GithubAccount => {
  const known = repositories.find(({ owner }) => owner.login.toLowerCase() === login.toLowerCase())?.owner;
  const user = users.byLogin.get(login.toLowerCase());
  if (known !== undefined) return known;
  if (user !== undefined) return { id: user.id, login: user.login, type: 'User' };
  return { id: stableId(`account:${login.toLowerCase()}`), login, type: 'Organization' };
};
