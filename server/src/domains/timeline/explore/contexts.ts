import { type ContextFilter, equalsFilter } from '@sightline/contract/timeline/contexts.ts';
import type { ContextSubject } from '@sightline/contract/timeline/explore.ts';
import type { Actor } from '#core/actor.ts';
import { NotFound } from '#core/errors.ts';
import { factId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { findMember } from '../../organization/members/queries.ts';
import { storeContext } from '../events/commands.ts';

/** The filters of a link from an object to Explore. Throws 404 if the actor does not see the object. */
export type ExploreContext = (tx: Tx, actor: Actor, id: string) => Promise<ContextFilter[]>;

declare module '#core/services.ts' {
  interface Services {
    /** Provided by higher domains, by the kind of object. */
    exploreContexts: Record<Exclude<ContextSubject['of'], 'member'>, ExploreContext>;
  }
}

/**
 * Stores the filters of a link from an object to Explore, the same for all members. Throws 404 if it is not visible.
 */
export async function storeExploreContext(
  { exploreContexts }: Pick<Services, 'exploreContexts'>,
  tx: Tx,
  actor: Actor,
  { of, id }: ContextSubject,
): Promise<{ contextId: string }> {
  const filters = await { ...exploreContexts, member }[of](tx, actor, id);
  // The ID depends on the filters: a finding that moved to another file gets another context.
  const contextId = factId('context', actor.orgId, JSON.stringify(filters));
  await storeContext(tx, actor.orgId, contextId, filters);
  return { contextId };
}

const member: ExploreContext = async (tx, actor, id) => {
  if (actor.reach('read:org-members') === undefined) throw NotFound('Member');
  const { email } = await findMember(tx, actor, id);
  if (email === null) throw NotFound('Member');
  return [equalsFilter('user', 'email', email)];
};
