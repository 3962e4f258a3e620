import type { HostPermission } from '@sightline/contract/sources/host-access.ts';
import type { Actor } from '#core/actor.ts';
import { NotFound } from '#core/errors.ts';
import { newId } from '#core/ids.ts';
import type { Tx } from '#database/database.ts';
import { grantsToReview, loadAccess, repositoriesOfGrant } from '../../sources/host-access/queries.ts';
import type { Quarter } from './quarters.ts';

/** Access that is in no item of a review yet. */
interface NewHostItem {
  item: string;
  holder: string;
  permission: HostPermission;
  repositories: readonly string[];
}

// So that an item, and all items of an audit entry, fit into one ledger entry.
const MAX_REPOSITORIES = 100;

/** Access that the review of a quarter has to contain now, and does not. `review`: its ID, if it is open. */
export async function missingHostItems(
  tx: Tx,
  orgId: string,
  { review, quarter, now }: { review: string | undefined; quarter: Quarter; now: Date },
): Promise<NewHostItem[]> {
  const known = await tx.query<{ holder: string; permission: string; repository: string }>({
    name: 'access-reviews.host-known',
    text: `select l.holder_id as holder, l.permission, of.repository from access_review_host_item l
           cross join lateral unnest(l.repositories) as of(repository) where l.org_id = $1 and l.review_id = $2`,
    values: [orgId, review ?? null],
  });
  const keyOf = (...parts: readonly string[]) => parts.join(' ');
  const listed = new Set(known.map(({ holder, permission, repository }) => keyOf(holder, permission, repository)));
  const from = `${quarter.first}T00:00:00.000Z`;
  const grants = grantsToReview(await loadAccess(tx, orgId), { from, moment: now.toISOString() });
  return grants.flatMap((grant) => {
    const { permission } = grant;
    const { holder } = grant.holder;
    const missing = repositoriesOfGrant(grant).filter((one) => !listed.has(keyOf(holder, permission, one)));
    const items: NewHostItem[] = [];
    for (let at = 0; at < missing.length; at += MAX_REPOSITORIES) {
      items.push({ item: newId(), holder, permission, repositories: missing.slice(at, at + MAX_REPOSITORIES) });
    }
    return items;
  });
}

/** Divides items into parts that each fit into one audit entry. */
export function hostItemChunks(items: readonly NewHostItem[]): NewHostItem[][] {
  const chunks: NewHostItem[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const item of items) {
    if (size + item.repositories.length + 1 > 2 * MAX_REPOSITORIES) {
      chunks.push([]);
      size = 0;
    }
    chunks.at(-1)?.push(item);
    size += item.repositories.length + 1;
  }
  return chunks;
}

export async function insertHostItems(
  { db }: Tx,
  { orgId, review, items, entry }: { orgId: string; review: string; items: readonly NewHostItem[]; entry: string },
): Promise<void> {
  await db
    .insertInto('access_review_host_item')
    .values(
      items.map(({ item, holder, permission, repositories }) => ({
        org_id: orgId,
        review_id: review,
        id: item,
        holder_id: holder,
        permission,
        repositories: [...repositories],
        added_at: new Date(),
        entry_id: entry,
      })),
    )
    .execute();
}

/** SQL that joins the last decision of an item `l` as `d`. */
export const lastHostDecisionSql = `left join lateral (
    select d.decision, d.at, d.reviewer from access_review_host_decision d
    where d.org_id = l.org_id and d.review_id = l.review_id and d.item_id = l.id order by d.at desc limit 1) d on true`;

/** SQL that tells whether a signature covers the last decision `d` of an item `l`. */
export const coveredHostDecisionSql = `coalesce(d.at <= (
  select max(g.at) from access_review_signature g where g.org_id = l.org_id and g.review_id = l.review_id), false)`;

interface DecidedItem extends Record<string, unknown> {
  id: string;
  isOwn: boolean;
  isCovered: boolean;
}

/** The named items of a review. Throws 404 if one does not exist. */
export async function findHostItems(
  tx: Tx,
  { orgId, personId }: Actor,
  { reviewId, ids }: { reviewId: string; ids: readonly string[] },
): Promise<DecidedItem[]> {
  const rows = await tx.query<DecidedItem>({
    name: 'access-reviews.host-named',
    text: `select l.id, coalesce(coalesce(p.merged_into, h.person_id) = $4::uuid, false) as "isOwn", ${coveredHostDecisionSql} as "isCovered"
           from access_review_host_item l
           join access_holder h on h.org_id = l.org_id and h.id = l.holder_id
           left join person p on p.org_id = h.org_id and p.id = h.person_id
           ${lastHostDecisionSql}
           where l.org_id = $1 and l.review_id = $2 and l.id = any($3::uuid[]) order by l.id`,
    values: [orgId, reviewId, ids, personId],
  });
  if (rows.length < ids.length) throw NotFound('Access');
  return rows;
}
