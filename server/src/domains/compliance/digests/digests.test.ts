import { hash } from 'node:crypto';
import { createWeekDigests, getDigest, listDigests, reviewDigest } from '@sightline/contract/compliance/digests.ts';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '#core/ids.ts';
import { appendEntries, createLedgerEntry } from '#core/ledger.ts';
import { createTestRepository } from '#testing/findings.ts';
import {
  refusalOf,
  shareTestServer,
  superuserUrl,
  type TestAccount,
  type TestOrganization,
  type TestServer,
} from '#testing/server.ts';
import { sequenceAndSign } from '../../ledger/ledger/commands.ts';
import { evaluatePopulation } from '../controls/evaluate-population.ts';
import { createDigests } from './create-digests.ts';
import { lastWeek } from './jobs.ts';

let server: TestServer;
let superuser: pg.Client;
let org: TestOrganization;
let reviewer: TestAccount;
let repository: string;
const week = lastWeek(new Date());
beforeAll(async () => {
  server = await shareTestServer();
  superuser = new pg.Client({ connectionString: superuserUrl(server.databaseUrl) });
  await superuser.connect();
  org = await server.make.organization('Acme');
  reviewer = await server.make.member(org.id, 'rol_reviewer');
  repository = await createTestRepository(server, org);
  await createTestRepository(server, org);
  await superuser.query(`update repository set created_at = '2026-01-01' where org_id = $1`, [org.id]);
});
afterAll(async () => {
  await superuser.end();
  await server.close();
});

const owner = () => server.as(org.owner, org.id);
const asReviewer = () => server.as(reviewer, org.id);
const known = (value: unknown) => ({ state: 'complete', value });

/** Adds a direct push by a person in the week. */
async function push(person: string): Promise<string> {
  const [id, entryId] = [newId(), newId()];
  const author = { kind: 'human', identity: 'resolved', person };
  const missing = { state: 'missing' };
  const parts = {
    headSha: known('head'),
    authors: known([author]),
    lastPusher: known(author),
    earlierPushers: known([]),
    unattestedCommits: known(0),
    unreviewedFiles: known(0),
    hostActivity: known('pull_request_merge'),
    sessionOwners: known([]),
    lastPushAt: known(week.from),
    reviews: known([]),
    mergedBy: missing,
    mergeRequestedBy: missing,
    ai: known([]),
    agents: known([]),
    pathMatches: known([]),
    changedLines: known(12),
    configuredServers: known([]),
    checks: known([]),
    requiredChecks: known([]),
    sourceBranch: missing,
    labels: known([]),
    tickets: known([]),
    linkedIssues: known(0),
  };
  const at = new Date().toISOString();
  const fact = { id: entryId, org: org.id, kind: 'change', asOf: at, receivedAt: at, person: null, source: 'test' };
  await server.services.database.withOrg(org.id, async (tx) => {
    await tx.query({
      name: '',
      text: `insert into change_record (org_id, id, version, repository_id, branch, is_default_branch, merge_method, push_id, merged_at, merge_sha, parts,
               sources, authors, persons, missing, approval, has_agent, cause, entry_id)
             values ($1, $2, 1, $3, 'main', true, 'direct_push', gen_random_uuid(), $4, 'abcdef0123', $5, '{}', array[$6::uuid], array[$6::uuid],
               '{}', 'no', false, 'push', $7)`,
      values: [org.id, id, repository, week.from, JSON.stringify(parts), person, entryId],
    });
    await appendEntries(tx, org.id, [createLedgerEntry({ ...fact, subject: {}, personal: {} }, undefined)]);
  });
  return id;
}

const openDigests = async () => (await asReviewer()(listDigests, { query: { state: ['open', 'partly'] } })).rows;

test('selects the last completed week, from Monday to Monday', () => {
  expect(lastWeek(new Date('2026-11-22T23:59:00Z'))).toEqual({
    from: '2026-11-09T00:00:00.000Z',
    to: '2026-11-16T00:00:00.000Z',
  });
  expect(lastWeek(new Date('2026-11-23T00:00:00Z')).to).toBe('2026-11-23T00:00:00.000Z');
});

