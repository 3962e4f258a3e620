import {
  disconnectGithub,
  finalizeGithubInstall,
  getGithubStatus,
  initiateGithubInstall,
  listGithubInstallations,
} from '@sightline/contract/sources/github.ts';
import { endpointCase } from '../../../architecture/endpoint-case.ts';

export const endpointCases = [
  endpointCase(disconnectGithub, {
    request: ({ installationId }) => ({
      params: { installationId },
    }),
    access: { allows: ['owner'], foreign: 404 },
    writes: ['integration.disconnected'],
  }),
  endpointCase(finalizeGithubInstall, {
    request: ({ installationId }) => ({
      query: { installation_id: installationId },
    }),
    // An expired state and an installation of another organization get the same refusal.
    access: { allows: ['owner'], foreign: 403 },
    writesNothing:
      'Lists the repositories of a connected installation again. Connecting is audited: see github/routes.test.ts.',
  }),
  endpointCase(getGithubStatus, {
    access: { allows: 'members' },
  }),
  endpointCase(initiateGithubInstall, {
    request: ({ orgId }) => ({ query: { orgId, redirectURL: '/repositories' } }),
    access: { allows: ['owner'], foreign: 404 },
    writesNothing: 'Creates a nonce for the redirect to GitHub.',
  }),
  endpointCase(listGithubInstallations, {
    access: { allows: ['owner'] },
  }),
];
