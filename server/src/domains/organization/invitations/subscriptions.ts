import { on } from '#core/topics.ts';
import { invitationPresented } from '../../identity/invitation-tickets/topics.ts';
import { joinByInvitation } from './commands.ts';

export const invitationSubscriptions = [on(invitationPresented, 'organization.join-member', joinByInvitation)];
