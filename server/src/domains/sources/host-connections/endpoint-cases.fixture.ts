import {
  authorizeHost,
  connectHost,
  disconnectHost,
  finishHost,
  getHostConnection,
  listHostWorkspaces,
  selectHostWorkspaces,
} from '@sightline/contract/sources/host-connections.ts';
import { endpointCase } from '../../../architecture/endpoint-case.ts';
import { connectGitlab } from '../../../architecture/host-connection.ts';

const gitlab = () => ({ params: { provider: 'gitlab' } });

export const endpointCases = [
  endpointCase(authorizeHost, {
    request: () => ({ ...gitlab(), query: { redirectURL: '/repositories' } }),
    access: { allows: ['owner'], status: 409 },
    writesNothing: 'A nonce for the way to the host and back.',
  }),
  endpointCase(connectHost, {
    request: () => ({
      ...gitlab(),
      body: { baseURL: 'https://127.0.0.1', token: 'not a token' },
    }),
    // Only a host can validate a token, and without a connection there is no selection: see
    // domains/sources/host-connections.
    access: { allows: ['owner'], status: 400 },
    writesNothing: 'The token is none. Connecting is audited: see host-connections/routes.test.ts.',
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
    writesNothing: 'Nobody can sign in here. Connecting is audited: see host-connections/routes.test.ts.',
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
    writesNothing: 'Nothing is connected. Picking is audited: see host-connections/routes.test.ts.',
  }),
];
