import type { OrganizationSecurity } from '@sightline/contract/second-factors.ts';
import type { Actor } from '#core/actor.ts';
import { record } from '#core/audit.ts';
import { Conflict } from '#core/errors.ts';
import type { Services } from '#core/services.ts';
import { findOrganizationSecurity, findOwnFactors, hasAny } from './queries.ts';

/** Requires a second factor of every member, or no longer does; throws `conflict` for an owner who has none. */
export const requireSecondFactor = (
  { database, people, realtime }: Services,
  actor: Actor,
  required: boolean,
): Promise<OrganizationSecurity> =>
  database.withOrg(actor.orgId, async (tx) => {
    if (required && !hasAny(await findOwnFactors(tx, actor.accountId))) {
      throw Conflict('Set up a second factor for your own account first, or you could not come back in.');
    }
    const [changed] = await tx.db
      .updateTable('organization')
      .set({ require_second_factor: required })
      .where('id', '=', actor.orgId)
      .where('require_second_factor', '<>', required)
      .returning('id')
      .execute();
    if (changed) {
      const state = (on: boolean) => ({ state: on ? 'on' : 'off' });
      await record(tx, people, actor.orgId, actor, {
        action: 'organization.second_factor_required',
        subject: { kind: 'organization', id: actor.orgId },
        data: { before: state(!required), after: state(required) },
      });
      tx.afterCommit(() => realtime.tell(actor.orgId, 'orgSettings', {}));
    }
    return findOrganizationSecurity(tx, actor.orgId);
  });
