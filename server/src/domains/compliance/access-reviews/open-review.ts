import type { CanonicalValue } from '@sightline/evidence/ledger/canonical.ts';
import { type AuditActor, recordAuditEntry } from '#core/audit.ts';
import { newId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { raiseNotifications } from '../../delivery/notifications/commands.ts';
import { hostItemChunks, insertHostItems, missingHostItems } from './host-items.ts';
import { type Quarter, quarterAt, quarterName, quarterUnderReview } from './quarters.ts';

// The number of items that fit into one ledger entry.
const itemsPerEntry = 200;

/**
 * Opens the review of the quarter that nears its end, or adds members, roles and access on code hosts since. Covers
 * what exists now, and what was added and removed during the quarter. Idempotent. Returns the number of added items.
 */
export async function openReview(services: Services, tx: Tx, orgId: string, now: Date): Promise<number> {
  const quarter = quarterUnderReview(now);
  return quarter ? extendReview(services, tx, orgId, { quarter, now, actor: { clock: true } }) : 0;
}

/** The same for the current quarter, before its end is near. `actor`: the member who requests it; the schedule by default. */
export const openReviewEarly = (
  services: Services,
  tx: Tx,
  orgId: string,
  { now, actor = { clock: true } }: { now: Date; actor?: AuditActor },
): Promise<number> => extendReview(services, tx, orgId, { quarter: quarterAt(now), now, actor });

async function extendReview(
  services: Services,
  tx: Tx,
  orgId: string,
  { quarter, now, actor }: { quarter: Quarter; now: Date; actor: AuditActor },
): Promise<number> {
  const missing = await missingLines(tx, orgId, quarter.first);
  const review = await maybeReview(tx, orgId, quarter.first);
  const hostItems = await missingHostItems(tx, orgId, { review, quarter, now });
  const added = missing.length + hostItems.length;
  if (added === 0) return 0;
  const id = review ?? newId();
  const record = async (isFirst: boolean, lines: { [name: string]: CanonicalValue }): Promise<string> => {
    const isNew = isFirst && review === undefined;
    const entry = await recordAuditEntry(tx, {
      people: services.people,
      orgId,
      actor,
      entry: {
        action: isNew ? 'access_review.opened' : 'access_review.extended',
        subject: { kind: 'access_review', id },
        data: { quarter: quarterName(quarter.first), ...lines, ...('accountId' in actor && { onRequest: true }) },
      },
    });
    if (isNew) {
      const openedBy = 'accountId' in actor ? actor.accountId : null;
      await tx.db
        .insertInto('access_review')
        .values({ org_id: orgId, id, quarter: quarter.first, opened_at: now, opened_by: openedBy, entry_id: entry })
        .execute();
    }
    return entry;
  };
  for (let at = 0; at < missing.length; at += itemsPerEntry) {
    const lines = missing.slice(at, at + itemsPerEntry);
    const entry = await record(at === 0, { lines: lines.map(({ account, role }) => ({ account, role })) });
    await tx.db
      .insertInto('access_review_item')
      .values(
        lines.map(({ account, role }) => ({
          org_id: orgId,
          review_id: id,
          account_id: account,
          role_id: role,
          added_at: new Date(),
          entry_id: entry,
        })),
      )
      .execute();
  }
  for (const [index, items] of hostItemChunks(hostItems).entries()) {
    const entry = await record(missing.length === 0 && index === 0, { hostAccess: items.map((item) => ({ ...item })) });
    await insertHostItems(tx, { orgId, review: id, items, entry });
  }
  if (review === undefined) {
    const notice = {
      type: 'access_review.opened',
      review: { id, name: quarterName(quarter.first) },
      lines: added,
    } as const;
    await raiseNotifications(services, tx, orgId, {
      actor,
      notifications: [{ ...notice, until: quarter.end.toISOString() }],
    });
  }
  tx.afterCommit(() => services.realtime.notifyOrganization(orgId, 'orgEvidence', {}));
  return added;
}

async function maybeReview({ db }: Tx, orgId: string, quarter: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('access_review')
    .select('id')
    .where('org_id', '=', orgId)
    .where('quarter', '=', new Date(`${quarter}T00:00:00Z`))
    .executeTakeFirst();
  return row?.id;
}

/**
 * Returns active members, and members who were added and removed during the quarter, whose role is in no item of it.
 * Locks the organization, so that concurrent runs open only one review.
 */
async function missingLines(tx: Tx, orgId: string, quarter: string): Promise<{ account: string; role: string }[]> {
  await tx.db.selectFrom('organization').select('id').where('id', '=', orgId).forNoKeyUpdate().execute();
  return tx.query<{ account: string; role: string }>({
    name: 'access-reviews.missing',
    text: `with needed as (
             select m.account_id, m.role_id from member m where m.org_id = $1 and m.status = 'active'
             union
             select c.account_id, c.role_id from member_change c
             where c.org_id = $1 and c.at >= $3::timestamptz and c.status in ('accepted', 'active')
               and not exists (select from member m where m.org_id = $1 and m.account_id = c.account_id and m.status <> 'deactivated')
               and coalesce((select b.status from member_change b where b.org_id = $1 and b.account_id = c.account_id
                 and b.at < $3::timestamptz order by b.at desc limit 1), 'removed') in ('deactivated', 'removed'))
           select n.account_id as account, n.role_id as role from needed n
           where not exists (
             select from access_review r join access_review_item l on l.org_id = r.org_id and l.review_id = r.id
             where r.org_id = $1 and r.quarter = $2::date and l.account_id = n.account_id and l.role_id = n.role_id)
           order by n.account_id, n.role_id`,
    values: [orgId, quarter, `${quarter}T00:00:00Z`],
  });
}
