import { HOME_VISIT_GAP_MINUTES } from '@sightline/contract/organization/members.ts';
import type { Actor } from '#core/actor.ts';
import type { Tx } from '#database/database.ts';

/**
 * Extends the current visit of a member to the home page, or starts one after a gap. Returns the end of the visit before
 * it; null for a first visit.
 */
export async function continueHomeVisit(tx: Tx, { orgId, accountId }: Actor): Promise<{ previousAt: string | null }> {
  const [row] = await tx.query<{ previousAt: Date | null }>({
    name: 'members.home-visit',
    text: `update member set home_seen_at = now(),
             home_visit_before_at = case when home_seen_at < now() - make_interval(mins => $3) then home_seen_at
               else home_visit_before_at end
           where org_id = $1 and account_id = $2 returning home_visit_before_at as "previousAt"`,
    values: [orgId, accountId, HOME_VISIT_GAP_MINUTES],
  });
  return { previousAt: row?.previousAt?.toISOString() ?? null };
}
