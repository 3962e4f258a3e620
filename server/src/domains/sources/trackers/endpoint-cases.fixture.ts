import {
  connectTracker,
  disconnectTracker,
  getTracker,
  listTicketProjects,
  syncTracker,
  testTracker,
} from '@sightline/contract/sources/trackers.ts';
import { endpointCase } from '../../../architecture/endpoint-case.ts';

const linear = () => ({ params: { tracker: 'linear' } });
// Nothing may be called there.
const refused = () => ({
  params: { tracker: 'jira-data-center' },
  body: { baseURL: 'https://127.0.0.1', token: 'none' },
});

export const endpointCases = [
  endpointCase(connectTracker, {
    request: refused,
    // Only a tracker can validate a token: see trackers.test.ts.
    access: { allows: ['owner'], status: 400 },
    writesNothing: 'Rejects an address that must not be called. Connecting is audited: see trackers.test.ts.',
  }),
  endpointCase(disconnectTracker, {
    request: linear,
    access: { allows: ['owner'] },
    writes: ['integration.disconnected'],
  }),
  endpointCase(getTracker, { request: linear, access: { allows: ['owner'] } }),
  endpointCase(listTicketProjects, { access: { allows: ['owner', 'contributor'] } }),
  endpointCase(syncTracker, {
    request: linear,
    access: { allows: ['owner'] },
    writes: ['integration.sync_requested'],
  }),
  endpointCase(testTracker, {
    request: refused,
    access: { allows: ['owner'], status: 400 },
    writesNothing: 'Reads only.',
  }),
];
