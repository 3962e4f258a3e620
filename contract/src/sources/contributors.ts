import { z } from 'zod';
import { csvExportOf } from '../core/csv-export.ts';
import { endpoint } from '../core/endpoint.ts';
import { pagedQuery } from '../core/paging.ts';
import { readRepositories } from '../core/permissions.ts';
import { timestamp } from '../core/text.ts';
import { extensionPause } from '../identity/extensions.ts';
import { repositoryParams } from './repositories.ts';

/** A contributor who is linked to another one, and the reason: `.mailmap` of the repository, or an Account Owner. */
const mergedContributor = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  githubName: z.string().nullable(),
  commits: z.number(),
  source: z.enum(['mailmap', 'owner']),
});

const contributor = z.object({
  id: z.string(),
  user_id: z.string().nullable(),
  name: z.string(),
  email: z.string(),
  picture: z.string().nullable(),
  githubName: z.string().nullable(),
  /** Other names, logins and addresses of the same person. */
  aliases: z.array(z.string()),
  /** Included in `commits` and `lastCommit`. */
  merged: z.array(mergedContributor),
  commits: z.number(),
  lastCommit: timestamp,
  // The extension status of others is null without permission to read members.
  browser_status: z.enum(['connected', 'disconnected']).nullable(),
  browser_timestamp: timestamp.nullable(),
  browser_type: z.string().nullable(),
  browser_paused: extensionPause.optional(),
  ide_status: z.enum(['connected', 'disconnected']).nullable(),
  ide_timestamp: timestamp.nullable(),
  ide_type: z.string().nullable(),
  ide_paused: extensionPause.optional(),
});
export type Contributor = z.infer<typeof contributor>;

export const listContributors = endpoint({
  method: 'GET',
  path: '/v2/repositories/:provider/:repoPath/contributors',
  summary: 'Lists the contributors of a repository with the connection state of their extensions.',
  scope: 'organization',
  permission: readRepositories,
  flag: 'release2',
  params: repositoryParams,
  query: pagedQuery(['date-desc', 'date-asc', 'name-asc', 'name-desc'], {}),
  topics: ['orgRepos', 'extStatus'],
  response: z.array(contributor),
  paged: true,
});
export const exportContributors = csvExportOf(listContributors);
export type ContributorsQuery = z.output<typeof listContributors.query>;
