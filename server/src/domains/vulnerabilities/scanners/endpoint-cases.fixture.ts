import {
  connectScanner,
  disconnectScanner,
  exportScannerProjects,
  getScanner,
  listScannerProjects,
  matchScannerProject,
  syncScanner,
  testScanner,
} from '@sightline/contract/sources/integrations.ts';
import { endpointCase, listCases } from '../../../architecture/endpoint-case.ts';

const params = { scanner: 'checkmarx' } as const;

export const endpointCases = [
  endpointCase(connectScanner, {
    // Nothing listens here: an invalid key is refused before any request.
    request: () => ({ params, body: { tenant: 'acme', apiKey: 'not a key' } }),
    // Only Checkmarx One can validate a key: see domains/vulnerabilities/scanners.
    access: { allows: ['owner'], status: 400 },
    writesNothing: 'Rejects an invalid key. Connecting is audited: see scanners/checkmarx-routes.test.ts.',
  }),
  endpointCase(disconnectScanner, {
    request: () => ({ params }),
    access: { allows: ['owner'] },
    writes: ['integration.disconnected'],
  }),
  endpointCase(getScanner, {
    request: () => ({ params }),
    access: { allows: ['owner'] },
  }),
  ...listCases([listScannerProjects, exportScannerProjects], {
    request: () => ({ params, query: { search: 'pay' } }),
    access: { allows: ['owner'] },
  }),
  endpointCase(matchScannerProject, {
    request: ({ projectId, repositoryId }) => ({
      params: { ...params, projectId },
      body: { repositoryId },
    }),
    access: { allows: ['owner'], foreign: 404 },
    writes: ['scanner_project.matched'],
  }),
  endpointCase(syncScanner, {
    request: () => ({ params }),
    access: { allows: ['owner'] },
    writes: ['integration.sync_requested'],
  }),
  endpointCase(testScanner, {
    request: () => ({ params, body: { tenant: 'acme', apiKey: 'not a key' } }),
    access: { allows: ['owner'] },
    writesNothing: 'Reads only.',
  }),
];
