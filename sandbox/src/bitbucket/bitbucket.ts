import { randomUUID } from 'node:crypto';
import { type Comments, createComments } from '../git/comments.ts';
import type { User } from '../git/users.ts';
import type { Host } from '../github/host.ts';
import { createDeliveries, type Deliveries } from './deliveries.ts';
import type { Hook } from './hook.ts';

/** What a token may be used for, in Bitbucket's words. */
export type BitbucketScope = 'account' | 'repository' | 'repository:admin' | 'pullrequest' | 'webhook';

export const allScopes: readonly BitbucketScope[] = [
  'account',
  'repository',
  'repository:admin',
  'pullrequest',
  'webhook',
];

/**
 * A credential. `api` belongs to a person and travels with their address; `workspace` and `repository` stand for
 * themselves and reach only what they name; `access` and `refresh` came by OAuth. `expiresAt` in epoch milliseconds.
 */
export type BitbucketToken = { scopes: readonly BitbucketScope[]; expiresAt: number | null } & (
  | { kind: 'api' | 'access' | 'refresh'; login: string }
  | { kind: 'workspace'; workspace: string }
  | { kind: 'repository'; workspace: string; slug: string }
);

/** A status that a program set on a commit; the last of each key stands. */
export type CommitStatus = {
  repositoryId: number;
  sha: string;
  key: string;
  name: string;
  state: string;
  description: string;
  url: string;
  at: number;
};

/** A Bitbucket Cloud over the repositories of a host. `url` is its web address, `api` ends with `/2.0`. */
export type Bitbucket = {
  host: Host;
  url: string;
  api: string;
  tokens: Map<string, BitbucketToken>;
  codes: Map<string, { login: string; redirectUri: string | undefined; expiresAt: number }>;
  hooks: Hook[];
  deliveries: Deliveries;
  said: CommitStatus[];
  comments: Comments;
  save: () => void;
};

export const createBitbucket = (host: Host): Bitbucket => ({
  host,
  url: '',
  api: '',
  tokens: new Map(),
  codes: new Map(),
  hooks: [],
  said: [],
  comments: createComments(),
  deliveries: createDeliveries(),
  save: () => undefined,
});

/** Makes a token that never expires. */
export const createToken = (bitbucket: Bitbucket, token: BitbucketToken): string => {
  const text = `${prefixes[token.kind]}${randomUUID().replaceAll('-', '')}`;
  bitbucket.tokens.set(text, token);
  bitbucket.save();
  return text;
};

/** A token of a person, to be used with one of their addresses. */
export const createApiToken = (bitbucket: Bitbucket, { login }: User, scopes = allScopes): string =>
  createToken(bitbucket, { kind: 'api', login, scopes, expiresAt: null });

/** A token of a workspace. */
export const createWorkspaceToken = (bitbucket: Bitbucket, workspace: string, scopes = allScopes): string =>
  createToken(bitbucket, { kind: 'workspace', workspace, scopes, expiresAt: null });

/** A token of one repository. */
export const createRepositoryToken = (bitbucket: Bitbucket, workspace: string, slug: string): string =>
  createToken(bitbucket, { kind: 'repository', workspace, slug, scopes: allScopes, expiresAt: null });

const prefixes = { api: 'ATATT3x', workspace: 'ATCTT3x', repository: 'ATCTT3x', access: '', refresh: '' } as const;
