import type { Actor } from '@sightline/evidence/controls/persons.ts';
import { expect, test } from 'vitest';
import type { HostCommit, HostPerson } from '../../../providers/host-facts.ts';
import { authorsOf, type CommitParticipants, participantsOf, sessionOwnersOf } from './writers.ts';

const person = (login: string | null, email = `${login}@example.org`): HostPerson => ({
  name: login ?? '',
  email,
  login,
  avatarUrl: null,
});
const commit = (message: string, author: HostPerson, committer = author): HostCommit => ({
  sha: message,
  message,
  author,
  committer,
  parents: [],
  authoredAt: '2026-01-01T00:00:00Z',
  committedAt: '2026-01-01T00:00:00Z',
});

/** Each identity is its own person; a name with `bot` or `anthropic` is an agent. */
const actorsOf = ({ named }: CommitParticipants): Actor[] =>
  named.map((one) => {
    const name = one.login ?? ('email' in one ? one.email : '');
    return { kind: /bot|anthropic/i.test(name) ? 'agent' : 'human', identity: 'resolved', person: name };
  });
const names = (actors: readonly Actor[]) =>
  actors.map((actor) => (actor.identity === 'unresolved' ? '?' : actor.person));
const authors = (...commits: HostCommit[]) => {
  const written = participantsOf(commits);
  return names(authorsOf(written, actorsOf(written)));
};
const owners = (...commits: HostCommit[]) => {
  const written = participantsOf(commits);
  return names(sessionOwnersOf(written, actorsOf(written)));
};

test('counts authors, co-authors and committers as participants, except a committing code host', () => {
  const helped = 'Do\n\nCo-authored-by: Bob <BOB@example.org>\nCo-Authored-By: Cy <cy@example.org>';
  expect(authors(commit(helped, person('ada'), person('dee')))).toEqual([
    'ada',
    'bob@example.org',
    'cy@example.org',
    'dee',
  ]);
  expect(authors(commit('Do', person('ada'), person('web-flow', 'noreply@github.com')))).toEqual(['ada']);
});

test('takes the session owner from the person named beside the agent, unresolved without one', () => {
  const claude = 'Do\n\nCo-authored-by: Claude <noreply@anthropic.com>';
  expect(owners(commit('Do', person('ada')))).toEqual([]);
  expect(owners(commit(claude, person('ada')))).toEqual(['ada', 'ada']);
  expect(owners(commit('Do', person('deps[bot]'), person('web-flow', 'noreply@github.com')))).toEqual(['?']);
});

test('prefers the session owner named in a note over people named in the commit', () => {
  const claim = { path: null, lines: [], agent: 'Claude', model: null, session: null, confidence: 'declared' } as const;
  const owner = (name: string | null) => (name === null ? null : { ...person(null, name), name });
  const noteClaim = (name: string | null) =>
    ({ ...claim, commit: 'Do', source: 'git-ai', owner: owner(name) }) as const;
  const ownersBy = (...names: (string | null)[]) => {
    const written = participantsOf([commit('Do', person('ada'))], names.map(noteClaim));
    return sessionOwnersOf(written, actorsOf(written)).map((actor) =>
      actor.identity === 'unresolved' ? '?' : actor.person,
    );
  };
  expect(ownersBy('bob@example.org', 'bob@example.org')).toEqual(['bob@example.org']);
  expect(ownersBy(null)).toEqual(['ada', 'ada']);
  expect(ownersBy(...Array.from({ length: 9 }, (_, index) => `p${index}@example.org`))).toHaveLength(5);
});
