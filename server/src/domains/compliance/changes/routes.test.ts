import {
  getChange,
  getChangeProvenance,
  getChangeSourceLevel,
  getChangeVsa,
  listChanges,
} from '@sightline/contract/compliance/changes.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { refusalOf, shareTestServer, type TestServer } from '#testing/server.ts';
import { seedOrganization } from '../../../architecture/seed.ts';
import type { Seed } from '../../../architecture/seeded.ts';

let server: TestServer;
let acme: Seed;
let other: Seed;
beforeAll(async () => {
  server = await shareTestServer();
  acme = await seedOrganization(server, 'quokka');
  other = await seedOrganization(server, 'wombat');
});
afterAll(() => server.close());

const as = (account: Seed['contributor']) => server.as(account, acme.org.id);
const ids = async (query: object, account = acme.org.owner) =>
  (await as(account)(listChanges, { query })).rows.map(({ id }) => id);

test('lists a change by its latest version, with author names', async () => {
  const {
    rows: [change],
  } = await as(acme.org.owner)(listChanges, {});
  expect(change).toMatchObject({
    id: acme.changeId,
    version: 1,
    mergeMethod: 'direct_push',
    number: null,
    approval: 'no',
    hasAgent: false,
    missing: [],
    branch: 'main',
    repository: { id: acme.repositoryId, provider: 'github', fullName: acme.fullName },
    authors: [{ kind: 'human', identity: 'resolved' }],
  });
  expect(change?.url).toBe(`https://code.example/${acme.fullName}/commit/${change?.mergeSha}`);
});

test('narrows the list by filters', async () => {
  const {
    rows: [change],
  } = await as(acme.org.owner)(listChanges, {});
  const author = change?.authors[0]?.id ?? '';
  const found = [
    { repository: acme.repositoryId },
    { mergeMethod: ['direct_push', 'unknown'] },
    { approval: ['no'] },
    { author },
    { search: change?.mergeSha?.slice(0, 7) },
    { from: '2026-03-01T00:00:00Z', to: '2026-03-02T00:00:00Z' },
  ];
  for (const query of found) expect([query, await ids(query)]).toEqual([query, [acme.changeId]]);
  const none = [
    { repository: other.repositoryId },
    { mergeMethod: ['pull_request'] },
    { approval: ['yes'] },
    { author: acme.changeId },
    { only: ['agent'] },
    { only: ['missing'] },
    { search: 'nothing' },
    { to: '2026-03-01T00:00:00Z' },
  ];
  for (const query of none) expect([query, await ids(query)]).toEqual([query, []]);
});

test('shows the sources of each part, approval reasons, commits and versions of a change', async () => {
  const change = await as(acme.auditor)(getChange, { params: { id: acme.changeId } });
  expect(change.parts.reviews).toMatchObject({ state: 'complete', reason: null, value: [] });
  expect(change.parts.mergeRequestedBy.value).toBeNull();
  expect(change.approvalReasons.map(({ code }) => code)).toEqual(['direct_push', 'no_independent_approval']);
  expect(change.commits).toMatchObject([{ sha: change.mergeSha, message: 'quokka begins' }]);
  expect(change.protection).toMatchObject({ state: 'forbidden', requiredReviews: null, requiredChecks: null });
  expect(change.versions).toMatchObject([{ version: 1, cause: 'push', leaf: null }]);
  expect(
    await refusalOf(as(acme.auditor)(getChange, { params: { id: acme.changeId }, query: { version: 2 } })),
  ).toMatchObject({ status: 404 });
});

test('a contributor sees only changes that name them', async () => {
  expect(await ids({}, acme.contributor)).toEqual([]);
  for (const endpoint of [getChange, getChangeSourceLevel, getChangeVsa, getChangeProvenance]) {
    expect(await refusalOf(as(acme.contributor)(endpoint, { params: { id: acme.changeId } }))).toMatchObject({
      status: 404,
    });
  }
});

test('lists changes for the people named in them, only in repositories they see', async () => {
  const person = await server.personOf(acme.org.id, acme.contributor);
  const inAcme = server.services.database.withOrg;
  const version = await inAcme(acme.org.id, ({ db }) =>
    db.selectFrom('change_record').where('id', '=', acme.changeId).selectAll().executeTakeFirstOrThrow(),
  );
  const { recorded_at: _, ...columns } = version;
  await inAcme(acme.org.id, ({ db }) =>
    db
      .insertInto('change_record')
      .values({
        ...columns,
        version: 2,
        persons: [...version.persons, person],
        entry_id: crypto.randomUUID(),
        parts: JSON.stringify(version.parts),
        sources: JSON.stringify(version.sources),
      })
      .execute(),
  );
  // The contributor has no access to the repository.
  expect(await ids({}, acme.contributor)).toEqual([]);
  await inAcme(acme.org.id, ({ db }) =>
    db
      .insertInto('contributor')
      .values({
        org_id: acme.org.id,
        repository_id: acme.repositoryId,
        person_id: person,
        name: 'C',
        email: 'c@example.org',
        commits: 1,
        last_commit: new Date(),
      })
      .execute(),
  );
  // Another change in the repository, which does not name them.
  await inAcme(acme.org.id, ({ db }) =>
    db
      .insertInto('change_record')
      .values({
        ...columns,
        id: crypto.randomUUID(),
        entry_id: crypto.randomUUID(),
        parts: JSON.stringify(version.parts),
        sources: JSON.stringify(version.sources),
      })
      .execute(),
  );
  expect(await ids({}, acme.contributor)).toEqual([acme.changeId]);
});

test('returns 404 for a change of another organization, as for an unknown one', async () => {
  expect(await refusalOf(as(acme.org.owner)(getChange, { params: { id: other.changeId } }))).toMatchObject({
    status: 404,
  });
  expect(await refusalOf(as(acme.org.owner)(getChange, { params: { id: 'no id' } }))).toMatchObject({ status: 400 });
});

test('states only level 1 for a direct push without recorded protection, and why', async () => {
  const params = { id: acme.changeId };
  const found = await as(acme.reviewer)(getChangeSourceLevel, { params });
  expect(found).toMatchObject({ level: 1, result: 'PASSED', verifiedLevels: ['SLSA_SOURCE_LEVEL_1'] });
  expect(found.requirements).toHaveLength(14);
  const reasonsOf = (id: string) =>
    found.requirements.find((one) => one.id === id)?.reasons.map(({ code }) => code) ?? [];
  expect(reasonsOf('history')).toContain('previous_revision_unknown');
  expect(reasonsOf('access-and-history')).toEqual(['protection_incomplete', 'tag_protection_unknown']);
  expect(reasonsOf('source-provenance')).toEqual(['recorded_late']);
  expect(reasonsOf('two-party-review')).toContain('direct_push');
  const { payload, payloadType } = await as(acme.reviewer)(getChangeVsa, { params });
  expect(payloadType).toBe('application/vnd.in-toto+json');
  const { predicate } = JSON.parse(Buffer.from(payload, 'base64').toString());
  expect(predicate).toMatchObject({ verificationResult: 'PASSED', verifiedLevels: found.verifiedLevels });
});
