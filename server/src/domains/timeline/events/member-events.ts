import { type RoleId, roleNames } from '@sightline/contract/core/permissions.ts';
import type { Parameter } from '@sightline/contract/timeline/events.ts';
import type { Actor } from '#core/actor.ts';
import type { MembershipChange } from '../../organization/members/topics.ts';
import type { NewEvent } from './new-event.ts';

/** The timeline event of a membership change, with its actor. */
export const memberEvent = (
  id: string,
  actor: Pick<Actor, 'personId' | 'email'>,
  change: MembershipChange,
): NewEvent => ({
  id,
  kind: 'member',
  asOf: new Date().toISOString(),
  actor: actor.personId,
  repositoryId: null,
  pullRequest: null,
  source: 'sightline',
  detail: [],
  words: 'member',
  summary: summaryOf({ kind: 'user', display: actor.email, ident: actor.email }, change),
});

function summaryOf(actor: Parameter, change: MembershipChange): NewEvent['summary'] {
  switch (change.did) {
    case 'joined':
      return { phrase: '{0} joined as {1}', parameters: [actor, roleOf(change.role)] };
    case 'left':
      return { phrase: '{0} left the organization', parameters: [actor] };
    case 'role_changed':
      return {
        phrase: '{0} changed the role of {1} from {2} to {3}',
        parameters: [actor, userOf(change.member), roleOf(change.before), roleOf(change.after)],
      };
    default:
      return { phrase: `{0} ${change.did} {1}`, parameters: [actor, userOf(change.member)] };
  }
}

const userOf = ({ name, email }: { name: string; email: string }): Parameter => ({
  kind: 'user',
  display: name,
  ident: email,
});
const roleOf = (role: RoleId): Parameter => ({ kind: 'text', display: roleNames[role], ident: '' });
