import type { AccessReviewItem, listAccessReviewItems } from '@sightline/contract/compliance/access-review-items.ts';
import type { AccessReview, listAccessReviews } from '@sightline/contract/compliance/access-reviews.ts';
import type { Page } from '@sightline/contract/core/endpoint.ts';
import type { RoleId } from '@sightline/contract/core/permissions.ts';
import type { z } from 'zod';
import type { Actor } from '#core/actor.ts';
import { NotFound } from '#core/errors.ts';
import type { Tx } from '#database/database.ts';
import { lastHostDecisionSql } from './host-items.ts';
import { endOfQuarter } from './quarters.ts';

type ReviewsQuery = z.output<typeof listAccessReviews.query>;
type LinesQuery = z.output<typeof listAccessReviewItems.query>;

interface AccessReviewRow extends Record<string, unknown> {
  id: string;
  quarter: string;
  openedAt: Date;
  openedBy: string | null;
  openedByName: string | null;
  lines: number;
  decided: number;
  state: AccessReview['state'];
  signedAt: Date | null;
  signedBy: string | null;
  signedByName: string | null;
}

// The last decision on each item.
const lastDecision = `left join lateral (
    select d.decision, d.at, d.reviewer from access_review_decision d
    where d.org_id = l.org_id and d.review_id = l.review_id and d.account_id = l.account_id and d.role_id = l.role_id
    order by d.at desc limit 1) d on true`;

const stateSql = `case when counted.covered = counted.lines then 'signed' when counted.decided = counted.lines then 'decided' else 'open' end`;

const reviewSql = `
  select r.id, to_char(r.quarter, 'YYYY-MM-DD') as quarter, r.opened_at as "openedAt", r.opened_by as "openedBy", o.name as "openedByName",
    counted.lines, counted.decided, ${stateSql} as state, s.at as "signedAt", s.signed_by as "signedBy", a.name as "signedByName"
  from access_review r
  left join lateral (
    select g.at, g.signed_by from access_review_signature g where g.org_id = r.org_id and g.review_id = r.id order by g.at desc limit 1) s on true
  left join account a on a.id = s.signed_by
  left join account o on o.id = r.opened_by
  cross join lateral (
    select count(*)::int as lines, count(items.at)::int as decided, count(*) filter (where items.at <= s.at)::int as covered
    from (
      select d.at from access_review_item l ${lastDecision} where l.org_id = r.org_id and l.review_id = r.id
      union all
      select d.at from access_review_host_item l ${lastHostDecisionSql} where l.org_id = r.org_id and l.review_id = r.id
    ) items) counted`;

/** Lists the access reviews of an organization. */
export async function listReviews(
  tx: Tx,
  orgId: string,
  { sort, page, perPage, state: states }: ReviewsQuery,
): Promise<Page<AccessReview[]>> {
  const direction = sort === 'quarter-asc' ? 'asc' : 'desc';
  const matchingSql = `${reviewSql} where r.org_id = $1 and ($2::text[] is null or ${stateSql} = any($2))`;
  const values = [orgId, states.length > 0 ? states : null];
  const rows = await tx.query<AccessReviewRow>({
    name: `access-reviews.list-${direction}`,
    text: `${matchingSql} order by r.quarter ${direction} limit $3 offset $4`,
    values: [...values, perPage, (page - 1) * perPage],
  });
  const [counted] = await tx.query<{ total: number }>({
    name: 'access-reviews.count',
    text: `select count(*)::int as total from (${matchingSql}) matching`,
    values,
  });
  return { rows: rows.map(reviewOf), total: counted?.total ?? 0 };
}

/** Throws 404. `quarter`: its first day. */
export async function findReviewOfQuarter(tx: Tx, orgId: string, quarter: string): Promise<AccessReview> {
  const [row] = await tx.query<AccessReviewRow>({
    name: 'access-reviews.quarter',
    text: `${reviewSql} where r.org_id = $1 and r.quarter = $2::date`,
    values: [orgId, quarter],
  });
  if (!row) throw NotFound('Access review');
  return reviewOf(row);
}

