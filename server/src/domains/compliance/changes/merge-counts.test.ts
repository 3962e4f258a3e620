import { getApprovalTrend } from '@sightline/contract/compliance/changes.ts';
import { completeValue } from '@sightline/evidence/controls/facts.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Actor } from '#core/actor.ts';
import { newId } from '#core/ids.ts';
import type { Tx } from '#database/database.ts';
import { shareTestServer, type TestServer } from '#testing/server.ts';
import { seedOrganization } from '../../../architecture/seed.ts';
import type { Seed } from '../../../architecture/seeded.ts';
import { approvalTrendOf, countMergesOfRecords } from './approval-trend.ts';
import type { SourcedParts } from './merges.ts';
import { addChangeVersion, latestVersionOf } from './records.ts';
import { findRecordedRepository, type RecordedRepository } from './scope.ts';

let server: TestServer;
let acme: Seed;
let places: RecordedRepository[];
let reviewer: string;
beforeAll(async () => {
  server = await shareTestServer();
  acme = await seedOrganization(server, 'numbat');
  reviewer = await server.personOf(acme.org.id, acme.auditor);
  const second = newId();
  await inAcme(async ({ db }) => {
    const columns = await db
      .selectFrom('repository')
      .where('id', '=', acme.repositoryId)
      .selectAll()
      .executeTakeFirstOrThrow();
    const of = { id: second, name: 'second', full_name: 'numbat/second', provider_repo_id: '4711' };
    await db
      .insertInto('repository')
      .values({ ...columns, ...of })
      .execute();
  });
  places = await Promise.all(
    [acme.repositoryId, second].map(async (id) => {
      const place = await findRecordedRepository(server.services, acme.org.id, id);
      if (!place) throw new Error('The repository is not enabled.');
      return place;
    }),
  );
});
afterAll(() => server.close());

const inAcme = <Result>(work: (tx: Tx) => Promise<Result>) => server.services.database.withOrg(acme.org.id, work);

const reviews = {
  approved: (headSha: unknown) => ({ state: 'complete', value: [reviewBy(reviewer, headSha)] }),
  none: () => ({ state: 'complete', value: [] }),
  unknown: () => ({ state: 'missing' }),
};

const reviewBy = (person: string, headSha: unknown) => ({
  by: { kind: 'human', identity: 'resolved', person },
  verdict: 'approved',
  id: 'rev_1',
  submittedAt: new Date(Date.now() - 400 * 86_400_000).toISOString(),
  commit: { state: 'complete', value: headSha },
  dismissedAt: { state: 'complete', value: null },
  byActiveMember: { state: 'complete', value: true },
});

interface Version {
  change: number;
  mergeMethod: 'pull_request' | 'merge_queue' | 'direct_push' | 'unknown';
  reviews: keyof typeof reviews;
  isPush: boolean;
  hasNumber: boolean;
}

const version: fc.Arbitrary<Version> = fc.record({
  change: fc.nat(5),
  mergeMethod: fc.constantFrom('pull_request', 'merge_queue', 'direct_push', 'unknown'),
  reviews: fc.constantFrom('approved', 'none', 'unknown'),
  isPush: fc.boolean(),
  hasNumber: fc.boolean(),
});

/** Adds a version as the records of a merge, its reviews and its pushes do. */
async function addVersion(tx: Tx, changes: readonly string[], made: Version): Promise<void> {
  const place = places[made.change % 2];
  const stored = await latestVersionOf(tx, acme.org.id, acme.changeId);
  if (!place || !stored) throw new Error('The seed has no change.');
  const known = { ...stored.parts, reviews: reviews[made.reviews](completeValue(stored.parts.headSha)) };
  const parts = Object.fromEntries(
    Object.entries(known).map(([name, part]) => [
      name,
      { known: part, source: { ...stored.sources[name], state: (part as { state: string }).state } },
    ]),
  ) as unknown as SourcedParts;
  await addChangeVersion(server.services, tx, place, {
    id: changes[made.change] ?? '',
    branch: 'main',
    mergeMethod: made.mergeMethod,
    number: made.hasNumber ? 1000 + made.change : null,
    pushId: made.isPush ? newId() : null,
    mergedAt: new Date(Date.now() - made.change * 6 * 86_400_000).toISOString(),
    mergeSha: 'a'.repeat(40),
    headSha: 'b'.repeat(40),
    parts,
    protectionId: null,
    cause: 'review',
    author: null,
    title: null,
  });
}

test('equals a recount of the records after each version that reviews, host answers and pushes add', async () => {
  const reader = { orgId: acme.org.id, reach: () => 'all' } as unknown as Actor;
  const compared = { yes: 0, no: 0, unknown: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(version, { minLength: 3, maxLength: 12 }), async (versions) => {
      const changes = Array.from({ length: 6 }, () => newId());
      await inAcme(async (tx) => {
        for (const made of versions) await addVersion(tx, changes, made);
      });
      for (const repository of [undefined, ...places.map(({ repositoryId }) => repositoryId)]) {
        const { points } = await inAcme((tx) => approvalTrendOf(tx, reader, { days: 90, repository }));
        const mondays = points.map(({ day }) => day);
        const recount = await inAcme((tx) => countMergesOfRecords(tx, reader, { mondays, repository }));
        expect(points.filter(({ yes, no, unknown }) => yes + no + unknown > 0)).toEqual(
          recount.toSorted((one, other) => one.day.localeCompare(other.day)),
        );
        for (const week of recount) for (const kind of ['yes', 'no', 'unknown'] as const) compared[kind] += week[kind];
      }
    }),
    { numRuns: 12 },
  );
  expect(Math.min(compared.yes, compared.no, compared.unknown)).toBeGreaterThan(0);
});

test('a reader of their own changes counts only those that name them', async () => {
  const [point] = (await server.as(acme.contributor, acme.org.id)(getApprovalTrend, { query: {} })).points.slice(-1);
  expect(point).toMatchObject({ yes: 0, no: 0, unknown: 0 });
});
