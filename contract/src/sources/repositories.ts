import { z } from 'zod';
import { csvExportOf } from '../core/csv-export.ts';
import { endpoint } from '../core/endpoint.ts';
import { pagedQuery } from '../core/paging.ts';
import { readRepositories } from '../core/permissions.ts';
import { provider } from '../core/providers.ts';
import { severityCounts } from '../core/severities.ts';
import { boundedText, timestamp } from '../core/text.ts';

/**
 * Names a repository as on its code host: `owner/name`, or deeper with nested groups. One path parameter: clients
 * encode its slashes, and the server accepts them plain as well.
 */
export const repositoryParams = z.strictObject({
  provider,
  repoPath: boundedText(400).regex(/^[^/\s]+(\/[^/\s]+)+$/, { error: 'must be owner/name' }),
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
  /** The same as `isPrivate`: section 3 of the specification contains both names. */
  private: z.boolean(),
  tracked: z.boolean(),
  pushedAt: timestamp.nullable(),
  /** URL on the code host. */
  url: z.string(),
});

/** The import progress of a repository. Counts are absolute; a total is null until known. */
export const repositoryImport = z.object({
  state: z.enum(['queued', 'running', 'rate_limited', 'done', 'failed']),
  phase: z.enum(['commits', 'pull_requests', 'files']),
  commits: z.object({ done: z.number(), total: z.number().nullable() }),
  pullRequests: z.object({ done: z.number(), total: z.number().nullable() }),
  files: z.object({ done: z.number(), total: z.number().nullable() }),
  /** Why the last attempt failed. */
  error: z.string().nullable(),
  /** Number of commits, pull requests and file lists that could not be imported. */
  missing: z.number(),
  /** `rate_limited`: end of the code host's rate limit. `queued`: next attempt after a failure. */
  waitingUntil: timestamp.nullable(),
  startedAt: timestamp.nullable(),
  finishedAt: timestamp.nullable(),
});
export type RepositoryImport = z.infer<typeof repositoryImport>;

export const repositoryListItem = repository.extend({
  lastChange: timestamp.nullable(),
  scannerStatus: z.enum(['healthy', 'error', 'not_configured']),
  /** Null until the first scan, to distinguish it from no findings. */
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
export const exportRepositories = csvExportOf(listRepositories);
export type RepositoriesQuery = z.output<typeof listRepositories.query>;

/** Whether the repository is still readable on its code host, and where to fix it if not. */
export const repositoryHost = z.object({
  /**
   * `suspended`: the installation is suspended. `removed`: the connection was removed. `refused`: the token is
   * rejected. `withheld`: the code host no longer offers this repository.
   */
  state: z.enum(['connected', 'suspended', 'removed', 'refused', 'withheld']),
  /** The account, group or workspace on the code host; null if no longer known. */
  account: z.string().nullable(),
  /** Its settings page on the code host. */
  settingsURL: z.string().nullable(),
  since: timestamp.nullable(),
});
export type RepositoryHost = z.infer<typeof repositoryHost>;

/** An item that an import could not read: a commit SHA, or a pull request number. */
export const importGap = z.object({
  kind: z.enum(['commit', 'pull_request', 'files']),
  item: z.string(),
  reason: z.string(),
  /** Null: no longer on the code host. */
  nextAttemptAt: timestamp.nullable(),
});
export type ImportGap = z.infer<typeof importGap>;

export const repositoryDetail = repositoryListItem.extend({
  host: repositoryHost,
  /** The first 50 missing items. */
  missing: z.array(importGap),
  counts: z.object({ pullRequests: z.number(), commits: z.number(), contributors: z.number() }),
  /** Time of the oldest commit if the code host lacks earlier ones (a shallow clone); null for a complete history. */
  truncatedAt: timestamp.nullable(),
  /** Opens Explore for this repository. */
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
  params: repositoryParams,
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
  pushedAt: timestamp.nullable(),
  tracked: z.boolean(),
});

/** Repositories offered by the connected code hosts, grouped by provider and owner. */
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

/** Clients may send back a repository from a list or the map; all fields but these two are ignored. */
const choice = z.strictObject({
  ...repository.partial().shape,
  lastChange: timestamp.nullish(),
  id: z.uuid(),
  tracked: z.boolean(),
});

export const enableRepositories = endpoint({
  method: 'POST',
  path: '/v2/auth0mgm/org/repos',
  summary: 'Enables and disables repositories, by a complete or partial map. Disabling keeps the data.',
  scope: 'organization',
  permission: 'manage:integrations',
  body: z.strictObject({
    providerRepos: z.partialRecord(provider, z.record(boundedText(200), z.array(choice).max(5000))),
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
  params: repositoryParams,
  status: 202,
  changes: ['orgRepos'],
  response: repositoryImport,
});
