import { allowMissingClasses, exportScans, getScan, listScans } from '@sightline/contract/vulnerabilities/scans.ts';
import { endpointCase, listCases, repositoryParams } from '../../../architecture/endpoint-case.ts';

export const endpointCases = [
  endpointCase(allowMissingClasses, {
    request: (names) => ({
      params: repositoryParams(names),
      body: { tool: 'spotbugs', allowed: true },
    }),
    access: { allows: ['owner'], foreign: 404 },
    writes: ['repository.missing_classes_changed'],
  }),
  endpointCase(getScan, {
    request: ({ scanId }) => ({ params: { scanId } }),
    access: {
      allows: ['owner', 'reviewer', 'auditor'],
      foreign: 404,
      accepts: 'accessKeys',
      except: { contributor: 404 },
    },
  }),
  ...listCases([listScans, exportScans], {
    request: (names) => ({ params: repositoryParams(names) }),
    access: { allows: ['owner', 'reviewer', 'auditor'], foreign: 404, except: { contributor: 404 } },
  }),
];
