import { type RoleId, roleNames } from '@sightline/contract/core/permissions.ts';
import type { Parameter } from '@sightline/contract/timeline/events.ts';
import type { Actor } from '#core/actor.ts';
import { newId } from '#core/ids.ts';
import type { NewEvent } from '../../timeline/events/commands.ts';

interface Named {
  name: string;
  email: string;
}

/** What happened to a membership: by its own person, or by another to `member`. */
export type MemberChange =
  | { did: 'joined'; role: RoleId }
  | { did: 'left' }
  | { did: 'deactivated' | 'reinstated' | 'removed'; member: Named }
  | { did: 'role_changed'; member: Named; before: RoleId; after: RoleId };

/** A change of who is in the organisation, as an event of the timeline under whoever made it. */
export const memberEvent = (doer: Pick<Actor, 'personId' | 'email'>, change: MemberChange): NewEvent => ({
  ...{ id: newId(), kind: 'member', asOf: new Date().toISOString(), actor: doer.personId },
  ...{ repositoryId: null, pullRequest: null, source: 'sightline', detail: [], words: 'member' },
  summary: summaryOf({ kind: 'user', display: doer.email, ident: doer.email }, change),
});

function summaryOf(doer: Parameter, change: MemberChange): NewEvent['summary'] {
  switch (change.did) {
    case 'joined':
      return { phrase: '{0} joined as {1}', parameters: [doer, roleOf(change.role)] };
    case 'left':
      return { phrase: '{0} left the organization', parameters: [doer] };
    case 'role_changed':
      return {
        phrase: '{0} changed the role of {1} from {2} to {3}',
        parameters: [doer, userOf(change.member), roleOf(change.before), roleOf(change.after)],
      };
    default:
      return { phrase: `{0} ${change.did} {1}`, parameters: [doer, userOf(change.member)] };
  }
}

const userOf = ({ name, email }: Named): Parameter => ({ kind: 'user', display: name, ident: email });
const roleOf = (role: RoleId): Parameter => ({ kind: 'text', display: roleNames[role], ident: '' });
