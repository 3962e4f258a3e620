import type { AccountActor } from '#core/actor.ts';
import { topic } from '#core/topics.ts';
import type { InvitationKey } from './queries.ts';

/** A signed-in account accepts an invitation. Subscribers throw if the account may not accept it. */
export const invitationPresented = topic<{ account: AccountActor; key: InvitationKey }>(
  'identity.invitation-presented',
);
