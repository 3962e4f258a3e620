import type { listContributors } from '@sightline/contract/sources/contributors.ts';
import type { CsvColumns, RowOf } from '#core/list-exports.ts';

export const contributorCsvColumns: CsvColumns<RowOf<typeof listContributors>> = {
  name: ({ name }) => name,
  email: ({ email }) => email,
  'GitHub name': ({ githubName }) => githubName,
  'other names': ({ aliases }) => aliases,
  commits: ({ commits }) => commits,
  'last commit': ({ lastCommit }) => lastCommit,
  'browser extension': ({ browser_status }) => browser_status,
  'editor extension': ({ ide_status }) => ide_status,
  id: ({ id }) => id,
};
