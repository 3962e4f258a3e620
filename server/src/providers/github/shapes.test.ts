import examples from '@octokit/webhooks-examples' with { type: 'json' };
import { expect, test } from 'vitest';
import { ZodError } from 'zod';
import { commitFromApi, commitFromPush } from './commit-shapes.ts';
import { pullRequestFrom, pullRequestFromWebhook, reviewFrom } from './pull-request-shapes.ts';
import { repositoryFrom } from './shapes.ts';

interface Definition {
  name: string;
  examples: Record<string, unknown>[];
}
const payloads = (name: string): Record<string, unknown>[] =>
  (examples as unknown as Definition[]).find((definition) => definition.name === name)?.examples ?? [];
const utc = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

test('parses every pull request and review that GitHub publishes', () => {
  const pulls = [...payloads('pull_request'), ...payloads('pull_request_review')];
  expect(pulls.length).toBeGreaterThan(30);
  for (const payload of pulls) {
    const { number, state } = pullRequestFromWebhook(payload);
    expect(number).toBeGreaterThan(0);
    expect(['in-progress', 'accepted', 'closed']).toContain(state);
  }
  for (const { review } of payloads('pull_request_review')) {
    expect(reviewFrom(review)).toMatchObject({ submittedAt: utc, user: { login: expect.any(String) } });
  }
});

test('parses every push and repository that GitHub publishes', () => {
  for (const { repository, commits } of payloads('push')) {
    expect(repositoryFrom(repository)).toMatchObject({ owner: expect.any(String), pushedAt: utc });
    for (const commit of commits as unknown[]) {
      expect(commitFromPush(commit)).toMatchObject({ committedAt: utc, parents: null });
    }
  }
  for (const { repository } of payloads('repository')) expect(repositoryFrom(repository).id).toMatch(/^\d+$/);
});

const raw = {
  number: 5,
  title: 'T',
  state: 'closed',
  user: { login: 'renovate[bot]' },
  created_at: '2026-01-01T01:00:00+02:00',
  updated_at: '2026-01-02T00:00:00Z',
  merged_at: null,
  closed_at: '2026-01-02T00:00:00Z',
  base: { ref: 'main' },
  head: { ref: 'x', sha: 'abc' },
  merge_commit_sha: 'def',
  html_url: 'https://github.com/a/b/pull/5',
};

test('derives the state from recorded events instead of the state of the host', () => {
  const ada = { login: 'ada', avatarUrl: null, isAgent: false };
  expect(pullRequestFrom({ ...raw, state: 'open', draft: true }, ada)).toMatchObject({
    state: 'in-progress',
    draft: true,
    closedBy: null,
  });
  expect(pullRequestFrom({ ...raw, merged_at: raw.updated_at }, ada)).toMatchObject({
    state: 'accepted',
    mergeSha: 'def',
    closedBy: null,
  });
  expect(pullRequestFrom(raw, ada)).toMatchObject({
    state: 'closed',
    mergeSha: null,
    closedBy: { login: 'ada' },
    author: { isAgent: true },
    createdAt: '2025-12-31T23:00:00.000Z',
  });
  expect(pullRequestFrom({ ...raw, user: null }).author).toEqual({ login: 'ghost', avatarUrl: null, isAgent: false });
  expect(pullRequestFrom({ ...raw, user: { login: 'helper', type: 'Bot' } }).author.isAgent).toBe(true);
});

test('parses a commit without an account and rejects one without any time', () => {
  const signature = { name: 'Ada', email: 'a@example.org', date: '2026-01-01T00:00:00+05:30' };
  const commit = { sha: 'abcdef0', commit: { author: signature, committer: null, message: 'm' }, parents: [] };
  expect(commitFromApi({ ...commit, author: null, committer: {} })).toMatchObject({
    author: { login: null },
    committer: { name: '', login: null },
    committedAt: '2025-12-31T18:30:00.000Z',
  });
  expect(() => commitFromApi({ ...commit, commit: { author: {}, committer: {}, message: 'm' } })).toThrow(ZodError);
});

test('rejects an invalid payload with a clear error', () => {
  for (const wrong of [null, {}, [], { id: 'x' }]) {
    for (const from of [
      repositoryFrom,
      commitFromApi,
      commitFromPush,
      pullRequestFrom,
      pullRequestFromWebhook,
      reviewFrom,
    ]) {
      expect(() => from(wrong)).toThrow(ZodError);
    }
  }
});

test('omits a pending review', () => {
  expect(reviewFrom({ id: 1, user: null, state: 'PENDING' })).toBeUndefined();
});