test('creates one digest per enabled repository and week, also without activity, and never changes it', async () => {
  const contributor = newId();
  const [theirs, owners] = [await push(contributor), await push(await server.personOf(org.id, org.owner))];
  expect(await createDigests(server.services, org.id, week)).toBe(2);
  expect(await createDigests(server.services, org.id, week)).toBe(0);

  const digests = await openDigests();
  expect(digests).toHaveLength(2);
  const busy = digests.find((digest) => digest.repository.id === repository);
  expect(busy).toMatchObject({ state: 'open', period: week, flagged: 2, decided: 0, signedAt: null });
  expect(busy?.counts).toMatchObject({ changes: 2, withoutApproval: 2, byAgents: 0 });

  const detail = await owner()(getDigest, { params: { digestId: busy?.id ?? '' } });
  expect(detail.items.map(({ subject, isMine, link }) => [subject, isMine, link]).toSorted()).toEqual(
    [
      [`change:${theirs}`, false, `/changes/${theirs}`],
      [`change:${owners}`, true, `/changes/${owners}`],
    ].toSorted(),
  );
  expect(detail.items[0]?.title).toBe('Direct push abcdef0');
  expect(detail.items[0]?.controls[0]).toMatchObject({
    id: 'CHG-01',
    reasons: expect.arrayContaining([expect.objectContaining({ code: 'direct_push' })]),
  });
  const { rows } = await superuser.query('select body from commit_digest where id = $1', [busy?.id]);
  expect(hash('sha256', rows[0].body)).toBe(detail.bodySha256);
});

test('forbids decisions on own work and signing of unseen content', async () => {
  const [digestId, { bodySha256, items }] = await busyDigest();
  const params = { digestId };
  const [mine, other] = [items.find(({ isMine }) => isMine), items.find(({ isMine }) => !isMine)];
  const reviewOf = (of: (typeof mine)[]) => ({
    bodySha256,
    decision: 'reviewed' as const,
    items: of.flatMap((item) => (item ? [{ subject: item.subject, choice: 'accepted' as const }] : [])),
  });
  expect(
    (await refusalOf(owner()(reviewDigest, { params, body: { ...reviewOf([other]), bodySha256: '0'.repeat(64) } })))
      .code,
  ).toBe('conflict');
  expect((await refusalOf(owner()(reviewDigest, { params, body: reviewOf([mine, other]) }))).code).toBe('forbidden');
  expect((await refusalOf(owner()(reviewDigest, { params, body: reviewOf([]) }))).code).toBe('validation_failed');
  const partly = await owner()(reviewDigest, { params, body: { ...reviewOf([other]), note: 'Mine is left' } });
  expect(partly).toMatchObject({ state: 'partly', decided: 1, signedAt: null });
  expect((await refusalOf(owner()(reviewDigest, { params, body: reviewOf([]) }))).code).toBe('forbidden');

  const signed = await asReviewer()(reviewDigest, { params, body: reviewOf([mine]) });
  expect(signed).toMatchObject({ state: 'signed', decided: 2, signedAt: expect.any(String) });
  expect(signed.reviews.map(({ by, completes, note }) => [by.name, completes, note])).toEqual([
    [org.owner.name, false, 'Mine is left'],
    [reviewer.name, true, ''],
  ]);
  expect((await refusalOf(asReviewer()(reviewDigest, { params, body: reviewOf([]) }))).code).toBe('conflict');
  const { rows } = await superuser.query(
    `select entry from ledger_known where org_id = $1 and entry_id = (select entry_id from commit_digest_review where digest_id = $2 and completes)`,
    [org.id, digestId],
  );
  expect(rows[0].entry).toContain(bodySha256);
});

test('DIG-01 counts a sign-off at a ledger size that contains it', async () => {
  const before = await server.services.database.withOrg(org.id, (tx) =>
    tx.query<{ size: number }>({
      name: '',
      text: `select l.leaf_index::int as size from ledger_entry l join commit_digest d on d.org_id = l.org_id and d.entry_id = l.entry_id
             where l.org_id = $1 order by l.leaf_index desc limit 1`,
      values: [org.id],
    }),
  );
  const now = await sequenceAndSign(server.services.ledger, org.id);
  const period = { from: week.from, to: new Date(Date.now() + 86_400_000).toISOString() };
  const evaluatedAt = (size: number, at: string) =>
    server.services.database.withOrg(org.id, (tx) =>
      evaluatePopulation(tx, { orgId: org.id, period, asOf: { epoch: 1, size, at } }, 'DIG-01'),
    );
  // Only signed or overdue digests are evaluated.
  const { run } = await evaluatedAt(now?.size ?? 0, now?.signedAt.toISOString() ?? '');
  expect(run.counts).toMatchObject({ population: 1, pass: 1 });
  const earlier = await evaluatedAt((before[0]?.size ?? 0) + 1, now?.signedAt.toISOString() ?? '');
  expect(earlier.run.counts.population).toBe(0);
  const late = await evaluatedAt(now?.size ?? 0, new Date(Date.now() + 30 * 86_400_000).toISOString());
  expect(late.run.counts).toMatchObject({ population: 2, pass: 1, fail: 1 });
});

