import {
  listConnections,
  listIdentities,
  listSimilarAccounts,
  startLink,
  unlinkIdentity,
} from '@sightline/contract/identity/identities.ts';
import { endpointCase } from '../../../../architecture/endpoint-case.ts';

export const endpointCases = [
  endpointCase(listConnections, {
    access: { allows: 'everyone' },
  }),
  endpointCase(listIdentities, {
    access: { allows: 'accounts' },
  }),
  endpointCase(listSimilarAccounts, {
    access: { allows: 'accounts' },
  }),
  endpointCase(startLink, {
    request: () => ({ body: { connection: 'Username-Password-Authentication', path: '/' } }),
    access: { allows: 'accounts' },
    recentSignIn: true,
    writesNothing: 'Creates a ticket for connecting a login. Connecting is audited: see authentication/linking.',
  }),
  endpointCase(unlinkIdentity, {
    request: () => ({ params: { id: 'github|unknown' } }),
    // An identity that does not exist. identity/linking tests those of other accounts.
    access: { allows: 'accounts', status: 404 },
    recentSignIn: true,
    writesNothing: 'Returns 404 for an unknown identity. Disconnecting is audited: see authentication/linking.',
  }),
];
