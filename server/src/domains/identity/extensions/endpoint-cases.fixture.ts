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
    writesNothing: 'Creates a code that is valid for one minute. Signing in with it is audited: see extensions.',
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
    request: () => ({ body: { code: 'slc_unknown', codeVerifier: 'v'.repeat(43) } }),
    // A code and a token that do not exist: domains/identity/extensions tests valid ones.
    access: { allows: 'everyone', status: 401 },
    writesNothing: 'Rejects an unknown code. Signing in is audited: see extensions.',
  }),
  endpointCase(renewExtensionToken, {
    request: () => ({ body: { refreshToken: 'slr_unknown' } }),
    access: { allows: 'everyone', status: 401 },
    writesNothing: 'Rejects an unknown token. A renewal stores only its time.',
  }),
  endpointCase(revokeExtensionToken, {
    request: () => ({ body: { refreshToken: 'slr_unknown' } }),
    access: { allows: 'everyone' },
    writesNothing: 'Ignores an unknown token. Signing out is audited: see extensions.',
  }),
];