test('creates the digests of a past week on request, which a late sign-off does not make pass', async () => {
  const other = await server.make.organization('Beta');
  const otherRepository = await createTestRepository(server, other);
  await superuser.query(`update organization set created_at = '2026-03-01' where id = $1`, [other.id]);
  await superuser.query(`update repository set created_at = '2026-03-04' where org_id = $1`, [other.id]);
  const asOwner = server.as(other.owner, other.id);
  const request = (day: string) => asOwner(createWeekDigests, { body: { week: day } });
  expect(await request('2026-03-02')).toEqual({ week: '2026-03-02', repositories: 1 });
  const queued = await server.services.database.pool.query(
    `select data from pgboss.job where name = 'digests.create' and data->>'orgId' = $1`,
    [other.id],
  );
  await createDigests(server.services, other.id, queued.rows[0].data.week, { request: queued.rows[0].data.request });
  const { rows } = await asOwner(listDigests, { query: { repository: otherRepository } });
  const [digest] = rows;
  expect(digest).toMatchObject({
    period: { from: '2026-03-02T00:00:00.000Z', to: '2026-03-09T00:00:00.000Z' },
    dueAt: '2026-03-09T00:00:00.000Z',
    requested: { by: { accountId: other.owner.id, name: other.owner.name }, createdAt: expect.any(String) },
  });
  expect(await refusalOf(request('2026-03-02'))).toMatchObject({ status: 409 });

  const recorded = await superuser.query<{ kind: string; entry: string }>(
    `select kind, entry::text from ledger_known where org_id = $1 and kind in ('audit.digest.requested', 'digest.created') order by kind`,
    [other.id],
  );
  expect(recorded.rows.map(({ kind }) => kind)).toEqual(['audit.digest.requested', 'digest.created']);
  const [requested, created] = recorded.rows.map(({ entry }) => JSON.parse(entry));
  expect(requested.subject.data).toMatchObject({ week: '2026-03-02', repositories: [otherRepository] });
  expect(created.subject).toMatchObject({ request: requested.id, dueAt: '2026-03-09T00:00:00.000Z' });
  // Created today, and recorded as such.
  expect(Date.parse(created.receivedAt)).toBeGreaterThan(Date.parse('2026-03-17T00:00:00Z'));

  const params = { digestId: digest?.id ?? '' };
  const { bodySha256 } = await asOwner(getDigest, { params });
  await asOwner(reviewDigest, { params, body: { bodySha256, decision: 'reviewed', items: [] } });
  const now = await sequenceAndSign(server.services.ledger, other.id);
  const evaluatedIn = (from: string, to: string) =>
    server.services.database.withOrg(other.id, (tx) =>
      evaluatePopulation(
        tx,
        {
          orgId: other.id,
          period: { from, to },
          asOf: { epoch: 1, size: now?.size ?? 0, at: now?.signedAt.toISOString() ?? '' },
        },
        'DIG-01',
      ),
    );
  // The digest belongs to the period in which it was due, and fails there although it was signed at once.
  const then = await evaluatedIn('2026-03-01T00:00:00Z', '2026-04-01T00:00:00Z');
  expect(then.run.rows.map(({ verdict, reasons }) => [verdict, reasons])).toEqual([['fail', ['digest_signed_late']]]);
  const today = await evaluatedIn(week.from, new Date(Date.now() + 86_400_000).toISOString());
  expect(today.run.counts.population).toBe(0);
});

test('refuses digests of weeks that have not ended, or in which the organization or its repositories did not exist', async () => {
  const young = await server.make.organization('Young');
  await createTestRepository(server, young);
  await superuser.query(`update organization set created_at = '2026-03-01' where id = $1`, [young.id]);
  const refused = (day: string, status: number, words: string) =>
    expect(server.as(young.owner, young.id)(createWeekDigests, { body: { week: day } })).rejects.toMatchObject({
      status,
      refusal: { message: expect.stringContaining(words) },
    });
  await refused(week.to.slice(0, 10), 409, 'has not ended');
  await refused('2099-01-05', 409, 'has not ended');
  await refused('2026-02-16', 409, 'created after this week');
  // Its only repository was enabled today.
  await refused('2026-03-02', 409, 'existed in this week');
  await refused('2026-03-03', 400, 'must be a Monday');
});

async function busyDigest() {
  const { rows } = await owner()(listDigests, { query: { repository } });
  const id = rows[0]?.id ?? '';
  return [id, await owner()(getDigest, { params: { digestId: id } })] as const;
}
