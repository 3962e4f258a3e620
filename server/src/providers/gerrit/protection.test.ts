import { expect, test } from 'vitest';
import { type AccessRights, grantsOf } from './access-rights.ts';
import { protectionFrom } from './protection.ts';

type Sections = [ref: string, permissions: Record<string, object>, distance?: number][];
const rights = (...sections: Sections): AccessRights => ({
  sections: sections.map(([ref, permissions, distance = 0]) => ({ ref, distance, permissions })),
  groups: new Map(),
});
const allow = (group: string, more = {}) => ({ rules: { [group]: { action: 'ALLOW', ...more } } });
const review = { name: 'Code-Review', function: 'NoBlock', copy_condition: 'changekind:TRIVIAL_REBASE OR is:MIN' };
const twoVotes = {
  name: 'Code-Review',
  submittability_expression: 'label:Code-Review=MAX,count>=2 AND -label:Code-Review=MIN',
};
const verified = { name: 'Verified', submittability_expression: 'label:Verified=MAX' };
const strict = { labels: [review], requirements: [twoVotes, verified], rights: rights() };

test('requirements, the copy condition and access rights are the protection of a branch', () => {
  expect(protectionFrom(strict, 'main')).toEqual({
    requiredReviews: 2,
    dismissesStaleReviews: true,
    allowsForcePush: false,
    allowsDeletion: false,
    includesAdmins: true,
    requiredChecks: ['Verified'],
    requiredCheckCount: 1,
    requiredApps: [],
    unboundChecks: 1,
  });
});

test('what the account may not read is unknown, never absent', () => {
  const unread = { labels: undefined, requirements: undefined, rights: undefined };
  expect(new Set(Object.values(protectionFrom(unread, 'main')))).toEqual(new Set([null]));
});

test('a push to the branch, a submission during the upload and an override bypass what is required', () => {
  const pushes = { ...strict, rights: rights(['refs/heads/*', { push: allow('a') }]) };
  expect(protectionFrom(pushes, 'main')).toMatchObject({ includesAdmins: false, allowsForcePush: false });
  const forced = { ...strict, rights: rights(['refs/heads/*', { push: allow('a', { force: true }) }]) };
  expect(protectionFrom(forced, 'main')).toMatchObject({ allowsForcePush: true, allowsDeletion: true });
  const onPush = { ...strict, rights: rights(['refs/*', { submit: allow('a') }]) };
  expect(protectionFrom(onPush, 'main')).toMatchObject({ includesAdmins: false, allowsForcePush: false });
  const reviewed = { ...strict, rights: rights(['refs/heads/*', { submit: allow('a') }]) };
  expect(protectionFrom(reviewed, 'main')).toMatchObject({ includesAdmins: true });
  const override = { ...strict, requirements: [{ ...twoVotes, override_expression: 'label:Override=MAX' }] };
  expect(protectionFrom(override, 'main')).toMatchObject({ includesAdmins: false });
});

test.each([
  ['an alternative', { ...twoVotes, submittability_expression: 'label:Code-Review=MAX OR label:Bypass=MAX' }],
  ['a condition of the change', { ...twoVotes, applicability_expression: 'file:"^docs/.*"' }],
])('%s makes the number of reviews unknown', (_, requirement) => {
  expect(protectionFrom({ ...strict, requirements: [requirement] }, 'main').requiredReviews).toBeNull();
});

test('a requirement of another branch does not apply', () => {
  const other = { ...twoVotes, applicability_expression: 'branch:refs/heads/stable' };
  expect(protectionFrom({ ...strict, requirements: [other] }, 'main').requiredReviews).toBe(0);
});

test.each([
  ['is:ANY', false],
  ['changekind:NO_CODE_CHANGE OR is:MAX', false],
  ['', true],
  ['changekind:TRIVIAL_REBASE AND uploaderin:Bots', null],
])('a vote with the copy condition “%s” ends with other code: %s', (condition, ends) => {
  const labels = [{ ...review, copy_condition: condition }];
  expect(protectionFrom({ ...strict, labels }, 'main').dismissesStaleReviews).toBe(ends);
});

test('an exclusive permission hides less specific ones, and a block applies in spite of it', () => {
  const inherited: Sections[number] = ['refs/*', { push: allow('everyone') }, 1];
  const exclusive = rights(['refs/heads/main', { push: { ...allow('leads'), exclusive: true } }], inherited);
  expect(grantsOf(exclusive, 'push', 'refs/heads/main')?.map(({ group }) => group)).toEqual(['leads']);
  expect(grantsOf(exclusive, 'push', 'refs/heads/next')?.map(({ group }) => group)).toEqual(['everyone']);
  const blocked = rights(inherited, ['refs/*', { push: { rules: { everyone: { action: 'BLOCK' } } } }, 2]);
  expect(grantsOf(blocked, 'push', 'refs/heads/main')).toEqual([]);
});

test('a regular expression is not evaluated, so that the access is unknown', () => {
  expect(
    grantsOf(rights(['^refs/heads/(main|next)', { push: allow('a') }]), 'push', 'refs/heads/main'),
  ).toBeUndefined();
});
