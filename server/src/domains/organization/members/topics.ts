import type { RoleId } from '@sightline/contract/core/permissions.ts';
import type { Actor } from '#core/actor.ts';
import { topic } from '#core/topics.ts';

interface MemberName {
  name: string;
  email: string;
}

/** A change of a membership: by the actor's own action, or by another actor to `member`. */
export type MembershipChange =
  | { did: 'joined'; role: RoleId }
  | { did: 'left' }
  | { did: 'deactivated' | 'reinstated' | 'removed'; member: MemberName }
  | { did: 'role_changed'; member: MemberName; before: RoleId; after: RoleId };

/** A membership changed; `eventId` becomes the ID of its event in the timeline. */
export const memberChanged = topic<{
  eventId: string;
  actor: Pick<Actor, 'personId' | 'email'>;
  change: MembershipChange;
}>('organization.member-changed');
