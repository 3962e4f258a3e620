import { exportChanges, listChanges } from '@sightline/contract/compliance/changes.ts';
import { completeValue } from '@sightline/evidence/controls/facts.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '#core/ids.ts';
import { signLedger } from '#testing/ledger.ts';
import { shareTestServer, type TestServer } from '#testing/server.ts';
import { seedOrganization } from '../../../architecture/seed.ts';
import type { Seed } from '../../../architecture/seeded.ts';
import type { SourcedParts } from './merges.ts';
import { addChangeVersion, latestVersionOf } from './records.ts';
import { findRecordedRepository, type RecordedRepository } from './scope.ts';

let server: TestServer;
let seed: Seed;
let place: RecordedRepository;
const sizes: number[] = [];
const merge = newId();
const protection = newId();
const sha = 'c0ffee'.padEnd(40, '0');
beforeAll(async () => {
  server = await shareTestServer();
  seed = await seedOrganization(server, 'bilby');
  const found = await findRecordedRepository(server.services, seed.org.id, seed.repositoryId);
  if (!found) throw new Error('The repository is not enabled');
  place = found;
  sizes.push(await signLedger(server, seed.org));
  await addVersion('none');
  await addVersion('approved');
});
afterAll(() => server.close());

const owner = () => server.as(seed.org.owner, seed.org.id);

/** Adds a version of a merge with or without a review. */
async function addVersion(reviews: 'none' | 'approved'): Promise<void> {
  const { id: orgId } = seed.org;
  const reviewer = await server.personOf(orgId, seed.auditor);
  await server.services.database.withOrg(orgId, async (tx) => {
    const stored = await latestVersionOf(tx, orgId, seed.changeId);
    if (!stored) throw new Error('The seed has no change');
    const review = {
      id: 'rev_1',
      by: { kind: 'human', identity: 'resolved', person: reviewer },
      verdict: 'approved',
      submittedAt: '2026-04-01T12:00:00.000Z',
      commit: { state: 'complete', value: completeValue(stored.parts.headSha) },
      dismissedAt: { state: 'complete', value: null },
      byActiveMember: { state: 'complete', value: true },
    };
    const parts = { ...stored.parts, reviews: { state: 'complete', value: reviews === 'none' ? [] : [review] } };
    const sourced = Object.entries(parts).map(([name, known]) => [
      name,
      { known, source: { fetchedAt: '2026-04-01T12:00:00.000Z', reason: null, state: known.state } },
    ]);
    await addChangeVersion(server.services, tx, place, {
      id: merge,
      branch: 'main',
      mergeMethod: 'pull_request',
      number: 4711,
      pushId: null,
      mergedAt: '2026-04-02T12:00:00.000Z',
      mergeSha: sha,
      headSha: completeValue(stored.parts.headSha) ?? null,
      parts: Object.fromEntries(sourced) as SourcedParts,
      // A later version names none, and keeps the one of the merge.
      protectionId: reviews === 'none' ? protection : null,
      cause: 'review',
      author: null,
      title: null,
    });
  });
  sizes.push(await signLedger(server, seed.org));
}

const listAt = (size: number | undefined, query: object = {}) =>
  owner()(listChanges, { query: { ...query, ledgerSize: `${size}` } });
const versionsAt = async (size: number | undefined, query: object = {}) =>
  (await listAt(size, query)).rows.map(({ id, version, approval }) => [id, version, approval]);

test('lists each change in its version at each size', async () => {
  const [before, first, second] = sizes;
  expect(await versionsAt(before)).toEqual([]);
  expect(await versionsAt(first)).toEqual([[merge, 1, 'no']]);
  expect(await versionsAt(second)).toEqual([[merge, 2, 'yes']]);
  const [row] = (await listAt(first)).rows;
  expect(row?.recorded).toMatchObject({ entry: { epoch: 1 }, missing: [] });
  expect(row?.recorded?.entry?.index).toBeLessThan(first ?? 0);
});

test('records the branch protection that a later version keeps', async () => {
  const rows = await server.services.database.withOrg(seed.org.id, (tx) =>
    tx.query<{ version: number; stored: string; recorded: string }>({
      name: '',
      text: `select c.version, c.protection_id as stored, entry_text(e)::jsonb #>> '{subject,protection}' as recorded
             from change_record c join ledger_entry e on e.org_id = c.org_id and e.entry_id = c.entry_id
             where c.org_id = $1 and c.id = $2 order by c.version`,
      values: [seed.org.id, merge],
    }),
  );
  expect(rows).toEqual([1, 2].map((version) => ({ version, stored: protection, recorded: protection })));
});

test('filters by recorded facts, finds commits, and refuses a search for titles', async () => {
  const [, first, second] = sizes;
  expect(await versionsAt(first, { approval: ['yes'] })).toEqual([]);
  expect(await versionsAt(second, { approval: ['yes'] })).toEqual([[merge, 2, 'yes']]);
  expect(await versionsAt(second, { search: 'c0ffee' })).toHaveLength(1);
  expect(await versionsAt(second, { search: 'c0ffef' })).toEqual([]);
  await expect(listAt(second, { search: 'title' })).rejects.toMatchObject({
    status: 400,
    body: {
      message: 'search must be the start of a commit SHA with ledgerSize, because the ledger records no titles.',
    },
  });
  expect(
    (await server.as(seed.contributor, seed.org.id)(listChanges, { query: { ledgerSize: `${second}` } })).total,
  ).toBe(0);
});

test('exports the changes of a size', async () => {
  const file = await owner()(exportChanges, { query: { ledgerSize: `${sizes[1]}` } });
  expect(String(file)).toContain('4711');
  expect(String(file)).toContain('no');
});
