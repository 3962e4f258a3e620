import { randomBytes } from 'node:crypto';
import { type Comments, createComments } from '../git/comments.ts';
import type { User } from '../git/users.ts';
import type { Host } from '../github/host.ts';
import type { GithubAccount, HostedRepository } from '../github/hosted-repository.ts';
import { createStoredState } from '../stored-state.ts';
import { createWebhookQueue, type WebhookQueue } from '../webhook-queue.ts';
import type { DataCenterHook } from './hook.ts';

/** The path of the instance in the sandbox; the vendor supports one (`server.context-path`). */
export const dataCenterPath = '/bitbucket-data-center';

/** The permission of a token, which includes the lower ones. */
export type TokenPermission = 'REPO_READ' | 'REPO_WRITE' | 'REPO_ADMIN';

export type DataCenterToken = { userId: number; permission: TokenPermission };

/** A build that a program reported. The last one of a key applies. */
export type DataCenterBuild = {
  repositoryId: number;
  sha: string;
  key: string;
  parent: string | null;
  name: string;
  state: string;
  description: string;
  url: string;
  at: number;
};

type DataCenterState = { tokens: Record<string, DataCenterToken>; hooks: DataCenterHook[]; nextHook: number };

/** A simulated Bitbucket Data Center over the repositories of the sandbox, with the same users and numbers. */
export type DataCenter = {
  host: Host;
  kept: DataCenterState;
  /** Call after a change of persistent state. */
  save: () => void;
  deliveries: WebhookQueue;
  /** Builds that programs reported, and comments, oldest first; kept in memory only. */
  said: DataCenterBuild[];
  comments: Comments;
  /** Versions of comments by ID. A change must name the current one. */
  versions: Map<number, number>;
  /** Whether token owners administer their repositories, which is required to read branch permissions. */
  areAdministrators: boolean;
  /** Whether webhooks call a decision against a merge `changes_requested`, as newer versions do. */
  isRecent: boolean;
  /** The URL of a list whose second page repeats the first one; undefined for none. */
  repeatedList: RegExp | undefined;
};

/** `file`: stores tokens and webhooks across restarts; without it they are kept in memory only. */
export const createDataCenter = (host: Host, file: string | undefined): DataCenter => {
  const fresh: DataCenterState = { tokens: {}, hooks: [], nextHook: 1 };
  return {
    host,
    ...createStoredState(file, fresh),
    deliveries: createWebhookQueue(),
    said: [],
    comments: createComments(),
    versions: new Map(),
    areAdministrators: true,
    isRecent: false,
    repeatedList: undefined,
  };
};

export const addressOf = ({ host }: Pick<DataCenter, 'host'>): string => `${host.url}${dataCenterPath}`;

/** Creates an HTTP access token in the format of the vendor: 44 characters of base64. */
export const createToken = (dataCenter: DataCenter, user: User, permission: TokenPermission = 'REPO_ADMIN'): string => {
  const token = randomBytes(33).toString('base64');
  dataCenter.kept.tokens[token] = { userId: user.id, permission };
  dataCenter.save();
  return token;
};

/** The key of the project of an account: `~ada` for users. */
export const projectKeyOf = ({ login, type }: GithubAccount): string =>
  type === 'User' ? `~${login}` : login.toUpperCase().replaceAll(/[^A-Z0-9_]/g, '_');

export const slugOf = ({ name }: HostedRepository): string => name.toLowerCase();
