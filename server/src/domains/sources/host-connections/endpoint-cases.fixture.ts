import {
  authorizeHost,
  connectHost,
  disconnectHost,
  finishHost,
  getHostConnection,
  listHostWorkspaces,
  selectHostWorkspaces,
  testHost,
} from '@sightline/contract/sources/host-connections.ts';
import { endpointCase } from '../../../architecture/endpoint-case.ts';
import { connectGitlab } from '../../../architecture/host-connection.ts';

const gitlab = () => ({ params: { provider: 'gitlab' } });

export const endpointCases = [
  endpointCase(authorizeHost, {
    request: () => ({ ...gitlab(), query: { redirectURL: '/repositories' } }),
    access: { allows: ['owner'], status: 409 },
    writesNothing: 'Creates a nonce for the redirect to the code host.',
  }),
  endpointCase(connectHost, {
    request: () => ({
      ...gitlab(),
      body: { baseURL: 'https://127.0.0.1', token: 'not a token' },
    }),
    // Only a host can validate a token, and without a connection there is no selection: see
    // domains/sources/host-connections.
    access: { allows: ['owner'], status: 400 },
    writesNothing: 'Rejects an invalid token. Connecting is audited: see host-connections/routes.test.ts.',
  }),
  endpointCase(disconnectHost, {
    request: gitlab,
    access: { allows: ['owner'] },
    writes: ['integration.disconnected'],
    auditing: {
      before: connectGitlab,
    },
  }),
  endpointCase(finishHost, {
    request: () => ({ ...gitlab(), body: { state: 'stale', code: 'spent' } }),
    access: { allows: ['owner'], status: 409 },
    writesNothing:
      'Fails without a response of the code host. Connecting is audited: see host-connections/routes.test.ts.',
  }),
  endpointCase(getHostConnection, {
    request: gitlab,
    access: { allows: ['owner'] },
  }),
  endpointCase(listHostWorkspaces, {
    request: gitlab,
    access: { allows: ['owner'], status: 409 },
  }),
  endpointCase(selectHostWorkspaces, {
    request: () => ({ ...gitlab(), body: { ids: ['1'] } }),
    access: { allows: ['owner'], status: 409 },
    writesNothing: 'Fails without a connection. Selecting a scope is audited: see host-connections/routes.test.ts.',
  }),
  endpointCase(testHost, {
    request: gitlab,
    // Without a connection. Other results: see host-connections/routes.test.ts.
    access: { allows: ['owner'], status: 409 },
    writesNothing: 'Reads only.',
  }),
];
