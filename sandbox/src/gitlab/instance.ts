import { randomBytes } from 'node:crypto';
import { type Comments, createComments } from '../git/comments.ts';
import { stableId, type User } from '../git/users.ts';
import { accountsOf, type Host } from '../github/host.ts';
import type { GithubAccount, HostedRepository } from '../github/hosted-repository.ts';
import { fullLimit, type Limit } from '../github/limits.ts';
import { createStoredState } from '../stored-state.ts';
import { createWebhookQueue, type WebhookQueue } from '../webhook-queue.ts';
import type { Hook } from './hook.ts';
import type { StatusCheck } from './status-check.ts';

/** The path of the instance in the sandbox. GitLab supports relative URL roots. */
export const instancePath = '/gitlab';

export type GitlabScope = 'api' | 'read_api' | 'read_user';

/**
 * An access token of a user. `refresh` is the refresh token of an OAuth token; `expiresAt` is null for a personal
 * access token.
 */
export type GitlabToken = { userId: number; scopes: GitlabScope[]; expiresAt: number | null; refresh?: string };

/** A group; `parent` is the ID of its parent group. Projects are in the subgroup of their owner. */
export type Group = { id: number; name: string; path: string; parent: number | null; account: GithubAccount };

/** A commit status set by a program. */
export type CommitStatus = {
  id: number;
  projectId: number;
  sha: string;
  name: string;
  state: string;
  description: string | null;
  url: string | null;
  at: number;
};

type InstanceState = { tokens: Record<string, GitlabToken>; hooks: Hook[]; nextHook: number };

/** A simulated GitLab over the repositories of the sandbox's GitHub, with the same users and merge request numbers. */
export type GitlabInstance = {
  host: Host;
  groups: Group[];
  codes: Map<
    string,
    { userId: number; redirectUri: string; challenge: string; scopes: GitlabScope[]; expiresAt: number }
  >;
  /** Used refresh tokens. Reusing one revokes the token that it yielded. */
  spent: Map<string, string>;
  kept: InstanceState;
  /** Call after a change of persistent state. */
  save: () => void;
  deliveries: WebhookQueue;
  /** Commit statuses, and notes on merge requests, oldest first; kept in memory only. */
  said: CommitStatus[];
  comments: Comments;
  statusChecks: StatusCheck[];
  /** Whether webhooks with a signing token are signed; older instances do not support it. */
  signs: boolean;
  callbackUrls: string[];
  /** Whether token owners are maintainers of their projects, which is required to read branch protection. */
  areMaintainers: boolean;
  /** The requests that the API still answers. */
  limit: Limit;
};

/** As on gitlab.com. */
const REQUESTS_PER_MINUTE = 2000;
// An instance of one's own has no limit by default.
const UNLIMITED_REQUESTS_PER_MINUTE = 1_000_000;

/** Limits requests as gitlab.com does, or not, as on an instance of one's own. */
export const limitInstance = ({ limit }: GitlabInstance, isLimited: boolean): void => {
  const most = isLimited ? REQUESTS_PER_MINUTE : UNLIMITED_REQUESTS_PER_MINUTE;
  Object.assign(limit, { limit: most, remaining: most });
};

/** `file`: stores tokens and webhooks across restarts; without it they are kept in memory only. */
export const createInstance = (host: Host, callbackUrls: string[], file: string | undefined): GitlabInstance => {
  const fresh: InstanceState = { tokens: {}, hooks: [], nextHook: 1 };
  return {
    host,
    // Repositories can be added later.
    get groups() {
      return groupsOf(host);
    },
    codes: new Map(),
    spent: new Map(),
    ...createStoredState(file, fresh),
    callbackUrls,
    signs: true,
    areMaintainers: true,
    // The window starts with the first request.
    limit: { ...fullLimit(REQUESTS_PER_MINUTE), resetAt: 0 },
    deliveries: createWebhookQueue(),
    said: [],
    statusChecks: [],
    comments: createComments(),
  };
};

const groupsOf = (host: Host): Group[] =>
  accountsOf(host).flatMap((account) => {
    const top = { id: stableId(`group:${account.login}`), name: account.login, path: account.login };
    const below = `${account.login}/code`;
    return [
      { ...top, parent: null, account },
      { id: stableId(`group:${below}`), name: 'code', path: below, parent: top.id, account },
    ];
  });

export const addressOf = ({ host }: GitlabInstance): string => `${host.url}${instancePath}`;

/** `group/code/name`: every project is in a subgroup. */
export const pathOf = ({ owner, name }: HostedRepository): string => `${owner.login}/code/${name}`;

/** The group of a project. */
export const groupOf = ({ groups }: GitlabInstance, { owner }: HostedRepository): Group => {
  const found = groups.find(({ account, parent }) => account.id === owner.id && parent !== null);
  if (found === undefined) throw new Error(`${owner.login} has no group.`);
  return found;
};

/** The projects of a group and its subgroups. */
export const projectsOf = ({ host }: GitlabInstance, { path, account }: Group, deep: boolean): HostedRepository[] =>
  host.repositories.filter(({ owner }) => owner.id === account.id && (deep || path.includes('/')));

/** Creates a personal access token without expiry. */
export const createToken = (instance: GitlabInstance, user: User, scopes: GitlabScope[] = ['api']): string => {
  const token = `glpat-${secret(15)}`;
  instance.kept.tokens[token] = { userId: user.id, scopes, expiresAt: null };
  instance.save();
  return token;
};

/** Random text for tokens and codes. */
export const secret = (bytes: number): string => randomBytes(bytes).toString('hex');
