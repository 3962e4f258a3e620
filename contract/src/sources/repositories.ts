import { z } from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { pagedQuery } from '../core/paging.ts';
import { readRepositories } from '../core/permissions.ts';
import { provider } from '../core/providers.ts';
import { severityCounts } from '../core/severities.ts';
import { instant, text } from '../core/text.ts';

/**
 * Names a repository as its code host does: `owner/name`, or deeper where groups nest. One path parameter:
 * clients send its slashes encoded, and the server takes them plain as well.
 */
export const ofRepository = z.strictObject({
  provider,
  repoPath: text(400).regex(/^[^/\s]+(\/[^/\s]+)+$/, { error: 'must be owner/name' }),
});

export const repository = z.object({
  id: z.string(),
  orgId: z.string(),
  provider,
  providerRepoId: z.string(),
  owner: z.string(),
  name: z.string(),
  fullName: z.string(),
  defaultBranch: z.string(),
  isPrivate: z.boolean(),
  /** The same as `isPrivate`: section 3 of the specification has both names. */
  private: z.boolean(),
  tracked: z.boolean(),
  pushedAt: instant.nullable(),
  /** Where the code host shows it. */
  url: z.string(),
});

/** How far the history of a repository has been read in. Counts are absolute; a total is null until it is known. */
export const repositoryImport = z.object({
  state: z.enum(['queued', 'running', 'rate_limited', 'done', 'failed']),
  phase: z.enum(['commits', 'pull_requests', 'files']),
  commits: z.object({ done: z.number(), total: z.number().nullable() }),
  pullRequests: z.object({ done: z.number(), total: z.number().nullable() }),
  files: z.object({ done: z.number(), total: z.number().nullable() }),
  /** Why the last attempt failed. */
  error: z.string().nullable(),
  /** How many commits, pull requests and lists of changed files could not be imported. */
  missing: z.number(),
  /** `waiting`: when the rate limit of the code host ends. `queued`: when a failed import is tried again. */
  waitingUntil: instant.nullable(),
  startedAt: instant.nullable(),
  finishedAt: instant.nullable(),
});
export type RepositoryImport = z.infer<typeof repositoryImport>;

export const repositoryListItem = repository.extend({
  lastChange: instant.nullable(),
  scannerStatus: z.enum(['healthy', 'error', 'not_configured']),
  /** Null until a scanner has looked: no finding and no scan are different things. */
  severityCounts: severityCounts.nullable(),
  openPullRequests: z.number(),
  import: repositoryImport.nullable(),
});
export type RepositoryListItem = z.infer<typeof repositoryListItem>;

export const listRepositories = endpoint({
  method: 'GET',
  path: '/v2/repositories',
  summary: 'Lists the enabled repositories of the organization.',
  scope: 'organization',
  permission: readRepositories,
  flag: 'release2',
  query: pagedQuery(['date-desc', 'date-asc', 'name-asc', 'name-desc', 'severity-desc', 'severity-asc'], {}),
  topics: ['orgRepos', 'orgFindings'],
  response: z.array(repositoryListItem),
  paged: true,
});
export type RepositoriesQuery = z.output<typeof listRepositories.query>;

/** Whether its code host still lets a repository be read, and where somebody sees to it if not. */
export const repositoryHost = z.object({
  /**
   * `suspended` somebody paused us there, `removed` what it was read through is no more, `refused` the token is taken no
   * more, `withheld` the host offers this repository no more.
   */
  state: z.enum(['connected', 'suspended', 'removed', 'refused', 'withheld']),
  /** Whose it is there: the account, group or workspace; null where that is not known any more. */
  account: z.string().nullable(),
  /** The page there where that is changed. */
  settingsURL: z.string().nullable(),
  since: instant.nullable(),
});
export type RepositoryHost = z.infer<typeof repositoryHost>;

/** What an import could not read: the sha of a commit, or the number of a pull request. */
export const importGap = z.object({
  kind: z.enum(['commit', 'pull_request', 'files']),
  item: z.string(),
  reason: z.string(),
  /** Null: the code host has it no more. */
  nextAttemptAt: instant.nullable(),
});
export type ImportGap = z.infer<typeof importGap>;

export const repositoryDetail = repositoryListItem.extend({
  host: repositoryHost,
  /** The first 50 of what is missing. */
  missing: z.array(importGap),
  counts: z.object({ pullRequests: z.number(), commits: z.number(), contributors: z.number() }),
  /** Time of the oldest commit where the code host lacks the ones before it (a shallow clone); null for a whole history. */
  truncatedAt: instant.nullable(),
  /** Opens Explore on this repository. */
  exploreContext: z.object({ contextId: z.string() }),
});
export type RepositoryDetail = z.infer<typeof repositoryDetail>;

export const getRepository = endpoint({
  method: 'GET',
  path: '/v2/repositories/:provider/:repoPath',
  summary: 'Returns an enabled repository by its path on the code host.',
  scope: 'organization',
  permission: readRepositories,
  flag: 'release2',
  params: ofRepository,
  topics: ['orgRepos', 'orgIntegrations', 'orgFindings'],
  response: repositoryDetail,
});

export const getRepositoryById = endpoint({
  method: 'GET',
  path: '/v2/repositories/:repositoryId',
  summary: 'Returns an enabled repository by its ID.',
  scope: 'organization',
  permission: readRepositories,
  flag: 'release2',
  params: z.strictObject({ repositoryId: z.uuid() }),
  topics: ['orgRepos', 'orgFindings'],
  response: repositoryDetail,
});

const providerRepo = z.object({
  id: z.string(),
  name: z.string(),
  fullName: z.string(),
  isPrivate: z.boolean(),
  private: z.boolean(),
  defaultBranch: z.string(),
  pushedAt: instant.nullable(),
  tracked: z.boolean(),
});

/** Repositories a connected code host lets us see, grouped by provider, then owner. */
export const providerRepos = z.partialRecord(provider, z.record(z.string(), z.array(providerRepo)));
export type ProviderRepos = z.infer<typeof providerRepos>;

export const listProviderRepos = endpoint({
  method: 'GET',
  path: '/v2/auth0mgm/org/repos',
  summary: 'Lists the repositories of the connected code hosts with their tracked flag.',
  scope: 'organization',
  permission: readRepositories,
  topics: ['orgRepos', 'orgIntegrations'],
  response: z.object({ providerRepos }),
});

/** What a list or the map answers of a repository may be sent back; all but these two is ignored. */
const choice = z.strictObject({
  ...repository.partial().shape,
  lastChange: instant.nullish(),
  id: z.uuid(),
  tracked: z.boolean(),
});

export const chooseRepositories = endpoint({
  method: 'POST',
  path: '/v2/auth0mgm/org/repos',
  summary: 'Enables and disables repositories, by a complete or partial map. Disabling keeps the data.',
  scope: 'organization',
  permission: 'manage:integrations',
  body: z.strictObject({
    providerRepos: z.partialRecord(provider, z.record(text(200), z.array(choice).max(5000))),
  }),
  changes: ['orgRepos', 'orgIntegrations'],
  response: z.object({ providerRepos }),
});

export const retryImport = endpoint({
  method: 'POST',
  path: '/v2/repositories/:provider/:repoPath/import',
  summary: 'Resumes a failed import of a repository, or imports missing items.',
  scope: 'organization',
  permission: 'manage:integrations',
  flag: 'release2',
  params: ofRepository,
  status: 202,
  changes: ['orgRepos'],
  response: repositoryImport,
});
