import { createHash } from 'node:crypto';
import type { createWeekDigests, DigestDetail, reviewDigest } from '@sightline/contract/compliance/digests.ts';
import type { z } from 'zod';
import type { Actor } from '#core/actor.ts';
import { recordAuditEntry } from '#core/audit.ts';
import { Conflict, Forbidden, Invalid } from '#core/errors.ts';
import { newId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { requireCurrentPermission } from '../../organization/members/queries.ts';
import { repositoriesWithoutDigest, type Week } from './create-digests.ts';
import { findDigest } from './queries.ts';

const WEEK_MS = 7 * 24 * 60 * 60_000;

/**
 * Queues the digests of a past week for the repositories without one. Throws 409 for a week that has not ended or ended
 * before the organization was created, and if no repository lacks a digest.
 */
export function requestDigests(
  services: Services,
  given: Actor,
  firstDay: string,
): Promise<z.output<typeof createWeekDigests.response>> {
  const { orgId } = given;
  const from = new Date(`${firstDay}T00:00:00Z`);
  const week = { from: from.toISOString(), to: new Date(from.getTime() + WEEK_MS).toISOString() };
  return services.database.withOrg(orgId, async (tx) => {
    const actor = await requireCurrentPermission(tx, given, 'create:evidence');
    await requirePastWeek(tx, orgId, week);
    const repositories = await repositoriesWithoutDigest(tx, orgId, week);
    if (repositories.length === 0) {
      throw Conflict(
        'Every enabled repository that existed in this week has its digest. A digest is created once and never changes.',
      );
    }
    const entryId = await recordAuditEntry(tx, {
      people: services.people,
      orgId,
      actor,
      entry: {
        action: 'digest.requested',
        subject: { kind: 'organization', id: orgId },
        data: { week: firstDay, repositories },
      },
    });
    const request = { accountId: actor.accountId, entryId };
    await services.jobs.enqueue(tx, 'digests.create', { orgId, week, request }, { key: `${orgId} ${week.from}` });
    return { week: firstDay, repositories: repositories.length };
  });
}

async function requirePastWeek({ query }: Tx, orgId: string, week: Week): Promise<void> {
  const [found] = await query<{ isOver: boolean; existed: boolean }>({
    name: 'digests.week',
    text: `select $2::timestamptz <= now() as "isOver", created_at < $2::timestamptz as existed from organization where id = $1`,
    values: [orgId, week.to],
  });
  if (!found?.isOver) {
    throw Conflict('This week has not ended. Its digests are created on the Monday after it.');
  }
  if (!found.existed) throw Conflict('The organization was created after this week. Select a later week.');
}

type DigestReviewBody = z.output<typeof reviewDigest.body>;

/**
 * Signs off a digest as it was displayed. Throws 409 if the body differs or all items are decided, 403 for an item that
 * the reviewer contributed to, and 422 for an unknown or missing item.
 */
export function signOffDigest(
  services: Services,
  given: Actor,
  digestId: string,
  said: DigestReviewBody,
): Promise<DigestDetail> {
  const { orgId } = given;
  return services.database.withOrg(orgId, async (tx) => {
    const actor = await requireCurrentPermission(tx, given, 'create:evidence');
    await lockDigest(tx, orgId, digestId);
    const digest = await findDigest(tx, actor, digestId);
    if (digest.bodySha256 !== said.bodySha256) {
      throw Conflict('The digest changed after it was shown. Load it again and review it.');
    }
    if (digest.state === 'signed') throw Conflict('This digest is already signed off.');
    const choices = validateChoices(digest, said);
    const remaining = digest.items.filter(({ subject, decision }) => decision === null && !choices.has(subject));
    const completes = remaining.length === 0;
    if (choices.size === 0 && !completes) {
      throw Forbidden('You contributed to all remaining items. Another reviewer must sign off this digest.');
    }
    await saveReview(services, tx, actor, { digest, digestReviewBody: said, choices, completes });
    tx.afterCommit(() => services.realtime.notifyOrganization(orgId, 'orgDigests', { digestId }));
    return findDigest(tx, actor, digestId);
  });
}

/** Returns the decisions by subject. Every pending item that the reviewer may decide requires one. */
function validateChoices(
  digest: DigestDetail,
  { items }: DigestReviewBody,
): Map<string, DigestReviewBody['items'][number]['choice']> {
  const choices = new Map(items.map(({ subject, choice }) => [subject, choice]));
  for (const subject of choices.keys()) {
    const item = digest.items.find((one) => one.subject === subject);
    if (!item) throw Invalid('items', `contains an item that is not in this digest (${subject})`);
    if (item.isMine) throw Forbidden(`You contributed to ${item.title}. Another reviewer must decide on it.`);
    if (item.decision) throw Conflict(`${item.title} was decided in the meantime. Load the digest again.`);
  }
  const open = digest.items.find(
    ({ subject, decision, isMine }) => decision === null && !isMine && !choices.has(subject),
  );
  if (open) throw Invalid('items', `must contain a decision on ${open.title}`);
  return choices;
}

async function saveReview(
  services: Services,
  tx: Tx,
  actor: Actor,
  {
    digest,
    digestReviewBody: { decision, note },
    choices,
    completes,
  }: {
    digest: DigestDetail;
    digestReviewBody: DigestReviewBody;
    choices: ReadonlyMap<string, string>;
    completes: boolean;
  },
): Promise<void> {
  const { orgId, accountId } = actor;
  const items = Object.fromEntries(choices);
  const entryId = await recordAuditEntry(tx, {
    people: services.people,
    orgId,
    actor,
    entry: {
      action: 'digest.reviewed',
      subject: { kind: 'digest', id: digest.id },
      data: {
        decision,
        completes,
        repository: digest.repository.id,
        body: digest.bodySha256,
        items,
        note: createHash('sha256').update(note).digest('hex'),
      },
      ...(note !== '' && { personal: { note } }),
    },
  });
  await tx.query({
    name: 'digests.review',
    text: `insert into commit_digest_review (org_id, id, digest_id, reviewer, decision, note, body_sha256, items, completes, at, entry_id)
           values ($1, $2, $3, $4, $5, $6, decode($7, 'hex'), $8, $9, clock_timestamp(), $10)`,
    values: [
      ...[orgId, newId(), digest.id, accountId, decision, note, digest.bodySha256, JSON.stringify(items), completes],
      entryId,
    ],
  });
  await tx.query({
    name: 'digests.state',
    text: 'update commit_digest set state = $3 where org_id = $1 and id = $2',
    values: [orgId, digest.id, completes ? 'signed' : 'partly'],
  });
}

/** Serializes the reviews of one digest. */
const lockDigest = (tx: Tx, orgId: string, digestId: string): Promise<unknown> =>
  tx.query({
    name: 'digests.lock',
    text: `select pg_advisory_xact_lock(hashtextextended('digest ' || $1::uuid::text || $2::uuid::text, 0))`,
    values: [orgId, digestId],
  });
