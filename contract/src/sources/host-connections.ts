import { z } from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { hostUrl, instant, sitePath, text } from '../core/text.ts';

/** Code hosts without an app: somebody signs in there or gives a token, and picks groups or workspaces. */
export const connectable = z.enum(['gitlab', 'bitbucket']);
export type Connectable = z.infer<typeof connectable>;

const ofHost = z.strictObject({ provider: connectable });

/** What can be picked: a group of GitLab or a workspace of Bitbucket with all below, somebody's own, or one repository. */
export const hostWorkspace = z.object({
  id: z.string(),
  kind: z.enum(['group', 'workspace', 'user', 'repository']),
  /** The whole path, with every group above. */
  path: z.string(),
  name: z.string(),
  url: z.string(),
});
export type HostWorkspace = z.infer<typeof hostWorkspace>;

export const hostConnection = z.object({
  kind: z.enum(['oauth', 'token']),
  baseURL: z.string(),
  /** Whose it is on the host. */
  login: z.string(),
  /** What tells the token from others: never enough to use it. */
  display: z.string(),
  connectedAt: instant,
  /** Why the host takes it no more; null while it does. */
  failure: z.string().nullable(),
  /** What it may do too little for, each as a sentence. */
  missing: z.array(z.string()),
  /** What was picked. */
  workspaces: z.array(hostWorkspace.pick({ id: true, path: true, url: true }).extend({ repositories: z.number() })),
  /** Webhooks of enabled repositories; `failed` of them could not be made, for the reason given. */
  webhooks: z.object({ created: z.number(), failed: z.number(), failure: z.string().nullable() }),
});
export type HostConnection = z.infer<typeof hostConnection>;

/** How the host can be connected here, and how it is. */
export const hostState = z.object({
  provider: connectable,
  /** Whether the operator registered an application that people can sign in through. */
  oauth: z.boolean(),
  /** Where people open the host unless they name another address. */
  defaultURL: z.string(),
  /** Whether another address may be named. */
  selfManaged: z.boolean(),
  /** Whether a token may come with an address of mail, or with the workspace it belongs to. */
  acceptsEmail: z.boolean(),
  /** Where the sandbox hands out tokens; null outside it. */
  sandboxPage: z.string().nullable(),
  connection: hostConnection.nullable(),
});
export type HostState = z.infer<typeof hostState>;

const owner = { scope: 'organization', permission: 'manage:integrations' } as const;

export const getHostConnection = endpoint({
  method: 'GET',
  path: '/v2/integrations/:provider/connection',
  summary: 'Returns the connection to GitLab or Bitbucket without its token.',
  ...owner,
  params: ofHost,
  topics: ['orgIntegrations'],
  response: hostState,
});

export const connectHost = endpoint({
  method: 'POST',
  path: '/v2/integrations/:provider/connection',
  summary: 'Connects GitLab or Bitbucket with an access token, or replaces the token, after testing it.',
  ...owner,
  params: ofHost,
  body: z.strictObject({
    /** Of an instance of one's own; the host's usual address where it is left out. */
    baseURL: hostUrl.optional(),
    token: text(2000).trim().min(1, { error: 'is needed' }),
    /** For an API token of Bitbucket: of whoever made it. */
    email: text(254).trim().optional(),
    /** For an access token of a workspace or, as `workspace/repository`, of a repository of Bitbucket: such a token cannot say. */
    workspace: text(200).trim().optional(),
  }),
  changes: ['orgRepos', 'orgIntegrations'],
  response: hostState,
  errors: ['upstream_failed'],
});

export const authorizeHost = endpoint({
  method: 'GET',
  path: '/v2/integrations/:provider/authorize',
  summary: 'Starts a sign-in at GitLab or Bitbucket. The browser continues at authorizationURL.',
  ...owner,
  params: ofHost,
  query: z.strictObject({ redirectURL: sitePath.default('/') }),
  response: z.object({ authorizationURL: z.string() }),
  errors: ['conflict'],
});

export const finishHost = endpoint({
  method: 'POST',
  path: '/v2/integrations/:provider/authorize',
  summary: 'Completes a sign-in at GitLab or Bitbucket with the parameters of its redirect.',
  ...owner,
  params: ofHost,
  body: z.strictObject({ state: text(200), code: text(2000) }),
  changes: ['orgRepos', 'orgIntegrations'],
  response: z.object({ redirectURL: z.string() }),
  errors: ['forbidden', 'upstream_failed'],
});

export const listHostWorkspaces = endpoint({
  method: 'GET',
  path: '/v2/integrations/:provider/workspaces',
  summary: 'Lists the available groups or workspaces.',
  ...owner,
  params: ofHost,
  topics: ['orgIntegrations'],
  response: z.array(hostWorkspace.extend({ selected: z.boolean() })),
  errors: ['conflict', 'upstream_failed'],
});

export const selectHostWorkspaces = endpoint({
  method: 'PUT',
  path: '/v2/integrations/:provider/workspaces',
  summary: 'Selects groups or workspaces. Only their repositories are available.',
  ...owner,
  params: ofHost,
  body: z.strictObject({ ids: z.array(text(100)).max(1000) }),
  changes: ['orgRepos', 'orgIntegrations'],
  response: hostState,
  errors: ['conflict', 'upstream_failed'],
});

export const disconnectHost = endpoint({
  method: 'DELETE',
  path: '/v2/integrations/:provider/connection',
  summary: 'Deletes the token and the webhooks on the code host. Imported data is kept.',
  ...owner,
  params: ofHost,
  changes: ['orgRepos', 'orgIntegrations'],
  response: z.null(),
});
