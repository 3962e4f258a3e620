import type {
  decideAccessReviewHostItems,
  decideAccessReviewItems,
} from '@sightline/contract/compliance/access-review-items.ts';
import type { AccessReview, signAccessReview } from '@sightline/contract/compliance/access-reviews.ts';
import type { z } from 'zod';
import type { Actor } from '#core/actor.ts';
import { recordAuditEntry } from '#core/audit.ts';
import { Conflict, Forbidden, NotFound } from '#core/errors.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { requireCurrentPermission } from '../../organization/members/queries.ts';
import { findHostItems } from './host-items.ts';
import { openReviewEarly } from './open-review.ts';
import { quarterAt, quarterName } from './quarters.ts';
import { findReview, findReviewOfQuarter } from './queries.ts';

type LineDecisions = z.output<typeof decideAccessReviewItems.body>;
type SignatureBody = z.output<typeof signAccessReview.body>;

/**
 * Opens the review of the current quarter before its schedule, or adds the members and access that are missing in it.
 * Throws 409 if it contains everything.
 */
export function openReviewNow(services: Services, given: Actor): Promise<AccessReview> {
  const { orgId } = given;
  const now = new Date();
  const { first } = quarterAt(now);
  return services.database.withOrg(orgId, async (tx) => {
    const actor = await requireCurrentPermission(tx, given, 'create:evidence');
    if ((await openReviewEarly(services, tx, orgId, { now, actor })) === 0) {
      throw Conflict(
        `The access review of ${quarterName(first)} contains every member and all access already. Decide and sign there.`,
      );
    }
    return findReviewOfQuarter(tx, orgId, first);
  });
}

/**
 * Records decisions on items of a review, all or none. Throws 403 for an item about the actor, and 409 for a signed
 * item or a decision that contradicts the current role.
 */
export function decideReviewItems(
  services: Services,
  given: Actor,
  reviewId: string,
  { decision, lines: named }: LineDecisions,
): Promise<AccessReview> {
  const { orgId } = given;
  return services.database.withOrg(orgId, async (tx) => {
    const actor = await requireCurrentPermission(tx, given, 'create:evidence');
    await lockReview(tx, orgId, reviewId);
    const lines = await linesOf(tx, orgId, reviewId, named);
    if (await isAboutSelf(tx, actor, lines)) {
      throw Forbidden('You cannot review your own access. Another reviewer must decide on it.');
    }
    if (lines.some(({ covered }) => covered)) throw Conflict('This decision is signed and cannot be changed.');
    const same = lines.filter((line) => line.nowRole === line.roleId && line.nowStatus !== 'deactivated');
    if (decision === 'changed' && same.length > 0) {
      throw Conflict(`${same[0]?.name ?? 'The member'} still has that role. Change it under Members first.`);
    }
    if (decision === 'kept' && same.length < lines.length) {
      throw Conflict('The role was changed in the meantime. Confirm the change.');
    }
    const review = await findReview(tx, orgId, reviewId);
    const entry = await recordAuditEntry(tx, {
      people: services.people,
      orgId,
      actor,
      entry: {
        action: 'access_review.decided',
        subject: { kind: 'access_review', id: reviewId },
        data: {
          quarter: quarterName(review.quarter),
          decision,
          count: lines.length,
          lines: lines.map(({ accountId, roleId }) => ({ account: accountId, role: roleId })),
        },
      },
    });
    await tx.db
      .insertInto('access_review_decision')
      .values(
        lines.map(({ accountId, roleId }) => ({
          org_id: orgId,
          review_id: reviewId,
          account_id: accountId,
          role_id: roleId,
          reviewer: actor.accountId,
          decision,
          entry_id: entry,
        })),
      )
      .execute();
    notifyClients(services, tx, orgId);
    return findReview(tx, orgId, reviewId);
  });
}

/**
 * Records decisions on access on code hosts, all or none. That it changes is a task for the code host, whose next
 * readings prove it. Throws 403 for access of the actor or a deploy key that they added, and 409 for a signed item.
 */
export function decideHostItems(
  services: Services,
  given: Actor,
  reviewId: string,
  { decision, items: named }: z.output<typeof decideAccessReviewHostItems.body>,
): Promise<AccessReview> {
  const { orgId } = given;
  return services.database.withOrg(orgId, async (tx) => {
    const actor = await requireCurrentPermission(tx, given, 'create:evidence');
    await lockReview(tx, orgId, reviewId);
    const items = await findHostItems(tx, actor, { reviewId, ids: [...new Set(named)] });
    if (items.some(({ isOwn }) => isOwn)) {
      throw Forbidden('You cannot review your own access. Another reviewer must decide on it.');
    }
    if (items.some(({ isCovered }) => isCovered)) throw Conflict('This decision is signed and cannot be changed.');
    const review = await findReview(tx, orgId, reviewId);
    const entry = await recordAuditEntry(tx, {
      people: services.people,
      orgId,
      actor,
      entry: {
        action: 'access_review.decided',
        subject: { kind: 'access_review', id: reviewId },
        data: {
          quarter: quarterName(review.quarter),
          decision,
          count: items.length,
          hostAccess: items.map(({ id }) => id),
        },
      },
    });
    await tx.db
      .insertInto('access_review_host_decision')
      .values(
        items.map(({ id }) => ({
          org_id: orgId,
          review_id: reviewId,
          item_id: id,
          reviewer: actor.accountId,
          decision,
          entry_id: entry,
        })),
      )
      .execute();
    notifyClients(services, tx, orgId);
    return findReview(tx, orgId, reviewId);
  });
}

