import { inviteMembers, revokeInvitation } from '@sightline/contract/organization/invitations.ts';
import { endpointCase } from '../../../architecture/endpoint-case.ts';

export const endpointCases = [
  endpointCase(inviteMembers, {
    request: () => ({
      body: { invite: { emails: ['nora@new.example'], roleID: 'rol_reviewer' } },
    }),
    access: { allows: ['owner'] },
    recentSignIn: true,
    writes: ['invitation.sent'],
  }),
  endpointCase(revokeInvitation, {
    request: ({ invitationId }) => ({ params: { invitationId } }),
    access: { allows: ['owner'], foreign: 404 },
    writes: ['invitation.revoked'],
  }),
];
