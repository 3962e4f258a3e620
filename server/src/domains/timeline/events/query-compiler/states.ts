import type { StoreCondition } from '../store/condition.ts';
import { termOf } from '../terms.ts';
import { byObserved, inPrivate } from './belonging.ts';
import { selfApproved, unreviewed, withGap } from './evaluated.ts';
import type { QueryScene } from './scene.ts';
import { unreadBy } from './unread.ts';
import { having } from './values.ts';

/** The condition of an `is:` qualifier. */
export async function being({ services, actor }: QueryScene, state: string): Promise<StoreCondition> {
  switch (state) {
    case 'late':
      return { is: 'late' };
    case 'agent':
      return having('agent');
    case 'self-approved':
      return selfApproved(services.database, actor.orgId);
    case 'unreviewed':
      return unreviewed;
    case 'gap':
      return withGap;
    case 'private':
      return inPrivate(services.database, actor.orgId);
    case 'unread':
      return unreadBy(services.database, actor);
    default:
      return { is: 'terms', any: [termOf(`status\n${state}`)] };
  }
}

/** The condition of a `has:` qualifier. */
export const withPart = async ({ services, actor }: QueryScene, part: string): Promise<StoreCondition> =>
  part === 'extension' ? byObserved(services.database, actor.orgId) : having(part);
