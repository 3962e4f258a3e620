import pg from 'pg';
import { newId } from '#core/ids.ts';
import type { Tx } from '#database/database.ts';
import { superuserUrl, type TestServer } from '#testing/server.ts';

/**
 * An open review with the role of the contributor and the access of an account that belongs to no member; and one of the previous
 * quarter that is decided and not signed.
 */
export interface SeededAccessReview {
  reviewId: string;
  decidedReviewId: string;
  hostItemId: string;
  holderId: string;
}

export const newAccessReviewIds = (): SeededAccessReview => ({
  reviewId: newId(),
  decidedReviewId: newId(),
  hostItemId: newId(),
  holderId: newId(),
});

interface AccessReviewFixture extends SeededAccessReview {
  orgId: string;
  owner: string;
  contributor: string;
  repositoryId: string;
}

export async function insertAccessReviews({ db }: Tx, fixture: AccessReviewFixture): Promise<void> {
  const { orgId, owner, contributor } = fixture;
  const line = { org_id: orgId, account_id: contributor, role_id: 'rol_contributor' };
  for (const [id, quarter] of [
    [fixture.reviewId, '2026-04-01'],
    [fixture.decidedReviewId, '2026-01-01'],
  ] as const) {
    const at = new Date(`${quarter}T00:00:00Z`);
    await db
      .insertInto('access_review')
      .values({ org_id: orgId, id, quarter, opened_at: at, entry_id: newId() })
      .execute();
    await db
      .insertInto('access_review_item')
      .values({ ...line, review_id: id, added_at: at, entry_id: newId() })
      .execute();
  }
  await db
    .insertInto('access_review_decision')
    .values({ ...line, review_id: fixture.decidedReviewId, reviewer: owner, decision: 'kept', entry_id: newId() })
    .execute();
  await insertHostItem({ db }, fixture);
}

async function insertHostItem(
  { db }: Pick<Tx, 'db'>,
  { orgId, reviewId, hostItemId, holderId, repositoryId }: AccessReviewFixture,
): Promise<void> {
  const [at, routes] = [new Date('2026-04-01T00:00:00Z'), ['direct']];
  await db
    .insertInto('access_holder')
    .values({ org_id: orgId, id: holderId, provider: 'github', kind: 'person', host_id: holderId, name: 'mallory' })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const change = { org_id: orgId, repository_id: repositoryId, holder_id: holderId, at, permission: 'write' };
  await db
    .insertInto('access_change')
    .values({ ...change, routes, can_bypass: false, entry_id: newId() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await db
    .insertInto('access_review_host_item')
    .values({
      org_id: orgId,
      review_id: reviewId,
      id: hostItemId,
      holder_id: holderId,
      permission: 'write',
      repositories: [repositoryId],
      added_at: at,
      entry_id: newId(),
    })
    .execute();
}

/** Restores the reviews after decisions or signatures. Only a superuser can delete decisions. */
export async function resetAccessReviews(server: TestServer, fixture: AccessReviewFixture): Promise<void> {
  const { database } = server.services;
  const { orgId } = fixture;
  const isInitial = await database.withOrg(orgId, async (tx) => {
    const [row] = await tx.query<{ ok: boolean }>({
      name: '',
      text: `select (select count(*) = 1 from access_review_decision where org_id = $1)
               and (select count(*) = 0 from access_review_signature where org_id = $1)
               and (select count(*) = 0 from access_review_host_decision where org_id = $1)
               and (select count(*) = 2 from access_review where org_id = $1) as ok`,
      values: [orgId],
    });
    return row?.ok === true;
  });
  if (isInitial) return;
  const client = new pg.Client({ connectionString: superuserUrl(server.databaseUrl) });
  await client.connect();
  const tables = [
    ...['access_review_signature', 'access_review_decision', 'access_review_host_decision'],
    ...['access_review_host_item', 'access_review_item', 'access_review'],
  ];
  for (const table of tables) {
    await client.query(`delete from ${table} where org_id = $1`, [orgId]);
  }
  await client.end();
  await database.withOrg(orgId, (tx) => insertAccessReviews(tx, fixture));
}
