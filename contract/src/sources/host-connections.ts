import { z } from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { connectableHosts } from '../core/providers.ts';
import { boundedText, hostUrl, sitePath, timestamp } from '../core/text.ts';

/** Code hosts without an app: a user signs in there or enters a token, and selects groups or workspaces. */
const connectableHost = z.enum(connectableHosts);

export type { ConnectableHost } from '../core/providers.ts';

const ofHost = z.strictObject({ provider: connectableHost });

/**
 * A selectable scope: a group, organization or workspace with its subgroups, a personal namespace, or one repository.
 */
export const hostWorkspace = z.object({
  id: z.string(),
  kind: z.enum(['group', 'workspace', 'user', 'repository']),
  /** The full path, including parent groups. */
  path: z.string(),
  name: z.string(),
  url: z.string(),
});
export type HostWorkspace = z.infer<typeof hostWorkspace>;

export const hostConnection = z.object({
  kind: z.enum(['oauth', 'token']),
  baseURL: z.string(),
  /** The owner of the token on the code host. */
  login: z.string(),
  /** The end of the token, for identification only. */
  display: z.string(),
  connectedAt: timestamp,
  /** Why the code host rejects the token; null while it is accepted. */
  failure: z.string().nullable(),
  /** Missing scopes of the token, each as a sentence. */
  missing: z.array(z.string()),
  /** The selected scopes. */
  workspaces: z.array(hostWorkspace.pick({ id: true, path: true, url: true }).extend({ repositories: z.number() })),
  /** Webhooks of enabled repositories; `failed` counts those that could not be created, for the given reason. */
  webhooks: z.object({ created: z.number(), failed: z.number(), failure: z.string().nullable() }),
});
export type HostConnection = z.infer<typeof hostConnection>;

/** The connection options and status of a code host. */
export const hostState = z.object({
  provider: connectableHost,
  /** Whether the operator registered an OAuth application for sign-in. */
  oauth: z.boolean(),
  /** The default URL of the code host. */
  defaultURL: z.string(),
  /** Whether another URL is permitted. */
  selfManaged: z.boolean(),
  /** Whether a token can include an email address, or its workspace. */
  acceptsEmail: z.boolean(),
  /** The page of the sandbox that issues tokens; null without the sandbox. */
  sandboxPage: z.string().nullable(),
  connection: hostConnection.nullable(),
});
export type HostState = z.infer<typeof hostState>;

const owner = { scope: 'organization', permission: 'manage:integrations' } as const;

export const getHostConnection = endpoint({
  method: 'GET',
  path: '/v2/integrations/:provider/connection',
  summary: 'Returns the connection to a code host without an app, without its token.',
  ...owner,
  params: ofHost,
  topics: ['orgIntegrations'],
  response: hostState,
});

export const connectHost = endpoint({
  method: 'POST',
  path: '/v2/integrations/:provider/connection',
  summary: 'Connects a code host without an app with an access token, or replaces the token, after testing it.',
  ...owner,
  params: ofHost,
  body: z.strictObject({
    /** URL of a self-managed instance; default: the public one. */
    baseURL: hostUrl.optional(),
    token: boundedText(2000).trim().min(1, { error: 'is needed' }),
    /** For an API token of Bitbucket: the email address of its owner. */
    email: boundedText(254).trim().optional(),
    /**
     * For a workspace or repository access token of Bitbucket: its workspace, or `workspace/repository`. Such a token
     * does not contain it.
     */
    workspace: boundedText(200).trim().optional(),
  }),
  changes: ['orgRepos', 'orgIntegrations'],
  response: hostState,
  errors: ['upstream_failed'],
});

/** The result of a test: why it failed, or which permissions the token lacks, each as a sentence. */
export const hostCheck = z.object({ ok: z.boolean(), problem: z.string().nullable(), missing: z.array(z.string()) });
export type HostCheck = z.infer<typeof hostCheck>;

export const testHost = endpoint({
  method: 'POST',
  path: '/v2/integrations/:provider/connection/test',
  summary: 'Tests the connection to a code host without an app with its stored token.',
  ...owner,
  reads: true,
  params: ofHost,
  response: hostCheck,
  errors: ['conflict'],
});

export const authorizeHost = endpoint({
  method: 'GET',
  path: '/v2/integrations/:provider/authorize',
  summary: 'Starts a sign-in at a code host without an app. The browser continues at authorizationURL.',
  ...owner,
  params: ofHost,
  query: z.strictObject({ redirectURL: sitePath.default('/') }),
  response: z.object({ authorizationURL: z.string() }),
  errors: ['conflict'],
});

export const finishHost = endpoint({
  method: 'POST',
  path: '/v2/integrations/:provider/authorize',
  summary: 'Completes a sign-in at a code host without an app with the parameters of its redirect.',
  ...owner,
  params: ofHost,
  body: z.strictObject({ state: boundedText(200), code: boundedText(2000) }),
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
  body: z.strictObject({ ids: z.array(boundedText(100)).max(1000) }),
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
