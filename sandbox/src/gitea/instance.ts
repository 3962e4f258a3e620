import { randomBytes } from 'node:crypto';
import { type Comments, createComments } from '../git/comments.ts';
import type { User } from '../git/users.ts';
import type { Host } from '../github/host.ts';
import { createStoredState } from '../stored-state.ts';
import { createWebhookQueue, type WebhookQueue } from '../webhook-queue.ts';
import type { GiteaHook } from './hook.ts';

/** The path of the instance in the sandbox. Both products support a path (`ROOT_URL`). */
export const giteaPath = '/gitea';

/** `all`, or categories with a level as in the settings of a token. */
export type GiteaScope =
  | 'all'
  | 'read:repository'
  | 'write:repository'
  | 'read:organization'
  | 'read:user'
  | 'read:issue'
  | 'write:issue';

export type GiteaToken = { userId: number; scopes: GiteaScope[] };

/** A commit status set by a program. */
export type GiteaStatus = {
  id: number;
  repositoryId: number;
  sha: string;
  context: string;
  state: string;
  description: string;
  url: string;
  at: number;
};

type GiteaState = { tokens: Record<string, GiteaToken>; hooks: GiteaHook[]; nextHook: number };

/** A simulated Forgejo or Gitea over the repositories of the sandbox, with the same users and pull request numbers. */
export type Gitea = {
  host: Host;
  kept: GiteaState;
  /** Call after a change of persistent state. */
  save: () => void;
  deliveries: WebhookQueue;
  /** Commit statuses and comments, oldest first; kept in memory only. */
  said: GiteaStatus[];
  comments: Comments;
  /** Whether token owners administer their repositories, which is required to read branch protection. */
  areAdministrators: boolean;
  /** Whether headers of webhooks are those of Forgejo, besides those of Gitea. */
  isForgejo: boolean;
  /** The URL of a list whose second page repeats the first one; undefined for none. */
  repeatedList: RegExp | undefined;
};

/** `file`: stores tokens and webhooks across restarts; without it they are kept in memory only. */
export const createGitea = (host: Host, file: string | undefined): Gitea => {
  const fresh: GiteaState = { tokens: {}, hooks: [], nextHook: 1 };
  return {
    host,
    ...createStoredState(file, fresh),
    deliveries: createWebhookQueue(),
    said: [],
    comments: createComments(),
    areAdministrators: true,
    isForgejo: false,
    repeatedList: undefined,
  };
};

export const addressOf = ({ host }: Pick<Gitea, 'host'>): string => `${host.url}${giteaPath}`;

/** Creates an access token, 40 hexadecimal digits as in both products. */
export const createToken = (gitea: Gitea, user: User, scopes: GiteaScope[] = ['all']): string => {
  const token = randomBytes(20).toString('hex');
  gitea.kept.tokens[token] = { userId: user.id, scopes };
  gitea.save();
  return token;
};
