import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commitFrom } from './commit-shapes.ts';
import { pullRequestFrom } from './merge-request-shapes.ts';
import { repositoryFrom } from './shapes.ts';
import { gitlabWebhooks } from './webhooks.ts';

// Recorded responses and deliveries of GitLab exist only next to the checkout on development machines.
const folder = join(import.meta.dirname, '../../../../../shared/fixtures/gitlab');
const json = (path: string) => JSON.parse(readFileSync(join(folder, path), 'utf8'));
const newsOf = (name: string) => {
  const body = readFileSync(join(folder, 'webhooks', name));
  const { event } = gitlabWebhooks.name(body, () => '');
  return gitlabWebhooks.read(event, JSON.parse(body.toString()));
};

describe.skipIf(!existsSync(folder))('recorded GitLab payloads', () => {
  test('of API projects, commits and merge requests are parsed', () => {
    expect(repositoryFrom(json('rest/repo.json'))).toMatchObject({
      id: '178504',
      owner: 'diaspora',
      name: 'diaspora',
      defaultBranch: 'master',
      isPrivate: false,
      pushedAt: '2015-03-03T18:37:20.795Z',
    });
    for (const project of json('rest/repos.json')) expect(repositoryFrom(project).id).toMatch(/^\d+$/);
    for (const commit of [json('rest/commit.json'), ...json('rest/commits.json')]) {
      expect(commitFrom(commit)).toMatchObject({
        sha: '6104942438c14ec7bd21c6cd5bd995272b3faff6',
        message: 'Sanitize for network graph',
        author: { email: 'dmitriy.zaporozhets@gmail.com', login: null },
        committedAt: '2012-06-28T10:44:20.000Z',
        parents: ['ae1d9fb46aa2b07ee9836d49862ec4e2c46fbbba'],
      });
    }
    for (const merge of [json('rest/merge.json'), ...json('rest/merges.json')]) {
      expect(pullRequestFrom(merge)).toMatchObject({
        number: 1,
        title: 'JS fix',
        state: 'closed',
        author: { login: 'dblessing' },
        baseRef: 'master',
        headRef: 'fix',
        headSha: '12d65c8dd2b2676fa3ac47d955accc085a37a9c1',
        mergedAt: null,
        mergeSha: null,
      });
    }
  });

  test.each([
    ['push.json', { ref: 'refs/heads/master', isWhole: true, shas: ['2adc9465c4edfc33834e173fe89436a7cb899a1d'] }],
    ['push_subgroup.json', { isWhole: true }],
    ['push_merge.json', { isWhole: true }],
    ['branch_create.json', { before: null, isWhole: true }],
    ['branch_delete.json', { ref: 'refs/heads/feature', after: null, shas: [], isWhole: false }],
    ['branch_delete_subgroup.json', { after: null }],
  ])('in %s are parsed as a push', (name, expected) => {
    const [hostEvent, ...more] = newsOf(name);
    expect(more).toEqual([]);
    expect(hostEvent).toMatchObject({
      kind: 'push',
      repository: { id: expect.stringMatching(/^\d+(@.+)?$/) },
      ...expected,
    });
    if (hostEvent?.kind !== 'push') throw new Error('no push');
    for (const commit of hostEvent.parsePayload()) {
      expect(commit).toMatchObject({ committedAt: expect.stringMatching(/Z$/), parents: null, changes: {} });
    }
  });

  test.each([
    ['pull_request_create.json', { state: 'in-progress', draft: false, mergedAt: null, author: { login: 'sytses' } }],
    ['pull_request_close.json', { state: 'closed', closedBy: { login: 'sytses' }, mergeSha: null }],
    ['pull_request_reopen.json', { state: 'in-progress', closedBy: null }],
    ['pull_request_review_ready.json', { state: 'in-progress', draft: true, author: { login: 'rathod.meetsatish' } }],
    ['merge_request_subgroup.json', { number: expect.any(Number) }],
    [
      'pull_request_merge.json',
      {
        number: 1,
        title: 'update readme',
        state: 'accepted',
        mergedBy: { login: 'sytses' },
        closedBy: null,
        mergeSha: '78a76ee6b4992a6baf64c59fc4c44c7323d60438',
        mergedAt: '2017-12-10T17:08:07.000Z',
        baseRef: 'master',
        headRef: 'feature',
        headSha: 'c4c79227ed610f1151f05bbc5be33b4f340d39c8',
      },
    ],
  ])('in %s are parsed as a merge request', (name, expected) => {
    const [hostEvent, ...more] = newsOf(name);
    expect(more).toEqual([]);
    if (hostEvent?.kind !== 'pull_request') throw new Error('no pull request');
    expect(hostEvent.parsePayload?.().pullRequest).toMatchObject({ number: hostEvent.number, ...expected });
  });

  test('of tags are ignored', () => {
    for (const name of readdirSync(join(folder, 'webhooks')).filter((one) => one.startsWith('tag_'))) {
      expect(newsOf(name)).toEqual([]);
    }
  });
});
