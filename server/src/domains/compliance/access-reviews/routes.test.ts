import { decideAccessReviewItems, listAccessReviewItems } from '@sightline/contract/compliance/access-review-items.ts';
import {
  getAccessReview,
  listAccessReviews,
  openAccessReview,
  signAccessReview,
} from '@sightline/contract/compliance/access-reviews.ts';
import { deactivateMember } from '@sightline/contract/organization/members.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Tx } from '#database/database.ts';
import { runWhileOpen } from '#testing/besides.ts';
import {
  refusalOf,
  shareTestServer,
  type TestAccount,
  type TestOrganization,
  type TestServer,
} from '#testing/server.ts';
import { inboxOf, runJob } from '../../delivery/notifications/testing/scene.ts';
import { sequenceEntries } from '../../ledger/ledger/sequence.ts';
import { evaluatePopulation } from '../controls/evaluate-population.ts';
import { openReview } from './open-review.ts';
import { quarterAt } from './quarters.ts';

let server: TestServer;
let org: TestOrganization;
let ada: TestAccount;
let reviewer: TestAccount;
beforeAll(async () => {
  server = await shareTestServer();
});
beforeEach(async () => {
  org = await server.make.organization('Acme');
  ada = await server.make.member(org.id, 'rol_contributor');
  reviewer = await server.make.member(org.id, 'rol_reviewer');
});
afterAll(() => server.close());

/** One day before the end of the current quarter. */
const lateInQuarter = new Date(quarterAt(new Date()).end.getTime() - 86_400_000);
const open = (at = lateInQuarter) =>
  server.services.database.withOrg(org.id, (tx) => openReview(server.services, tx, org.id, at));
const as = (account: TestAccount) => server.as(account, org.id);
async function theReview(): Promise<string> {
  const {
    rows: [review],
  } = await as(org.owner)(listAccessReviews, { query: {} });
  return review?.id ?? '';
}
const decideKept = (by: TestAccount, reviewId: string, ...lines: [TestAccount, string][]) =>
  as(by)(decideAccessReviewItems, {
    params: { reviewId },
    body: {
      decision: 'kept',
      lines: lines.map(([{ id }, roleId]) => ({ accountId: id, roleId: roleId as 'rol_owner' })),
    },
  });
const sign = (by: TestAccount, reviewId: string, lines = 3, decided = 3) =>
  as(by)(signAccessReview, { params: { reviewId }, body: { lines, decided } });

test('opens one review two weeks before quarter end and notifies members who may decide', async () => {
  expect(await open(new Date(quarterAt(new Date()).end.getTime() - 15 * 86_400_000))).toBe(0);
  const openLate = (tx: Tx) => openReview(server.services, tx, org.id, lateInQuarter);
  const second = await runWhileOpen(server.services.database, org.id, openLate, openLate);
  expect(second).toEqual({ status: 'fulfilled', value: 0 });
  const { rows: reviews } = await as(reviewer)(listAccessReviews, { query: {} });
  expect((await as(reviewer)(listAccessReviews, { query: { state: ['open', 'decided'] } })).total).toBe(1);
  expect(await as(reviewer)(listAccessReviews, { query: { state: ['signed'] } })).toEqual({ rows: [], total: 0 });
  expect(reviews).toMatchObject([{ state: 'open', lines: 3, decided: 0, signed: null }]);
  await runJob(server, 'notifications.deliver', org.id);
  const { items: notifications } = await inboxOf(server, org.id, reviewer);
  expect(notifications).toMatchObject([
    { type: 'access_review.opened', link: `/evidence/access-reviews/${reviews[0]?.id}` },
  ]);
  expect((await inboxOf(server, org.id, ada)).items).toEqual([]);
});

