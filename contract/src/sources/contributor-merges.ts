import { z } from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { timestamp } from '../core/text.ts';
import { repositoryParams } from './repositories.ts';

const mergeParty = z.object({
  id: z.string(),
  user_id: z.string().nullable(),
  name: z.string(),
  email: z.string(),
  githubName: z.string().nullable(),
  commits: z.number(),
  lastCommit: timestamp,
});
export type MergeParty = z.infer<typeof mergeParty>;

const contributorMerge = z.object({
  /** Null while it is a suggestion without a decision of an Account Owner. */
  id: z.string().nullable(),
  decision: z.enum(['suggested', 'merged', 'dismissed']),
  decidedAt: timestamp.nullable(),
  contributors: z.array(mergeParty).length(2),
});
export type ContributorMerge = z.infer<typeof contributorMerge>;

const path = '/v2/repositories/:provider/:repoPath/contributors/merges';

export const listContributorMerges = endpoint({
  method: 'GET',
  path,
  summary: 'Lists suggested merges of contributors with identical full names, and decisions of Account Owners.',
  scope: 'organization',
  permission: 'update:org',
  flag: 'release2',
  params: repositoryParams,
  response: z.array(contributorMerge),
});

export const decideContributorMerge = endpoint({
  method: 'POST',
  path,
  summary: 'Merges two contributors of a repository, or dismisses the suggestion. Either can be undone.',
  scope: 'organization',
  permission: 'update:org',
  flag: 'release2',
  params: repositoryParams,
  body: z.strictObject({
    contributorIds: z.tuple([z.uuid(), z.uuid()]),
    decision: z.enum(['merged', 'dismissed']),
  }),
  status: 201,
  response: z.object({ id: z.string() }),
});

export const undoContributorMerge = endpoint({
  method: 'DELETE',
  path: `${path}/:mergeId`,
  summary: 'Undoes a merge of contributors, or a dismissal.',
  scope: 'organization',
  permission: 'update:org',
  flag: 'release2',
  params: repositoryParams.extend({ mergeId: z.uuid() }),
  status: 204,
  response: z.null(),
});
