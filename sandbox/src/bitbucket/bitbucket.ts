import { randomUUID } from 'node:crypto';
import { type Comments, createComments } from '../git/comments.ts';
import type { User } from '../git/users.ts';
import type { Host } from '../github/host.ts';
import { createDeliveries, type Deliveries } from './deliveries.ts';
import type { Hook } from './hook.ts';

/** The scopes of a token, as named by Bitbucket. */
export type BitbucketScope = 'account' | 'repository' | 'repository:admin' | 'pullrequest' | 'webhook';

export const allScopes: readonly BitbucketScope[] = [
  'account',
  'repository',
  'repository:admin',
  'pullrequest',
  'webhook',
];

/**
 * A credential. `api` belongs to a user and is sent with an email address. `workspace` and `repository` have no user
 * and are limited to the named object. `access` and `refresh` are OAuth tokens. `expiresAt` in epoch milliseconds.
 */
export type BitbucketToken = { scopes: readonly BitbucketScope[]; expiresAt: number | null } & (
  | { kind: 'api' | 'access' | 'refresh'; login: string }
  | { kind: 'workspace'; workspace: string }
  | { kind: 'repository'; workspace: string; slug: string }
);

/** A build status on a commit; the last one of each key applies. */
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

/** A simulated Bitbucket Cloud over the repositories of a host. `url` is its web URL, `api` ends with `/2.0`. */
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

/** Creates a token that never expires. */
export const createToken = (bitbucket: Bitbucket, token: BitbucketToken): string => {
  const text = `${prefixes[token.kind]}${randomUUID().replaceAll('-', '')}`;
  bitbucket.tokens.set(text, token);
  bitbucket.save();
  return text;
};

/** Creates a token of a user, to be sent with one of their email addresses. */
export const createApiToken = (bitbucket: Bitbucket, { login }: User, scopes = allScopes): string =>
  createToken(bitbucket, { kind: 'api', login, scopes, expiresAt: null });

/** Creates a token of a workspace. */
export const createWorkspaceToken = (bitbucket: Bitbucket, workspace: string, scopes = allScopes): string =>
  createToken(bitbucket, { kind: 'workspace', workspace, scopes, expiresAt: null });

/** Creates a token of one repository. */
export const createRepositoryToken = (bitbucket: Bitbucket, workspace: string, slug: string): string =>
  createToken(bitbucket, { kind: 'repository', workspace, slug, scopes: allScopes, expiresAt: null });

const prefixes = { api: 'ATATT3x', workspace: 'ATCTT3x', repository: 'ATCTT3x', access: '', refresh: '' } as const;