test('opens the review of the quarter on request, records who opened it, and adds members who joined since', async () => {
  const review = await as(reviewer)(openAccessReview, {});
  expect(review).toMatchObject({
    quarter: quarterAt(new Date()).first,
    state: 'open',
    lines: 3,
    openedBy: { id: reviewer.id, name: reviewer.name },
  });
  await expect(as(org.owner)(openAccessReview, {})).rejects.toMatchObject({
    status: 409,
    refusal: { message: expect.stringContaining('contains every member and all access already') },
  });
  expect(await refusalOf(as(ada)(openAccessReview, {}))).toMatchObject({ status: 403 });
  await server.make.member(org.id, 'rol_auditor');
  expect(await as(org.owner)(openAccessReview, {})).toMatchObject({ id: review.id, lines: 4 });
  // The schedule does not open a second review.
  expect(await open()).toBe(0);
  const entries = await server.services.database.withOrg(org.id, ({ db }) =>
    db
      .selectFrom('audit_event')
      .where('org_id', '=', org.id)
      .where('subject_id', '=', review.id)
      .select(['action', 'actor_id', 'data'])
      .orderBy('at')
      .execute(),
  );
  expect(entries).toMatchObject([
    { action: 'access_review.opened', actor_id: reviewer.id, data: { onRequest: true } },
    { action: 'access_review.extended', actor_id: org.owner.id, data: { onRequest: true } },
  ]);
});

test('forbids self-review and allows signing once every item is decided', async () => {
  await open();
  const id = await theReview();
  await decideKept(org.owner, id, [ada, 'rol_contributor'], [reviewer, 'rol_reviewer']);
  expect(await refusalOf(decideKept(org.owner, id, [org.owner, 'rol_owner']))).toMatchObject({ status: 403 });
  expect(await refusalOf(sign(org.owner, id, 3, 2))).toMatchObject({ status: 409 });
  expect(await refusalOf(decideKept(ada, id, [org.owner, 'rol_owner']))).toMatchObject({ status: 403 });
  await decideKept(reviewer, id, [org.owner, 'rol_owner']);
  expect(await refusalOf(sign(org.owner, id, 3, 2))).toMatchObject({ status: 409 });
  expect((await as(org.owner)(listAccessReviews, { query: { state: ['decided'] } })).total).toBe(1);
  expect(await sign(org.owner, id)).toMatchObject({ state: 'signed', signed: { by: { id: org.owner.id } } });
  expect((await as(org.owner)(listAccessReviews, { query: { state: ['signed'] } })).total).toBe(1);
  expect(await refusalOf(sign(org.owner, id))).toMatchObject({ status: 409 });
  expect(await refusalOf(decideKept(org.owner, id, [ada, 'rol_contributor']))).toMatchObject({ status: 409 });
});

test('a changed decision requires changed access, and a kept decision unchanged access', async () => {
  await open();
  const reviewId = await theReview();
  const lines = [{ accountId: ada.id, roleId: 'rol_contributor' as const }];
  const changed = () =>
    as(org.owner)(decideAccessReviewItems, { params: { reviewId }, body: { decision: 'changed', lines } });
  expect(await refusalOf(changed())).toMatchObject({ status: 409 });
  await as(org.owner)(deactivateMember, { params: { userId: ada.id } });
  expect(await refusalOf(decideKept(org.owner, reviewId, [ada, 'rol_contributor']))).toMatchObject({ status: 409 });
  expect(await changed()).toMatchObject({ decided: 1 });
  const { rows } = await as(org.owner)(listAccessReviewItems, {
    params: { reviewId },
    query: { decision: ['changed'] },
  });
  expect(rows).toMatchObject([{ accountId: ada.id, now: { status: 'deactivated' }, decision: { is: 'changed' } }]);
});

test('requires another signature when a member joins after a review was signed', async () => {
  await open();
  const id = await theReview();
  await decideKept(org.owner, id, [ada, 'rol_contributor'], [reviewer, 'rol_reviewer']);
  await decideKept(reviewer, id, [org.owner, 'rol_owner']);
  await sign(reviewer, id);
  const eve = await server.make.member(org.id, 'rol_auditor');
  expect(await open()).toBe(1);
  expect(await as(org.owner)(getAccessReview, { params: { reviewId: id } })).toMatchObject({ state: 'open', lines: 4 });
  await decideKept(org.owner, id, [eve, 'rol_auditor']);
  expect(await sign(org.owner, id, 4, 4)).toMatchObject({ state: 'signed' });
});

