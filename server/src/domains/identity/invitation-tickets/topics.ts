import type { AccountActor } from '#core/actor.ts';
import { topic } from '#core/topics.ts';
import type { InvitationKey } from './queries.ts';

/** An account that signed in accepts an invitation. Subscribers throw what the account is refused for. */
export const invitationPresented = topic<{ account: AccountActor; key: InvitationKey }>(
  'identity.invitation-presented',
);
