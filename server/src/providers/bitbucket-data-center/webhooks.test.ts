import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import approved from './fixtures/pr_approved.json' with { type: 'json' };
import merged from './fixtures/pr_merged_iso_dates.json' with { type: 'json' };
import { dataCenterWebhooks } from './webhooks.ts';

const secret = 'a secret of the hook';
const body = Buffer.from('{"eventKey":"repo:refs_changed"}');
const signed = (word = secret) => createHmac('sha256', word).update(body).digest('hex');
const headersOf = (headers: Record<string, string>) => (name: string) => headers[name] ?? '';
const isValid = (given: string) => {
  const check = dataCenterWebhooks.signatureOf(secret, headersOf({ 'x-hub-signature': given }));
  check?.update(body);
  return check?.isValid() ?? false;
};

test('accepts the signature of a body only', () => {
  expect(isValid(`sha256=${signed()}`)).toBe(true);
  expect(isValid(`sha256=${signed('another')}`)).toBe(false);
  expect(isValid(signed())).toBe(false);
  expect(isValid('sha1=abc')).toBe(false);
  expect(isValid('')).toBe(false);
});

test('identifies a delivery by its request ID, or by its body without one', () => {
  const headers = headersOf({ 'x-request-id': 'f1d2d2f9-0000', 'x-event-key': 'pr:reviewer:needs_work' });
  expect(dataCenterWebhooks.name(body, headers)).toEqual({
    deliveryId: 'f1d2d2f9-0000',
    event: 'pr:reviewer:needs_work',
  });
  expect(dataCenterWebhooks.name(body, headersOf({})).deliveryId).toMatch(/^[0-9a-f]{64}$/);
});

test('reads the published examples of decisions and merges', () => {
  const [decision] = dataCenterWebhooks.read('pr:reviewer:approved', approved);
  expect(decision).toMatchObject({ kind: 'pull_request', number: 1, repository: { id: '84', pushedAt: null } });
  const [merge] = dataCenterWebhooks.read('pr:merged', merged);
  if (merge?.kind !== 'pull_request') throw new Error('It is no pull request');
  expect(merge.parsePayload?.().pullRequest).toMatchObject({
    number: 3,
    state: 'accepted',
    mergedAt: '2018-07-05T19:33:20.000Z',
    mergedBy: { login: 'jcitizen', hostId: '1' },
    mergeSha: '83f836ca538dc4f43d29fda46a5b85ea49f1b8e7',
    isFromFork: false,
    baseRef: 'master',
  });
});

const actor = { name: 'ada', id: 3, displayName: 'Ada', type: 'NORMAL' };
const repository = {
  id: 7,
  slug: 'app',
  project: { key: 'PRJ' },
  links: { self: [{ href: 'https://code.example/git/projects/PRJ/repos/app/browse' }] },
};
const [a, b, c] = ['a', 'b', 'c'].map((letter) => letter.repeat(40));
const zeros = '0'.repeat(40);
const change = (name: string, fromHash = '', toHash = '', type = 'UPDATE') => ({
  ref: { id: name, displayId: name, type: 'BRANCH' },
  refId: name,
  fromHash,
  toHash,
  type,
});
const push = (...changes: object[]) => ({ date: '2026-05-24T16:11:04+0200', actor, repository, changes });

test('reads updated, new and deleted branches of one push', () => {
  const events = dataCenterWebhooks.read(
    'repo:refs_changed',
    push(
      change('refs/heads/main', a, b),
      change('refs/heads/new', zeros, c, 'ADD'),
      change('refs/heads/old', c, zeros, 'DELETE'),
    ),
  );
  const at = '2026-05-24T14:11:04.000Z';
  expect(events).toMatchObject([
    { kind: 'push', ref: 'refs/heads/main', before: a, after: b, isWhole: false, at, pusher: { login: 'ada' } },
    { kind: 'push', ref: 'refs/heads/new', before: null, after: c, isForced: false },
    { kind: 'push', ref: 'refs/heads/old', before: c, after: null, isForced: false },
  ]);
  expect(events[0]).toMatchObject({ repository: { id: '7@code.example/git', pushedAt: at } });
  expect(events[0]).not.toHaveProperty('isForced');
});

test('reads the newest commits of a push, in the form of recent versions', () => {
  const commit = (id: string | undefined) => ({
    id,
    message: 'Change',
    author: actor,
    authorTimestamp: '2026-05-24T14:11:04.000Z',
    committer: { name: 'Zoe', emailAddress: 'zoe@x.example' },
    committerTimestamp: '2026-05-24T14:11:04.000Z',
  });
  const payload = { ...push(change('refs/heads/main', a, c)), commits: [commit(c), commit(b)] };
  const [event] = dataCenterWebhooks.read('repo:refs_changed', payload);
  if (event?.kind !== 'push') throw new Error('It is no push');
  expect(event).toMatchObject({ shas: [b, c], isWhole: false });
  expect(event.parsePayload()).toMatchObject([
    { sha: b, author: { login: 'ada', name: 'Ada' }, committer: { login: null, name: 'Zoe', email: 'zoe@x.example' } },
    { sha: c },
  ]);
});

test('names who pushed to the branch of a pull request, and ignores comments, pings and deletions', () => {
  const payload = { ...approved, actor };
  expect(dataCenterWebhooks.read('pr:from_ref_updated', payload)).toMatchObject([
    { pushed: { sha: 'ef8755f06ee4b28c96a847a95cb8ec8ed6ddd1ca', pusher: { login: 'ada' } } },
  ]);
  for (const event of ['pr:comment:added', 'pr:deleted', 'diagnostics:ping', 'repo:forked'])
    expect(dataCenterWebhooks.read(event, { test: true })).toEqual([]);
});