/**
 * Signs a review. Throws 409 if decisions are pending, all are signed, or the counts differ from those the signer saw.
 */
export function signReview(
  services: Services,
  given: Actor,
  reviewId: string,
  seen: SignatureBody,
): Promise<AccessReview> {
  const { orgId } = given;
  return services.database.withOrg(orgId, async (tx) => {
    const actor = await requireCurrentPermission(tx, given, 'create:evidence');
    await lockReview(tx, orgId, reviewId);
    const review = await findReview(tx, orgId, reviewId);
    if (review.state === 'signed') throw Conflict('Every decision is already signed.');
    if (review.lines !== seen.lines || review.decided !== seen.decided) {
      throw Conflict('Members or decisions were added in the meantime. Check them, then sign.');
    }
    if (review.state === 'open') throw Conflict('Decisions are pending. Decide on all members and access, then sign.');
    const entry = await recordAuditEntry(tx, {
      people: services.people,
      orgId,
      actor,
      entry: {
        action: 'access_review.signed',
        subject: { kind: 'access_review', id: reviewId },
        data: { quarter: quarterName(review.quarter), lines: review.lines },
      },
    });
    await tx.db
      .insertInto('access_review_signature')
      .values({ org_id: orgId, review_id: reviewId, signed_by: actor.accountId, entry_id: entry })
      .execute();
    notifyClients(services, tx, orgId);
    return findReview(tx, orgId, reviewId);
  });
}

const notifyClients = (services: Services, tx: Tx, orgId: string) =>
  tx.afterCommit(() => services.realtime.notifyOrganization(orgId, 'orgEvidence', {}));

/** Locks the review, so that decisions and signatures run one at a time. Throws 404. */
async function lockReview(tx: Tx, orgId: string, id: string): Promise<void> {
  const rows = await tx.query({
    name: 'access-reviews.lock',
    text: 'select pg_advisory_xact_lock(hashtextextended(id::text, 0)) from access_review where org_id = $1 and id = $2',
    values: [orgId, id],
  });
  if (rows.length === 0) throw NotFound('Access review');
}

interface AccessReviewLine extends Record<string, unknown> {
  accountId: string;
  roleId: string;
  name: string | null;
  covered: boolean;
  nowRole: string | null;
  nowStatus: string | null;
}

async function linesOf(
  tx: Tx,
  orgId: string,
  reviewId: string,
  named: LineDecisions['lines'],
): Promise<AccessReviewLine[]> {
  const lines = await tx.query<AccessReviewLine>({
    name: 'access-reviews.named',
    text: `select l.account_id as "accountId", l.role_id as "roleId", a.name, m.role_id as "nowRole", m.status as "nowStatus",
             exists (select from access_review_decision d join access_review_signature g
               on g.org_id = d.org_id and g.review_id = d.review_id and g.at >= d.at
               where d.org_id = l.org_id and d.review_id = l.review_id and d.account_id = l.account_id and d.role_id = l.role_id) as covered
           from unnest($3::uuid[], $4::text[]) as n(account_id, role_id)
           join access_review_item l on l.org_id = $1 and l.review_id = $2 and l.account_id = n.account_id and l.role_id = n.role_id
           left join member m on m.org_id = l.org_id and m.account_id = l.account_id
           left join account a on a.id = l.account_id
           group by l.org_id, l.review_id, l.account_id, l.role_id, a.name, m.role_id, m.status order by l.account_id, l.role_id`,
    values: [orgId, reviewId, named.map(({ accountId }) => accountId), named.map(({ roleId }) => roleId)],
  });
  const requested = new Set(named.map(({ accountId, roleId }) => `${accountId} ${roleId}`));
  if (lines.length < requested.size) throw NotFound('Member');
  return lines;
}

/** Whether an item is about the actor: their account, or another account of the same person. */
async function isAboutSelf(
  tx: Tx,
  { orgId, accountId, personId }: Actor,
  lines: readonly AccessReviewLine[],
): Promise<boolean> {
  const accounts = lines.map((line) => line.accountId);
  if (accounts.includes(accountId)) return true;
  const rows = await tx.query({
    name: 'access-reviews.self',
    text: `select from identity where org_id = $1 and kind = 'account' and person_id = $2 and value = any($3::text[]) limit 1`,
    values: [orgId, personId, accounts],
  });
  return rows.length > 0;
}
