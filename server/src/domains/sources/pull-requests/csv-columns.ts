import type { listPullRequests } from '@sightline/contract/sources/pull-requests.ts';
import type { CsvColumns, RowOf } from '#core/list-exports.ts';

export const pullRequestCsvColumns: CsvColumns<RowOf<typeof listPullRequests>> = {
  number: ({ number }) => number,
  title: ({ title }) => title,
  status: ({ status }) => status,
  draft: ({ draft }) => draft,
  author: ({ author }) => author.name,
  agent: ({ author }) => author.isAgent,
  reviewers: ({ reviewers }) => reviewers.map(({ name, state }) => `${name} (${state})`),
  'failed checks': ({ checks }) => checks?.failed,
  'share of agents': ({ aiShare }) => aiShare?.ratio,
  base: ({ baseRef }) => baseRef,
  head: ({ headRef }) => headRef,
  commit: ({ headSha }) => headSha,
  'created at': ({ createdAt }) => createdAt,
  'updated at': ({ updatedAt }) => updatedAt,
  'merged at': ({ mergedAt }) => mergedAt,
  'closed at': ({ closedAt }) => closedAt,
  id: ({ id }) => id,
  url: ({ url }) => url,
};
