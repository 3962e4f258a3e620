import type { ContextFilter } from '@sightline/contract/timeline/contexts.ts';
import type { ContextSubject } from '@sightline/contract/timeline/explore.ts';
import type { Actor } from '#core/actor.ts';
import { NotFound } from '#core/errors.ts';
import { idOf } from '#core/ids.ts';
import type { Tx } from '#database/database.ts';
import { findMember } from '../../organization/members/queries.ts';
import { visibleScope } from '../../tools/tools/queries.ts';
import { findPlace } from '../../vulnerabilities/findings/queries.ts';
import { keepContext } from '../events/commands.ts';

/** Keeps what a link from something into Explore asks for: the same for everybody. Throws 404 where it is not seen. */
export async function contextOf(tx: Tx, actor: Actor, subject: ContextSubject): Promise<{ contextId: string }> {
  const filters = await filtersOf(tx, actor, subject);
  // Of what it asks: a finding that moved to another file is another context.
  const contextId = idOf('context', actor.orgId, JSON.stringify(filters));
  await keepContext(tx, actor.orgId, contextId, filters);
  return { contextId };
}

async function filtersOf(tx: Tx, actor: Actor, { of, id }: ContextSubject): Promise<ContextFilter[]> {
  switch (of) {
    case 'finding': {
      const { repository, path } = await findPlace(tx, actor, id);
      const within = is('repository', 'fullName', repository);
      return path === null ? [within] : [within, is('file', 'path', path)];
    }
    case 'tool':
      await visibleScope(tx, actor, id);
      return [is('tool', 'id', id)];
    case 'member': {
      if (actor.reach('read:org-members') === undefined) throw NotFound('The member');
      const { email } = await findMember(tx, actor, id);
      if (email === null) throw NotFound('The member');
      return [is('user', 'email', email)];
    }
  }
}

const is = (within: ContextFilter['within'], field: string, value: string): ContextFilter => ({
  within,
  field,
  predicate: 'is',
  arguments: [value],
});
