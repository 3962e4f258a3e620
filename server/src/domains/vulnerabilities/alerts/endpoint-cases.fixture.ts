import { listAlertImports, retryAlertImport } from '@sightline/contract/vulnerabilities/alert-imports.ts';
import { endpointCase, repositoryParams } from '../../../architecture/endpoint-case.ts';

export const endpointCases = [
  endpointCase(listAlertImports, {
    request: (names) => ({ params: repositoryParams(names) }),
    access: { allows: ['owner', 'reviewer', 'auditor'], foreign: 404, except: { contributor: 404 } },
  }),
  endpointCase(retryAlertImport, {
    request: (names) => ({ params: repositoryParams(names) }),
    access: { allows: ['owner'], foreign: 404 },
    writes: ['repository.alerts_requested'],
  }),
];
