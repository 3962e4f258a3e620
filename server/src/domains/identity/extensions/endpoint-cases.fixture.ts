import {
  authorizeExtension,
  disconnectExtension,
  getExtensionSettings,
  listExtensions,
  redeemExtensionCode,
  renewExtensionToken,
  revokeExtensionToken,
} from '@sightline/contract/identity/extensions.ts';
import { endpointCase } from '../../../architecture/endpoint-case.ts';

export const endpointCases = [
  endpointCase(authorizeExtension, {
    request: () => ({
      body: { side: 'ide', type: 'vscode', device: 'A desk', codeChallenge: 'c'.repeat(43) },
    }),
    access: { allows: 'members' },
    writesNothing: 'A code for a minute. Signing in with it is audited: see extensions.',
  }),
  endpointCase(disconnectExtension, {
    request: ({ extensionId }) => ({ params: { extensionId } }),
    access: { allows: 'accounts', otherAccounts: 404 },
    writes: ['extension.signed_out'],
  }),
  endpointCase(getExtensionSettings, {
    access: { allows: 'members', accepts: 'extensions' },
  }),
  endpointCase(listExtensions, {
    access: { allows: 'accounts' },
  }),
  endpointCase(redeemExtensionCode, {
    request: () => ({ body: { code: 'slc_nobody', codeVerifier: 'v'.repeat(43) } }),
    // A code and a token that do not exist: domains/identity/extensions tests valid ones.
    access: { allows: 'everyone', status: 401 },
    writesNothing: 'The code is nobody’s. Signing in is audited: see extensions.',
  }),
  endpointCase(renewExtensionToken, {
    request: () => ({ body: { refreshToken: 'slr_nobody' } }),
    access: { allows: 'everyone', status: 401 },
    writesNothing: 'The token is nobody’s. A renewal leaves only when it was.',
  }),
  endpointCase(revokeExtensionToken, {
    request: () => ({ body: { refreshToken: 'slr_nobody' } }),
    access: { allows: 'everyone' },
    writesNothing: 'The token is nobody’s. Signing out is audited: see extensions.',
  }),
];
