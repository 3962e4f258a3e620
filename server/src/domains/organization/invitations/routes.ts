import { inviteMembers, revokeInvitation } from '@sightline/contract/organization/invitations.ts';
import type { FastifyInstance } from 'fastify';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { revokeInvitation as revoke } from './commands.ts';
import { inviteAddresses } from './invite.ts';

export function invitationsRoutes(app: FastifyInstance, services: Services): void {
  route(app, services, inviteMembers, async ({ actor, body }) => {
    try {
      return await inviteAddresses(services, actor, body.invite);
    } catch (error) {
      services.log.warn({ code: 'INVITE_ERROR', requestId: actor.requestId, err: error }, 'no invitations sent');
      throw error;
    }
  });
  route(app, services, revokeInvitation, async ({ actor, params }) => {
    await revoke(services, actor, params.invitationId);
    return { revoked: true as const };
  });
}
