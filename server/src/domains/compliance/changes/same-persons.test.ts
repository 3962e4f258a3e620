import { decideContributorMerge, undoContributorMerge } from '@sightline/contract/sources/contributor-merges.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startWorld } from './changes.fixture.ts';

let world: Awaited<ReturnType<typeof startWorld>>;
beforeAll(async () => {
  world = await startWorld();
}, 60_000);
afterAll(() => world.close());

const zoeEmail = '4711+zoe-a@users.noreply.github.com';
const params = { provider: 'github', repoPath: 'sandbox/widgets' } as const;

test('an approval by a person linked to the author in .mailmap is not independent until unlinked', {
  tags: ['full'],
  timeout: 60_000,
}, async () => {
  const { control, numberOf, recordOf, persons } = world;
  const number = numberOf('one');
  await control('review', { number, by: 'bob' });
  await control('merge', { number, by: 'ada' });
  const before = await recordOf(number, ({ approval }) => expect(approval).toBe('yes'));
  expect(JSON.stringify(before.parts)).not.toContain('sameAs');
  await control('push', { by: 'ada', files: { '.mailmap': `Bob <info@example.org> <${zoeEmail}>\n` } });
  const record = await recordOf(number, ({ approval }) => expect(approval).toBe('no'));
  const [author] = record.parts.authors.value;
  expect(author).toMatchObject({ sameAs: [{ person: persons.bob }] });
  expect(author.person).not.toBe(persons.bob);
  expect(record.parts.reviews.value[0].by.person).toBe(persons.bob);
  await control('push', { by: 'ada', files: { '.mailmap': '# Nobody\n' } });
  const after = await recordOf(number, ({ approval }) => expect(approval).toBe('yes'));
  expect(after.parts).toEqual(before.parts);
});

test('a merge of contributors by an owner makes an approval not independent, until it is undone', {
  tags: 'full',
  timeout: 60_000,
}, async () => {
  const { acme, control, numberOf, persons, recordOf, rowsOf, server } = world;
  const number = numberOf('one');
  await control('push', { by: 'bob', files: { 'bob.txt': 'b\n' } });
  await vi.waitFor(
    async () => {
      const text = 'select person_id from contributor where org_id = $1 and person_id = $2';
      expect(await rowsOf(text, [persons.bob])).toHaveLength(1);
    },
    { timeout: 20_000, interval: 200 },
  );
  const record = await recordOf(number, ({ approval }) => expect(approval).toBe('yes'));
  const author: string = record.parts.authors.value[0].person;
  const { id } = await server.as(acme.owner, acme.id)(decideContributorMerge, {
    params,
    body: { contributorIds: [author, persons.bob], decision: 'merged' },
  });
  await recordOf(number, ({ approval }) => expect(approval).toBe('no'));
  await server.as(acme.owner, acme.id)(undoContributorMerge, { params: { ...params, mergeId: id } });
  await recordOf(number, ({ approval }) => expect(approval).toBe('yes'));
});
