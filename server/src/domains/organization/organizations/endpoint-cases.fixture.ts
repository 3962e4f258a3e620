import {
  archiveOrganization,
  checkMayCreateOrganization,
  createOrganization,
  declineInvitation,
  getOrganization,
  leaveOrganization,
  listOrganizations,
  restoreOrganization,
  updateOrganization,
} from '@sightline/contract/organization/organizations.ts';
import { endpointCase } from '../../../architecture/endpoint-case.ts';

export const endpointCases = [
  endpointCase(archiveOrganization, {
    access: { allows: ['owner'] },
    recentSignIn: true,
    writes: ['organization.archived'],
  }),
  endpointCase(checkMayCreateOrganization, {
    access: { allows: 'accounts' },
  }),
  endpointCase(createOrganization, {
    request: () => ({ body: { displayName: 'Another one' } }),
    access: { allows: 'accounts' },
    writes: ['organization.created'],
  }),
  endpointCase(declineInvitation, {
    request: ({ orgId, invitationId }) => ({
      params: { orgId, invitationId },
    }),
    // An invitation of another account does not exist for the caller.
    access: { allows: 'accounts', otherAccounts: 404 },
    writes: ['invitation.declined'],
  }),
  endpointCase(getOrganization, {
    access: { allows: 'members' },
  }),
  endpointCase(leaveOrganization, {
    access: { allows: 'members' },
    writes: ['extension.signed_out', 'member.left'],
  }),
  endpointCase(listOrganizations, {
    request: () => ({ query: { include_invitations: 'true' } }),
    access: { allows: 'accounts' },
  }),
  endpointCase(restoreOrganization, {
    // No other principal is a member of an archived organization; that of the other owner is not archived.
    access: { allows: ['owner'], foreign: 409 },
    scene: 'archived',
    writes: ['organization.restored'],
  }),
  endpointCase(updateOrganization, {
    request: ({ orgId, fullName }) => ({
      body: { id: orgId, displayName: fullName.replace('/', ' '), description: 'Payments' },
    }),
    access: { allows: ['owner'], foreign: 404 },
    writes: ['organization.updated'],
  }),
];
