import {
  exportPullRequests,
  getPullRequest,
  getPullRequestsMeta,
  listOwnPullRequests,
  listPullRequests,
} from '@sightline/contract/sources/pull-requests.ts';
import { endpointCase, listCases, repositoryParams } from '../../../architecture/endpoint-case.ts';

export const endpointCases = [
  endpointCase(getPullRequest, {
    request: (names) => ({
      params: { ...repositoryParams(names), prNumber: String(names.pullRequest) },
    }),
    access: { allows: ['owner', 'reviewer', 'auditor'], foreign: 404, except: { contributor: 404 } },
  }),
  endpointCase(getPullRequestsMeta, {
    request: (names) => ({ params: repositoryParams(names) }),
    access: { allows: ['owner', 'reviewer', 'auditor'], foreign: 404, except: { contributor: 404 } },
  }),
  endpointCase(listOwnPullRequests, {
    access: { allows: 'members' },
  }),
  ...listCases([listPullRequests, exportPullRequests], {
    request: (names) => ({
      params: repositoryParams(names),
      query: { statuses: 'in-progress' },
    }),
    access: { allows: ['owner', 'reviewer', 'auditor'], foreign: 404, except: { contributor: 404 } },
  }),
];
