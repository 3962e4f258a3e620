import type { Actor } from '@sightline/evidence/controls/persons.ts';
import { expect, test } from 'vitest';
import type { HostHeadPush } from '#providers/host-evidence.ts';
import type { HostCommit, HostUser } from '../../../providers/host-facts.ts';
import type { StoredHeadPush } from './pull-request-heads.ts';
import { earlierPushersOf } from './pushers.ts';

const user = (login: string): HostUser => ({ login, avatarUrl: null, isAgent: login.endsWith('[bot]') });
const human = (person: string): Actor => ({ kind: 'human', identity: 'resolved', person });
const at = '2026-07-01T00:00:00.000Z';
const person = { name: 'Zoë', email: 'zoe@example.org', login: null, avatarUrl: null };

/** A commit with its parent, separated by `<`; `!`: with a verified signature. No parent: the host does not report it. */
const commitOf = (text: string): HostCommit => {
  const [sha = '', parent] = text.replace('!', '').split('<');
  const written = { message: '', author: person, authoredAt: at, committer: person, committedAt: at };
  return {
    sha,
    ...written,
    parents: parent === undefined ? [] : [parent],
    ...(text.endsWith('!') && { isSignatureVerified: true as const }),
  };
};
/** A push as the host lists it: `before>after login`; `new` created the branch. Without `before`, it is unknown. */
const listedOf = (text: string): HostHeadPush => {
  const [ends = '', login] = text.split(' ');
  const [after = '', before] = ends.split('>').reverse();
  const start = before === undefined ? {} : { before: before === 'new' ? null : before };
  return { sha: after, ...start, at, atKnown: 'host', pusher: login === undefined ? null : user(login) };
};
const storedOf = (text: string, isOfPullRequest: boolean): StoredHeadPush => {
  const { sha, before, pusher } = listedOf(text);
  return { sha, before, by: human(pusher?.login ?? ''), isOfPullRequest };
};

interface Example {
  listed?: string[];
  stored?: string[];
  ofPullRequest?: string[];
  commits?: string[];
  mergeBase?: string;
}

const linear = ['c1<base', 'c2<c1', 'c3<c2'];

test.each<[string, Example, { pushers: string[]; isWhole: boolean; unattested?: number }]>([
  [
    'everyone who pushed before',
    { listed: ['c2>c3 zoe', 'c1>c2 bob', 'new>c1 zoe'] },
    { pushers: ['bob', 'zoe'], isWhole: true },
  ],
  ['no one for a single push', { listed: ['new>c3 zoe'] }, { pushers: [], isWhole: true }],
  [
    'no one before the branch left its target',
    { listed: ['base>c3 zoe', 'x>base bob'] },
    { pushers: [], isWhole: true },
  ],
  ['the pusher of replaced commits', { listed: ['d2>c3 zoe', 'new>d2 bob'] }, { pushers: ['bob'], isWhole: true }],
  ['an unknown push', { listed: ['c2>c3 zoe', 'new>c1 zoe'] }, { pushers: [], isWhole: false }],
  ['an unknown pusher', { listed: ['c2>c3 zoe', 'new>c2'] }, { pushers: [], isWhole: false }],
  ['nothing at all', {}, { pushers: [], isWhole: false }],
  [
    'pushers from webhooks where the host lists none',
    { listed: ['c3 zoe', 'c2'], stored: ['c2>c3 zoe', 'new>c2 bob'] },
    { pushers: ['bob'], isWhole: true },
  ],
  ['pushers to a fork while it is open', { ofPullRequest: ['c3 zoe', 'c2 bob'] }, { pushers: ['bob'], isWhole: false }],
  [
    'unsigned commits of a program',
    { listed: ['c2>c3 zoe', 'c1>c2 relay[bot]', 'new>c1 zoe'] },
    { pushers: ['relay[bot]', 'zoe'], isWhole: true, unattested: 1 },
  ],
  [
    'no signed commit of a program',
    { listed: ['c2>c3 relay[bot]', 'new>c2 zoe'], commits: ['c1<base', 'c2<c1', 'c3<c2!'] },
    { pushers: ['zoe'], isWhole: true },
  ],
  [
    'every commit without an assigned push, if a program pushed and parents are unknown',
    { listed: ['c2>c3 relay[bot]', 'base>c2 zoe'], commits: ['c1', 'c2', 'c3'], mergeBase: 'base' },
    { pushers: ['zoe'], isWhole: true, unattested: 2 },
  ],
])('reports %s', (_, { listed = [], stored = [], ofPullRequest = [], commits = linear, mergeBase }, expected) => {
  const found = earlierPushersOf({
    pullRequest: { headSha: 'c3', ...(mergeBase !== undefined && { mergeBase }) },
    commits: { items: commits.map(commitOf), isWhole: true },
    listed: listed.map(listedOf),
    stored: [...stored.map((push) => storedOf(push, false)), ...ofPullRequest.map((push) => storedOf(push, true))],
  });
  const persons = found.actors.flatMap((actor) => (actor.identity === 'unresolved' ? [] : [actor.person]));
  expect([...new Set([...found.users.map(({ login }) => login), ...persons])]).toEqual(expected.pushers);
  expect([found.isWhole, found.unattested]).toEqual([expected.isWhole, expected.unattested ?? 0]);
});
