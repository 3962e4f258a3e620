import { getPullRequest, getPullRequestsMeta } from '@sightline/contract/sources/pull-requests.ts';
import { listAlertImports } from '@sightline/contract/vulnerabilities/alert-imports.ts';
import { expect, test } from 'vitest';
import { createRepositoryPaths } from './repository-paths.ts';

const paths = createRepositoryPaths();
for (const endpoint of [getPullRequest, getPullRequestsMeta, listAlertImports])
  paths.add({ url: `/api${endpoint.path}`, endpoint });

const start = '/api/v2/repositories/github/';
test.each([
  ['acme/api', 'acme%2Fapi'],
  ['acme%2Fapi/alerts', 'acme%2Fapi/alerts'],
  ['acme/api/alerts?page=1', 'acme%2Fapi/alerts?page=1'],
  ['acme/alerts', 'acme%2Falerts'],
  ['acme/alerts/alerts', 'acme%2Falerts/alerts'],
  ['acme/tools/api/pull-requests/7', 'acme%2Ftools%2Fapi/pull-requests/7'],
  // A number follows the keyword, so this is a repository in a group.
  ['acme/tools/pull-requests/api', 'acme%2Ftools%2Fpull-requests%2Fapi'],
  ['acme/api/pull-requests/meta', 'acme%2Fapi/pull-requests/meta'],
  ['acme', 'acme'],
])('encodes the slashes of the repository in %s', (given, encoded) => {
  expect(paths.encode(start + given)).toBe(start + encoded);
});