/** Throws 404. */
export async function findReview(tx: Tx, orgId: string, id: string): Promise<AccessReview> {
  const [row] = await tx.query<AccessReviewRow>({
    name: 'access-reviews.find',
    text: `${reviewSql} where r.org_id = $1 and r.id = $2`,
    values: [orgId, id],
  });
  if (!row) throw NotFound('Access review');
  return reviewOf(row);
}

function reviewOf({
  id,
  quarter,
  openedAt,
  openedBy,
  openedByName,
  lines,
  decided,
  state,
  signedAt,
  signedBy,
  signedByName,
}: AccessReviewRow): AccessReview {
  return {
    id,
    quarter,
    openedAt: openedAt.toISOString(),
    openedBy: openedBy === null ? null : { id: openedBy, name: openedByName ?? '' },
    dueAt: endOfQuarter(quarter).toISOString(),
    state,
    lines,
    decided,
    signed:
      signedAt === null || signedBy === null
        ? null
        : { at: signedAt.toISOString(), by: { id: signedBy, name: signedByName ?? '' } },
  };
}

interface LineRow extends Record<string, unknown> {
  accountId: string;
  name: string | null;
  email: string | null;
  roleId: RoleId;
  nowRole: RoleId | null;
  nowStatus: 'accepted' | 'active' | 'deactivated' | null;
  decision: 'kept' | 'changed' | null;
  decidedAt: Date | null;
  reviewer: string | null;
  reviewerName: string | null;
  covered: boolean | null;
  total: number;
}

/** Lists the items of a review. Throws 404. */
export async function listReviewItems(
  tx: Tx,
  actor: Actor,
  reviewId: string,
  query: LinesQuery,
): Promise<Page<AccessReviewItem[]>> {
  await findReview(tx, actor.orgId, reviewId);
  const [column, direction] = query.sort.split('-');
  const values = [
    ...[actor.orgId, reviewId, query.decision.length > 0 ? query.decision : null],
    ...[query.role.length > 0 ? query.role : null, query.search === '' ? null : query.search],
  ];
  const from = `from access_review_item l
    ${lastDecision}
    left join account a on a.id = l.account_id
    where l.org_id = $1 and l.review_id = $2 and ($3::text[] is null or coalesce(d.decision, 'none') = any($3))
      and ($4::text[] is null or l.role_id = any($4))
      and ($5::text is null or strpos(lower(a.name), lower($5)) > 0 or strpos(lower(a.email), lower($5)) > 0)`;
  const rows = await tx.query<LineRow>({
    name: `access-reviews.lines-${query.sort}`,
    text: `select l.account_id as "accountId", a.name, a.email, l.role_id as "roleId", m.role_id as "nowRole", m.status as "nowStatus",
             d.decision, d.at as "decidedAt", d.reviewer, b.name as "reviewerName",
             d.at <= (select max(g.at) from access_review_signature g where g.org_id = $1 and g.review_id = $2) as covered
           ${from.replace(
             'where l.org_id',
             `left join member m on m.org_id = l.org_id and m.account_id = l.account_id
             left join account b on b.id = d.reviewer where l.org_id`,
           )}
           order by ${column === 'role' ? 'l.role_id' : 'lower(a.name)'} ${direction}, lower(a.name), l.account_id, l.role_id limit $6 offset $7`,
    values: [...values, query.perPage, (query.page - 1) * query.perPage],
  });
  const [counted] = await tx.query<{ total: number }>({
    name: 'access-reviews.count-lines',
    text: `select count(*)::int as total ${from}`,
    values,
  });
  return { rows: rows.map((row) => lineOf(actor, row)), total: counted?.total ?? 0 };
}

function lineOf(actor: Actor, row: LineRow): AccessReviewItem {
  const { accountId, roleId, nowRole, nowStatus, decision, decidedAt, reviewer } = row;
  const own = accountId === actor.accountId;
  return {
    accountId,
    name: row.name ?? '',
    email: row.email ?? '',
    roleId,
    now: nowRole === null || nowStatus === null ? null : { roleId: nowRole, status: nowStatus },
    decision:
      decision === null || decidedAt === null || reviewer === null
        ? null
        : { is: decision, at: decidedAt.toISOString(), by: { id: reviewer, name: row.reviewerName ?? '' } },
    allowed: !own && !row.covered && !actor.archived && actor.reach('create:evidence') !== undefined,
    own,
  };
}
