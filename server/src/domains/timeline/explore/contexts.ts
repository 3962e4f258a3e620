import { type ContextFilter, equalsFilter } from '@sightline/contract/timeline/contexts.ts';
import type { ContextSubject } from '@sightline/contract/timeline/explore.ts';
import type { Actor } from '#core/actor.ts';
import { NotFound } from '#core/errors.ts';
import { factId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { findMember } from '../../organization/members/queries.ts';
import { keepContext } from '../events/commands.ts';

/** What a link from something into Explore asks for. Throws 404 where the actor does not see it. */
export type ExploreContext = (tx: Tx, actor: Actor, id: string) => Promise<ContextFilter[]>;

declare module '#core/services.ts' {
  interface Services {
    /** Of the domains above, by what a link is of. */
    exploreContexts: Record<Exclude<ContextSubject['of'], 'member'>, ExploreContext>;
  }
}

/** Keeps what a link from something into Explore asks for: the same for everybody. Throws 404 where it is not seen. */
export async function contextOf(
  { exploreContexts }: Pick<Services, 'exploreContexts'>,
  tx: Tx,
  actor: Actor,
  { of, id }: ContextSubject,
): Promise<{ contextId: string }> {
  const filters = await { ...exploreContexts, member }[of](tx, actor, id);
  // Of what it asks: a finding that moved to another file is another context.
  const contextId = factId('context', actor.orgId, JSON.stringify(filters));
  await keepContext(tx, actor.orgId, contextId, filters);
  return { contextId };
}

const member: ExploreContext = async (tx, actor, id) => {
  if (actor.reach('read:org-members') === undefined) throw NotFound('Member');
  const { email } = await findMember(tx, actor, id);
  if (email === null) throw NotFound('Member');
  return [equalsFilter('user', 'email', email)];
};
