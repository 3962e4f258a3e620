import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Comments, createComments } from '../git/comments.ts';
import { stableId, type User } from '../git/users.ts';
import { accountsOf, type Host } from '../github/host.ts';
import type { GithubAccount, HostedRepository } from '../github/hosted-repository.ts';
import { createDeliveries, type Deliveries } from './deliveries.ts';
import type { Hook } from './hook.ts';
import type { StatusCheck } from './status-check.ts';

/** Where the instance lies below the sandbox: GitLab can be served from a folder of a host. */
export const instancePath = '/gitlab';

export type GitlabScope = 'api' | 'read_api' | 'read_user';

/** A token in somebody's name. `refresh` is the other half of one from OAuth; `expiresAt` null for one made by hand. */
export type GitlabToken = { userId: number; scopes: GitlabScope[]; expiresAt: number | null; refresh?: string };

/** A group; `parent` is the id of the one above it. Projects lie in the group below that of their owner. */
export type Group = { id: number; name: string; path: string; parent: number | null; account: GithubAccount };

/** A status that a program set on a commit. */
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

/** A GitLab over the repositories of the sandbox's GitHub: the same people, the same numbers of merge requests. */
export type GitlabInstance = {
  host: Host;
  groups: Group[];
  codes: Map<
    string,
    { userId: number; redirectUri: string; challenge: string; scopes: GitlabScope[]; expiresAt: number }
  >;
  /** Refresh tokens that were used: showing one again ends what came of it. */
  spent: Map<string, string>;
  kept: InstanceState;
  /** Call after a change to what is kept. */
  save: () => void;
  deliveries: Deliveries;
  /** What programs said of commits, the oldest first, and in merge requests; forgotten when the sandbox ends. */
  said: CommitStatus[];
  comments: Comments;
  statusChecks: StatusCheck[];
  /** Whether webhooks are signed where the hook has a signing token; older instances know none. */
  signs: boolean;
  callbackUrls: string[];
  /** Whether those with tokens are maintainers of the projects they see, who alone may read how branches are protected. */
  areMaintainers: boolean;
};

/** `file`: where tokens and webhooks are kept over a restart; they are forgotten without it. */
export const createInstance = (host: Host, callbackUrls: string[], file: string | undefined): GitlabInstance => {
  const fresh: InstanceState = { tokens: {}, hooks: [], nextHook: 1 };
  const kept =
    file !== undefined && existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as InstanceState) : fresh;
  const save = (): void => {
    if (file === undefined) return;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(`${file}.new`, JSON.stringify(kept, null, 2), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  };
  const groups = accountsOf(host).flatMap((account): Group[] => {
    const top = { id: stableId(`group:${account.login}`), name: account.login, path: account.login };
    const below = `${account.login}/code`;
    return [
      { ...top, parent: null, account },
      { id: stableId(`group:${below}`), name: 'code', path: below, parent: top.id, account },
    ];
  });
  return {
    host,
    groups,
    codes: new Map(),
    spent: new Map(),
    kept,
    save,
    callbackUrls,
    signs: true,
    areMaintainers: true,
    deliveries: createDeliveries(),
    said: [],
    statusChecks: [],
    comments: createComments(),
  };
};

export const addressOf = ({ host }: GitlabInstance): string => `${host.url}${instancePath}`;

/** `group/code/name`: every project lies in a group of a group. */
export const pathOf = ({ owner, name }: HostedRepository): string => `${owner.login}/code/${name}`;

/** The group a project lies in. */
export const groupOf = ({ groups }: GitlabInstance, { owner }: HostedRepository): Group => {
  const found = groups.find(({ account, parent }) => account.id === owner.id && parent !== null);
  if (found === undefined) throw new Error(`${owner.login} has no group.`);
  return found;
};

/** The projects of a group and of those below it. */
export const projectsOf = ({ host }: GitlabInstance, { path, account }: Group, deep: boolean): HostedRepository[] =>
  host.repositories.filter(({ owner }) => owner.id === account.id && (deep || path.includes('/')));

/** Makes a token as a person would on their page of access tokens; it does not end by itself. */
export const createToken = (instance: GitlabInstance, user: User, scopes: GitlabScope[] = ['api']): string => {
  const token = `glpat-${secret(15)}`;
  instance.kept.tokens[token] = { userId: user.id, scopes, expiresAt: null };
  instance.save();
  return token;
};

/** Random text for tokens and codes. */
export const secret = (bytes: number): string => randomBytes(bytes).toString('hex');
