import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { giteaWebhooks } from './webhooks.ts';

const secret = 'a secret of the hook';
const body = Buffer.from('{"ref":"refs/heads/main"}');
const signed = (word = secret) => createHmac('sha256', word).update(body).digest('hex');
const headersOf = (headers: Record<string, string>) => (name: string) => headers[name] ?? '';
const isValid = (headers: Record<string, string>) => {
  const check = giteaWebhooks.signatureOf(secret, headersOf(headers));
  check?.update(body);
  return check?.isValid() ?? false;
};

test.each(['x-gitea-signature', 'x-forgejo-signature'])('accepts the signature in %s only for its body', (name) => {
  expect(isValid({ [name]: signed() })).toBe(true);
  expect(isValid({ [name]: signed('another') })).toBe(false);
  expect(isValid({ [name]: '' })).toBe(false);
  expect(isValid({ [name]: `sha256=${signed()}` })).toBe(false);
});

test('identifies a delivery by its header, or by its body without one', () => {
  const headers = headersOf({ 'x-gitea-delivery': 'f1d2d2f9-0000', 'x-gitea-event': 'pull_request_approved' });
  expect(giteaWebhooks.name(body, headers)).toEqual({ deliveryId: 'f1d2d2f9-0000', event: 'pull_request_approved' });
  expect(giteaWebhooks.name(body, headersOf({})).deliveryId).toMatch(/^[0-9a-f]{64}$/);
});

const repository = {
  id: 7,
  name: 'widgets',
  full_name: 'acme/widgets',
  private: true,
  html_url: 'https://code.example/git/acme/widgets',
};

test('reads pushes, deleted branches, pull requests and reviews', () => {
  const at = '2026-01-01T10:00:00Z';
  const commit = (id: string) => ({
    id,
    message: 'Change',
    timestamp: at,
    author: { name: 'Ada', email: 'ada@x.example' },
  });
  const [push] = giteaWebhooks.read('push', {
    ref: 'refs/heads/main',
    before: 'a'.repeat(40),
    after: 'c'.repeat(40),
    commits: [commit('c'.repeat(40)), commit('b'.repeat(40))],
    total_commits: 2,
    pusher: { id: 3, login: 'ada' },
    repository,
  });
  expect(push).toMatchObject({
    kind: 'push',
    repository: { id: '7@code.example/git' },
    shas: ['b'.repeat(40), 'c'.repeat(40)],
    isWhole: true,
    pusher: { login: 'ada', hostId: '3' },
  });
  expect(
    giteaWebhooks.read('push', {
      ref: 'refs/heads/main',
      before: '0'.repeat(40),
      after: 'c'.repeat(40),
      commits: [],
      total_commits: 9,
      repository,
    }),
  ).toMatchObject([{ before: null, isWhole: false, isForced: false }]);
  expect(giteaWebhooks.read('delete', { ref: 'topic', ref_type: 'branch', repository })).toMatchObject([
    { kind: 'ref_deleted', ref: 'refs/heads/topic' },
  ]);
  const pull = {
    number: 4,
    title: 'WIP: Change',
    state: 'open',
    user: { id: 3, login: 'ada' },
    created_at: at,
    updated_at: at,
    base: { ref: 'main', repo_id: 7 },
    head: { ref: 'topic', sha: 'd'.repeat(40), repo_id: 7 },
    html_url: 'https://code.example/git/acme/widgets/pulls/4',
  };
  const [updated] = giteaWebhooks.read('pull_request', {
    action: 'synchronized',
    number: 4,
    pull_request: pull,
    repository,
    sender: { id: 5, login: 'bob' },
  });
  expect(updated).toMatchObject({
    kind: 'pull_request',
    number: 4,
    pushed: { sha: 'd'.repeat(40), pusher: { login: 'bob' } },
  });
  if (updated?.kind !== 'pull_request') throw new Error('It is no pull request');
  expect(updated.parsePayload?.().pullRequest).toMatchObject({ draft: true, state: 'in-progress', isFromFork: false });
  expect(
    giteaWebhooks.read('pull_request_approved', { action: 'reviewed', number: 4, pull_request: pull, repository }),
  ).toMatchObject([{ kind: 'pull_request', number: 4 }]);
  expect(giteaWebhooks.read('issues', { repository })).toEqual([]);
});
