import {
  enableRepositories,
  exportRepositories,
  getRepository,
  getRepositoryById,
  listProviderRepos,
  listRepositories,
} from '@sightline/contract/sources/repositories.ts';
import { endpointCase, listCases, repositoryParams } from '../../../architecture/endpoint-case.ts';

export const endpointCases = [
  endpointCase(enableRepositories, {
    request: ({ repositoryId, fullName }) => ({
      body: { providerRepos: { github: { [fullName.split('/')[0] ?? '']: [{ id: repositoryId, tracked: true }] } } },
    }),
    // The body contains the IDs: an ID that is not offered is invalid input.
    access: { allows: ['owner'], foreign: 400 },
    writes: ['repository.disabled'],
    auditing: {
      request: ({ repositoryId, fullName }) => ({
        body: { providerRepos: { github: { [fullName.split('/')[0] ?? '']: [{ id: repositoryId, tracked: false }] } } },
      }),
    },
  }),
  endpointCase(getRepository, {
    request: (names) => ({ params: repositoryParams(names) }),
    // The owner works in it: a contributor sees only repositories in which they have worked.
    access: { allows: ['owner', 'reviewer', 'auditor'], foreign: 404, except: { contributor: 404 } },
  }),
  endpointCase(getRepositoryById, {
    request: ({ repositoryId }) => ({ params: { repositoryId } }),
    access: { allows: ['owner', 'reviewer', 'auditor'], foreign: 404, except: { contributor: 404 } },
  }),
  endpointCase(listProviderRepos, {
    access: { allows: 'members' },
  }),
  ...listCases([listRepositories, exportRepositories], {
    request: () => ({ query: { sort: 'name-asc' } }),
    access: { allows: 'members' },
  }),
];
