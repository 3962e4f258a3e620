import { createHash, randomBytes } from 'node:crypto';
import { type Comments, createComments } from '../git/comments.ts';
import type { User } from '../git/users.ts';
import type { Host } from '../github/host.ts';
import type { HostedRepository } from '../github/hosted-repository.ts';
import { createStoredState } from '../stored-state.ts';
import { createWebhookQueue, type WebhookQueue } from '../webhook-queue.ts';
import type { AzureDevopsHook } from './hook.ts';

/** The path of the collection in the sandbox, as on a server. */
export const collectionPath = '/azure-devops/collection';

/** `full`, or the scopes of a token as in the settings. */
export type TokenScope = 'full' | 'code' | 'code_write' | 'identity' | 'security' | 'hooks' | 'project';

type AzureDevopsToken = { userId: number; scopes: TokenScope[] };

/** A status set by a program: of a commit, or of a version of a pull request. */
export type AzureDevopsStatus = {
  id: number;
  repositoryId: number;
  sha: string;
  pull: number | null;
  iterationId: number | null;
  state: string;
  genre: string | null;
  name: string;
  description: string;
  targetUrl: string;
  at: number;
};

type AzureDevopsState = { tokens: Record<string, AzureDevopsToken>; hooks: AzureDevopsHook[] };

/** A simulated Azure DevOps over the repositories of the sandbox, with the same users and pull request numbers. */
export type AzureDevops = {
  host: Host;
  kept: AzureDevopsState;
  /** Call after a change of persistent state. */
  save: () => void;
  deliveries: WebhookQueue;
  /** Statuses set by programs, oldest first; like comments kept in memory only. */
  said: AzureDevopsStatus[];
  comments: Comments;
  /** Whether token owners administer their projects, which is required to read permissions and to create hooks. */
  areAdministrators: boolean;
  /** Whether a rejected token leads to a page for signing in, as in Azure DevOps Services, instead of 401. */
  hasSignInPage: boolean;
  /** The newest version of the API, such as 7.1. Servers have older ones. */
  version: string;
  /** The URL of a list whose second page repeats the first one; undefined for none. */
  repeatedList: RegExp | undefined;
};

/** `file`: stores tokens and hooks across restarts; without it they are kept in memory only. */
export const createAzureDevops = (host: Host, file: string | undefined): AzureDevops => {
  const fresh: AzureDevopsState = { tokens: {}, hooks: [] };
  return {
    host,
    ...createStoredState(file, fresh),
    deliveries: createWebhookQueue(),
    said: [],
    comments: createComments(),
    areAdministrators: true,
    hasSignInPage: false,
    version: '7.1',
    repeatedList: undefined,
  };
};

export const addressOf = ({ host }: Pick<AzureDevops, 'host'>): string => `${host.url}${collectionPath}`;

/** Creates a personal access token, 52 characters as of a server. */
export const createToken = (azureDevops: AzureDevops, user: User, scopes: TokenScope[] = ['full']): string => {
  const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';
  const token = [...randomBytes(52)].map((byte) => alphabet.charAt(byte % 32)).join('');
  azureDevops.kept.tokens[token] = { userId: user.id, scopes };
  azureDevops.save();
  return token;
};

/** A stable GUID of a text. */
export const guidOf = (text: string): string =>
  createHash('sha256')
    .update(`azure-devops:${text}`)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');

export const projectIdOf = ({ owner }: Pick<HostedRepository, 'owner'>): string => guidOf(`project:${owner.id}`);
export const repositoryIdOf = ({ id }: Pick<HostedRepository, 'id'>): string => guidOf(`repository:${id}`);
