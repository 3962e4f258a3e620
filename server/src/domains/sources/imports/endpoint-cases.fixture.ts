import { retryImport } from '@sightline/contract/sources/repositories.ts';
import { endpointCase, repositoryParams } from '../../../architecture/endpoint-case.ts';

export const endpointCases = [
  endpointCase(retryImport, {
    request: (names) => ({ params: repositoryParams(names) }),
    access: { allows: ['owner'], foreign: 404 },
    writes: ['repository.import_requested'],
  }),
];
