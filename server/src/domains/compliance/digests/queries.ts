import type {
  Digest,
  DigestCounts,
  DigestDetail,
  DigestItemDecision,
  listDigests,
} from '@sightline/contract/compliance/digests.ts';
import type { Page } from '@sightline/contract/core/endpoint.ts';
import { explainReason } from '@sightline/evidence/controls/reasons.ts';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Actor } from '#core/actor.ts';
import { NotFound } from '#core/errors.ts';
import type { Tx } from '#database/database.ts';
import { visibleRepositories } from '../../organization/repository-access/queries.ts';
import { controlOf } from '../controls/catalog.ts';
import type { DigestBody } from './body.ts';
import { describeSubjects } from './subjects.ts';

type DigestsQuery = z.output<typeof listDigests.query>;

interface DigestRow {
  id: string;
  repository: Digest['repository'];
  from: Date;
  to: Date;
  dueAt: Date;
  counts: DigestCounts;
  flagged: number;
  missingEvidence: number;
  decided: number;
  signedAt: Date | null;
  requestedBy: string | null;
  requestedByName: string | null;
  createdOnRequestAt: Date | null;
  state: Digest['state'];
  bodySha256: string;
  epoch: number;
  size: number;
}

/** Lists the digests of repositories that the reader can see. */
export async function listDigestsOf(
  tx: Tx,
  actor: Actor,
  { state, repository, sort, page, perPage }: DigestsQuery,
): Promise<Page<Digest[]>> {
  const filterSql = sql`d.org_id = ${actor.orgId} and d.repository_id in (${visibleRepositories(tx, actor).select('repository.id')})
    ${state.length === 0 ? sql`` : sql`and d.state = any(${state}::text[])`}
    ${repository === undefined ? sql`` : sql`and d.repository_id = ${repository}::uuid`}`;
  const order = sort === 'due-asc' ? sql`d.due_at asc, d.id asc` : sql`d.due_at desc, d.id desc`;
  const ids = sql`select d.id from commit_digest d where ${filterSql}
    order by ${order} limit ${perPage} offset ${(page - 1) * perPage}`;
  const counted = await sql<{
    total: number;
  }>`select count(*)::int as total from commit_digest d where ${filterSql}`.execute(tx.db);
  const { rows } = await sql<DigestRow>`${digestSql(actor)} and d.id in (${ids}) order by ${order}`.execute(tx.db);
  return { rows: rows.map(digestOf), total: counted.rows[0]?.total ?? 0 };
}

/** Returns a digest with its items. Throws 404 if the reader cannot see its repository. */
export async function findDigest(tx: Tx, actor: Actor, id: string): Promise<DigestDetail> {
  const { rows } = await sql<DigestRow & { body: string }>`
    ${digestSql(actor, sql`d.body,`)} and d.id = ${id}::uuid and d.repository_id in (${visibleRepositories(tx, actor).select('repository.id')})`.execute(
    tx.db,
  );
  const [row] = rows;
  if (!row) throw NotFound('Digest');
  const body = JSON.parse(row.body) as DigestBody;
  const about = await describeSubjects(tx, actor.orgId, body);
  const reviews = await reviewsOf(tx, actor.orgId, id);
  return {
    ...digestOf(row),
    bodySha256: row.bodySha256,
    asOf: { epoch: row.epoch, size: row.size },
    items: body.flags.map(({ subject, controls }) => {
      const last = reviews.findLast(({ items }) => items[subject] !== undefined);
      const choice = last?.items[subject];
      const { title, link, persons } = about(subject);
      return {
        subject,
        title,
        link,
        controls: controls.map(({ id: control, reasons }) => ({
          id: control,
          title: controlOf(control).title,
          reasons: reasons.map(reasonOf),
        })),
        isMine: persons.includes(actor.personId),
        decision: last && choice ? { choice, by: last.by, at: last.at } : null,
      };
    }),
    missing: body.missingEvidence.map(({ control, rows: count, reasons }) => ({
      control,
      title: controlOf(control).title,
      rows: count,
      reasons: reasons.map(reasonOf),
    })),
    reviews: reviews.map(({ items: _, ...review }) => review),
  };
}

/** The reviews with the decisions on flagged items, oldest first. */
async function reviewsOf(tx: Tx, orgId: string, digestId: string) {
  const rows = await tx.query<{
    id: string;
    reviewer: string;
    name: string | null;
    decision: 'reviewed' | 'follow_up';
    note: string;
    at: Date;
    completes: boolean;
    items: Record<string, DigestItemDecision>;
  }>({
    name: 'digests.reviews',
    text: `select v.id, v.reviewer, a.name, v.decision, v.note, v.at, v.completes, v.items from commit_digest_review v
           left join visible_account a on a.id = v.reviewer
           where v.org_id = $1 and v.digest_id = $2 order by v.at, v.id`,
    values: [orgId, digestId],
  });
  return rows.map(({ reviewer, name, at, ...review }) => ({
    ...review,
    by: { accountId: reviewer, name },
    at: at.toISOString(),
  }));
}

const digestSql = (actor: Actor, also = sql``) => sql`
  select d.id, jsonb_build_object('id', r.id, 'provider', r.provider, 'fullName', r.full_name) as repository, ${also}
    d.period_from as "from", d.period_to as "to", d.due_at as "dueAt", d.requested_by as "requestedBy",
    w.name as "requestedByName", d.created_on_request_at as "createdOnRequestAt", d.counts, d.flagged, d.missing_evidence as "missingEvidence", d.state, v."signedAt", v.decided,
    encode(d.body_sha256, 'hex') as "bodySha256", d.as_of_epoch as epoch, d.as_of_size::int as size
  from commit_digest d
  join repository r on r.org_id = d.org_id and r.id = d.repository_id
  left join visible_account w on w.id = d.requested_by
  cross join lateral (
    select min(w.at) filter (where w.completes) as "signedAt", count(distinct key)::int as decided
    from commit_digest_review w left join lateral jsonb_object_keys(w.items) key on true
    where w.org_id = d.org_id and w.digest_id = d.id
  ) v
  where d.org_id = ${actor.orgId}`;

const digestOf = ({ from, to, dueAt, signedAt, ...row }: DigestRow): Digest => ({
  id: row.id,
  repository: row.repository,
  period: { from: from.toISOString(), to: to.toISOString() },
  dueAt: dueAt.toISOString(),
  state: row.state,
  counts: row.counts,
  flagged: row.flagged,
  decided: row.decided,
  missingEvidence: row.missingEvidence,
  signedAt: signedAt === null ? null : signedAt.toISOString(),
  requested:
    row.requestedBy === null || row.createdOnRequestAt === null
      ? null
      : {
          by: { accountId: row.requestedBy, name: row.requestedByName },
          createdAt: row.createdOnRequestAt.toISOString(),
        },
});

const reasonOf = (reason: string) => {
  const explanation = explainReason(reason);
  return explanation
    ? { code: explanation.code, text: explanation.text, about: explanation.about }
    : { code: reason, text: reason, about: null };
};
