import {
  decideContributorMerge,
  listContributorMerges,
  undoContributorMerge,
} from '@sightline/contract/sources/contributor-merges.ts';
import { exportContributors, listContributors } from '@sightline/contract/sources/contributors.ts';
import { endpointCase, listCases, repositoryParams } from '../../../architecture/endpoint-case.ts';

export const endpointCases = [
  ...listCases([listContributors, exportContributors], {
    request: (names) => ({ params: repositoryParams(names) }),
    access: { allows: ['owner', 'reviewer', 'auditor'], foreign: 404, except: { contributor: 404 } },
  }),
  endpointCase(decideContributorMerge, {
    request: (names) => ({
      params: repositoryParams(names),
      body: { contributorIds: [names.ownerPersonId, names.otherPersonId], decision: 'merged' },
    }),
    access: { allows: ['owner'], foreign: 404 },
    writes: ['person.merged'],
  }),
  endpointCase(listContributorMerges, {
    request: (names) => ({ params: repositoryParams(names) }),
    access: { allows: ['owner'], foreign: 404 },
  }),
  endpointCase(undoContributorMerge, {
    request: (names) => ({
      params: { ...repositoryParams(names), mergeId: names.mergeId },
    }),
    access: { allows: ['owner'], foreign: 404 },
    writes: ['person.merge_undone'],
  }),
];
