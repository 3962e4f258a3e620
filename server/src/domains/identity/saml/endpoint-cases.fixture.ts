import { connectSaml, disconnectSaml, getSamlLogin } from '@sightline/contract/identity/saml.ts';
import { endpointCase } from '../../../architecture/endpoint-case.ts';

export const endpointCases = [
  endpointCase(connectSaml, {
    request: () => ({ body: { label: 'Corp', metadata: { xml: '<x/>' }, groupsAttribute: null } }),
    access: { allows: ['owner'], status: 400 },
    recentSignIn: true,
    writesNothing: 'The metadata cannot be used. A connection is audited: see identity/saml/sign-in.test.ts.',
  }),
  endpointCase(disconnectSaml, {
    access: { allows: ['owner'] },
    recentSignIn: true,
    writes: ['saml.disconnected'],
  }),
  endpointCase(getSamlLogin, { access: { allows: ['owner'] } }),
];
