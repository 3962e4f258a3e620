import type {
  AccessReviewHostItem,
  listAccessReviewHostItems,
} from '@sightline/contract/compliance/access-review-items.ts';
import type { Page } from '@sightline/contract/core/endpoint.ts';
import { type HostPermission, hostPermissions } from '@sightline/contract/sources/host-access.ts';
import type { z } from 'zod';
import type { Actor } from '#core/actor.ts';
import type { Tx } from '#database/database.ts';
import { coveredHostDecisionSql, lastHostDecisionSql } from './host-items.ts';
import { findReview } from './queries.ts';

interface HostItemRow extends Record<string, unknown> {
  id: string;
  holderId: string;
  provider: AccessReviewHostItem['holder']['provider'];
  kind: AccessReviewHostItem['holder']['kind'];
  name: string;
  person: string | null;
  personName: string | null;
  permission: HostPermission;
  repositories: { id: string; name: string }[];
  inForce: number;
  decision: 'kept' | 'changed' | null;
  decidedAt: Date | null;
  reviewer: string | null;
  reviewerName: string | null;
  isCovered: boolean;
}

const sortSql = {
  'name-asc': 'lower(h.name) asc',
  'name-desc': 'lower(h.name) desc',
  'permission-desc': 'array_position($9::text[], l.permission) desc',
  'permission-asc': 'array_position($9::text[], l.permission) asc',
} as const;

/** Lists the access on code hosts of a review. Throws 404. */
export async function listHostItems(
  tx: Tx,
  actor: Actor,
  reviewId: string,
  query: z.output<typeof listAccessReviewHostItems.query>,
): Promise<Page<AccessReviewHostItem[]>> {
  await findReview(tx, actor.orgId, reviewId);
  const orNull = (values: readonly string[]) => (values.length > 0 ? values : null);
  const filters = [actor.orgId, reviewId, orNull(query.decision), orNull(query.kind), orNull(query.permission)];
  const search = query.search === '' ? null : query.search;
  const fromSql = `from access_review_host_item l
    join access_holder h on h.org_id = l.org_id and h.id = l.holder_id
    left join person p on p.org_id = h.org_id and p.id = h.person_id
    left join lateral person_display(h.org_id, h.person_id) named on true
    ${lastHostDecisionSql}
    where l.org_id = $1 and l.review_id = $2 and ($3::text[] is null or coalesce(d.decision, 'none') = any($3))
      and ($4::text[] is null or h.kind = any($4)) and ($5::text[] is null or l.permission = any($5))
      and ($6::text is null or strpos(lower(h.name), lower($6)) > 0 or strpos(lower(named.name), lower($6)) > 0)`;
  const rows = await tx.query<HostItemRow>({
    name: `access-reviews.host-${query.sort}`,
    text: `select l.id, h.id as "holderId", h.provider, h.kind, h.name, coalesce(p.merged_into, h.person_id) as person,
             named.name as "personName", l.permission, d.decision, d.at as "decidedAt", d.reviewer, b.name as "reviewerName",
             ${coveredHostDecisionSql} as "isCovered",
             (select coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'name', r.full_name) order by r.full_name), '[]') from repository r
              where r.org_id = l.org_id and r.id = any(l.repositories)) as repositories,
             (select count(*)::int from unnest(l.repositories) as of(repository) where l.permission = (
                select c.permission from access_change c where c.org_id = l.org_id and c.repository_id = of.repository
                  and c.holder_id = l.holder_id order by c.at desc limit 1)) as "inForce"
           ${fromSql.replace('where l.org_id', 'left join account b on b.id = d.reviewer where l.org_id')}
           order by ${sortSql[query.sort]}, lower(h.name), l.id limit $7 offset $8`,
    values: [
      ...[...filters, search, query.perPage, (query.page - 1) * query.perPage],
      ...(query.sort.startsWith('permission') ? [hostPermissions] : []),
    ],
  });
  const [counted] = await tx.query<{ total: number }>({
    name: 'access-reviews.host-count',
    text: `select count(*)::int as total ${fromSql}`,
    values: [...filters, search],
  });
  return { rows: rows.map((row) => itemOf(actor, row)), total: counted?.total ?? 0 };
}

function itemOf(actor: Actor, row: HostItemRow): AccessReviewHostItem {
  const { id, holderId, provider, kind, name, person, personName, permission, repositories, inForce } = row;
  const { decision, decidedAt, reviewer } = row;
  const own = person !== null && person === actor.personId;
  return {
    id,
    holder: { id: holderId, provider, kind, name, person: person === null ? null : { id: person, name: personName } },
    permission,
    repositories,
    inForce,
    decision:
      decision === null || decidedAt === null || reviewer === null
        ? null
        : { is: decision, at: decidedAt.toISOString(), by: { id: reviewer, name: row.reviewerName ?? '' } },
    allowed: !own && !row.isCovered && !actor.archived && actor.reach('create:evidence') !== undefined,
    own,
  };
}
