import type { StoreCondition } from '../store/condition.ts';
import { hashTerm } from '../terms.ts';
import {
  directCommits,
  mergesWithIncompleteRecord,
  selfApprovedMerges,
  unreviewedMerges,
} from './control-conditions.ts';
import { eventsInPrivateRepositories, eventsOfObservedMembers } from './repository-and-member-conditions.ts';
import type { QueryScene } from './scene.ts';
import { unreadEventsOf } from './unread-events.ts';
import { presenceCondition } from './values.ts';

/** The condition of an `is:` qualifier. */
export async function stateCondition({ services, actor }: QueryScene, state: string): Promise<StoreCondition> {
  switch (state) {
    case 'late':
      return { is: 'late' };
    case 'agent':
      return presenceCondition('agent');
    case 'self-approved':
      return selfApprovedMerges(services.database, actor.orgId);
    case 'direct':
      return directCommits(services.database, actor.orgId);
    case 'unreviewed':
      return unreviewedMerges;
    case 'gap':
      return mergesWithIncompleteRecord;
    case 'private':
      return eventsInPrivateRepositories(services.database, actor.orgId);
    case 'unread':
      return unreadEventsOf(services.database, actor);
    default:
      return { is: 'terms', any: [hashTerm(`status\n${state}`)] };
  }
}

/** The condition of a `has:` qualifier. */
export const hasCondition = async ({ services, actor }: QueryScene, part: string): Promise<StoreCondition> =>
  part === 'extension' ? eventsOfObservedMembers(services.database, actor.orgId) : presenceCondition(part);
