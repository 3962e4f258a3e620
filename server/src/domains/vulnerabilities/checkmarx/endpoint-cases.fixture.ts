import {
  connectCheckmarx,
  disconnectCheckmarx,
  getCheckmarx,
  listCheckmarxProjects,
  matchCheckmarxProject,
  syncCheckmarx,
  testCheckmarx,
} from '@sightline/contract/sources/integrations.ts';
import { endpointCase } from '../../../architecture/endpoint-case.ts';

export const endpointCases = [
  endpointCase(connectCheckmarx, {
    // Nothing listens here: an invalid key is refused before any request.
    request: () => ({ body: { tenant: 'acme', apiKey: 'not a key' } }),
    // Only Checkmarx One can validate a key: see domains/vulnerabilities/checkmarx.
    access: { allows: ['owner'], status: 400 },
    writesNothing: 'Rejects an invalid key. Connecting is audited: see checkmarx/routes.test.ts.',
  }),
  endpointCase(disconnectCheckmarx, {
    access: { allows: ['owner'] },
    writes: ['integration.disconnected'],
  }),
  endpointCase(getCheckmarx, {
    access: { allows: ['owner'] },
  }),
  endpointCase(listCheckmarxProjects, {
    request: () => ({ query: { search: 'pay' } }),
    access: { allows: ['owner'] },
  }),
  endpointCase(matchCheckmarxProject, {
    request: ({ projectId, repositoryId }) => ({
      params: { projectId },
      body: { repositoryId },
    }),
    access: { allows: ['owner'], foreign: 404 },
    writes: ['scanner_project.matched'],
  }),
  endpointCase(syncCheckmarx, {
    access: { allows: ['owner'] },
    writes: ['integration.sync_requested'],
  }),
  endpointCase(testCheckmarx, {
    request: () => ({ body: { tenant: 'acme', apiKey: 'not a key' } }),
    access: { allows: ['owner'] },
    writesNothing: 'Reads only.',
  }),
];