test('lists a member who was added and removed during the quarter, whose access ACC-02 evaluates', async () => {
  const eve = await server.make.member(org.id, 'rol_auditor');
  await as(org.owner)(deactivateMember, { params: { userId: eve.id } });
  expect(await open()).toBe(4);
  const reviewId = await theReview();
  const { rows } = await as(org.owner)(listAccessReviewItems, {
    params: { reviewId },
    query: { role: ['rol_auditor'] },
  });
  expect(rows).toMatchObject([{ accountId: eve.id, now: { status: 'deactivated' }, decision: null }]);
  const quarter = quarterAt(new Date());
  const period = { from: `${quarter.first}T00:00:00.000Z`, to: quarter.end.toISOString() };
  const subject = `access:${quarter.first}:${eve.id}:rol_auditor`;
  const verdict = async () => {
    while ((await sequenceEntries(server.services.ledger, org.id)) > 0);
    const { run } = await server.services.database.withOrg(org.id, async (tx) => {
      const text = 'select size from ledger_log where org_id = $1';
      const [log] = await tx.query<{ size: number }>({ name: '', text, values: [org.id] });
      const asOf = { epoch: 1, size: Number(log?.size), at: quarter.end.toISOString() };
      return evaluatePopulation(tx, { orgId: org.id, period, asOf }, 'ACC-02');
    });
    return run.rows.find(({ subject: one }) => one === subject)?.reasons;
  };
  expect(await verdict()).toEqual(['access_not_reviewed']);
  await as(org.owner)(decideAccessReviewItems, {
    params: { reviewId },
    body: { decision: 'changed', lines: [{ accountId: eve.id, roleId: 'rol_auditor' }] },
  });
  expect(await verdict()).toEqual(['access_review_unsigned']);
});

test('hides a review from another organization', async () => {
  await open();
  const id = await theReview();
  const other = await server.make.organization('Other');
  const call = server.as(other.owner, other.id);
  expect(await refusalOf(call(getAccessReview, { params: { reviewId: id } }))).toMatchObject({ status: 404 });
  expect(await refusalOf(call(listAccessReviewItems, { params: { reviewId: id }, query: {} }))).toMatchObject({
    status: 404,
  });
});

test('ACC-02: reports missing evidence during the quarter and fails unsigned items afterwards', async () => {
  await open();
  const id = await theReview();
  await decideKept(org.owner, id, [ada, 'rol_contributor'], [reviewer, 'rol_reviewer']);
  const checkpointAt = async (at: string) => {
    while ((await sequenceEntries(server.services.ledger, org.id)) > 0);
    const size = await server.services.database.withOrg(org.id, (tx) =>
      tx.query<{ size: number }>({ name: '', text: 'select size from ledger_log where org_id = $1', values: [org.id] }),
    );
    return { epoch: 1, size: Number(size[0]?.size), at };
  };
  const quarter = quarterAt(new Date());
  const period = { from: `${quarter.first}T00:00:00.000Z`, to: quarter.end.toISOString() };
  const evaluateAt = async (asOf: Awaited<ReturnType<typeof checkpointAt>>) => {
    const { run } = await server.services.database.withOrg(org.id, (tx) =>
      evaluatePopulation(tx, { orgId: org.id, period, asOf }, 'ACC-02'),
    );
    return run.rows.map(({ verdict, reasons }) => `${verdict} ${reasons.join(' ')}`).toSorted();
  };
  const running = await checkpointAt(new Date().toISOString());
  expect(new Set(await evaluateAt(running))).toEqual(new Set(['missing_evidence quarter_running']));
  const before = await checkpointAt(quarter.end.toISOString());
  expect(await evaluateAt(before)).toEqual([
    'fail access_not_reviewed',
    'fail access_review_unsigned',
    'fail access_review_unsigned',
  ]);
  await decideKept(reviewer, id, [org.owner, 'rol_owner']);
  await sign(reviewer, id);
  expect(await evaluateAt(await checkpointAt(quarter.end.toISOString()))).toEqual(
    Array(3).fill('pass access_reviewed'),
  );
  expect(await evaluateAt(before)).toContain('fail access_review_unsigned');
});
