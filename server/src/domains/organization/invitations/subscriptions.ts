import { subscribeTo } from '#core/topics.ts';
import { invitationPresented } from '../../identity/invitation-tickets/topics.ts';
import { joinByInvitation } from './commands.ts';

export const invitationSubscriptions = [subscribeTo(invitationPresented, 'organization.join-member', joinByInvitation)];
