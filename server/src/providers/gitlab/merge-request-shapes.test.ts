import { expect, test } from 'vitest';
import { pullRequestFrom } from './merge-request-shapes.ts';

const at = '2026-01-02T03:04:05Z';
const ada = { id: 1, username: 'ada', name: 'Ada', avatar_url: null };
const opened = {
  iid: 7,
  title: 'Change the limits',
  state: 'opened',
  author: ada,
  created_at: at,
  updated_at: at,
  target_branch: 'main',
  source_branch: 'limits',
  sha: 'a'.repeat(40),
  web_url: 'https://code.example/acme/api/-/merge_requests/7',
  source_project_id: 3,
  target_project_id: 3,
};

test('reads a merge request of an old instance without the time of its merge', () => {
  const found = pullRequestFrom({ ...opened, state: 'merged', merged_by: ada, work_in_progress: true });
  expect(found).toMatchObject({ state: 'accepted', draft: true, mergedBy: { login: 'ada' }, changedFiles: null });
  expect([found.mergedAt, found.closedAt]).toEqual([found.updatedAt, found.updatedAt]);
});

test.each([
  ['the merge commit', { merge_commit_sha: 'b'.repeat(40), squash_commit_sha: 'c'.repeat(40) }, 'b'.repeat(40)],
  ['the squashed commit', { squash_commit_sha: 'c'.repeat(40) }, 'c'.repeat(40)],
  ['the head of a fast-forward', {}, 'a'.repeat(40)],
  ['none of a deleted branch', { sha: null }, null],
])('the merged commit is %s', (_, part, sha) => {
  expect(pullRequestFrom({ ...opened, state: 'merged', merged_at: at, ...part }).mergeSha).toBe(sha);
});

test('a closed merge request has its closer, an open one neither', () => {
  expect(pullRequestFrom({ ...opened, state: 'closed', closed_by: ada })).toMatchObject({
    state: 'closed',
    closedBy: { login: 'ada' },
    mergeSha: null,
  });
  const open = pullRequestFrom({
    ...opened,
    state: 'locked',
    draft: true,
    changes_count: '12',
    labels: ['security'],
    diff_refs: { base_sha: 'd'.repeat(40) },
    source_project_id: 4,
  });
  expect(open).toMatchObject({
    state: 'in-progress',
    draft: true,
    changedFiles: 12,
    labels: ['security'],
    mergeBase: 'd'.repeat(40),
    isFromFork: true,
    closedAt: null,
  });
  // More files than the host counts.
  expect(pullRequestFrom({ ...opened, changes_count: '1000+' }).changedFiles).toBeNull();
});
