import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createToken as createDataCenterToken } from './bitbucket-data-center/instance.ts';
import { codeHost as dataCenterHost } from './bitbucket-data-center/service.ts';
import { serviceOf } from './code-host-service.ts';
import { createToken as createGiteaToken } from './gitea/instance.ts';
import { codeHost as giteaHost } from './gitea/service.ts';
import { bob, createStory, zoe } from './testing/repository.ts';
import { startReceiver, startTestSandbox } from './testing/sandbox.ts';

let story: Awaited<ReturnType<typeof createStory>>;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let world: Awaited<ReturnType<typeof startTestSandbox>>;

beforeEach(async () => {
  story = await createStory();
  receiver = await startReceiver();
  // The tests read the repository with `refresh`, so that the order of events does not depend on a poll.
  world = await startTestSandbox([story.path], { pollMs: 3_600_000 });
});
afterEach(async () => {
  await world.sandbox.close();
  await receiver.close();
  await story.remove();
});

const ada = () => {
  const user = world.sandbox.host.users.byLogin.get('ada');
  if (user === undefined) throw new Error('The story has no Ada.');
  return user;
};
const request = async (path: string, token: string, method = 'GET', body?: object) => {
  const answer = await fetch(world.sandbox.url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, json: text === '' ? undefined : JSON.parse(text) };
};

/** A branch whose commit and ref appear together, its force push, its approved merge, and the deletion of two branches. */
const lifecycle = async (): Promise<void> => {
  const { refresh } = world.sandbox;
  story.git(['checkout', '--quiet', '--detach']);
  await story.commit('Topic', { 't.txt': 't' }, bob);
  story.git(['branch', '--quiet', 'topic']);
  story.git(['checkout', '--quiet', 'topic']);
  await refresh();
  story.git(['commit', '--quiet', '--amend', '-m', 'Topic, better'], bob);
  await refresh();
  story.git(['checkout', '--quiet', 'main']);
  story.merge('topic', "Merge branch 'topic'\n\nThe topic\n\nReviewed-by: Ada Lovelace <ada@example.org>", zoe);
  await refresh();
  story.git(['branch', '--quiet', '-D', 'topic', 'wip/search']);
  story.git(['tag', 'v2.0']);
  await refresh();
  story.git(['tag', '-d', 'v2.0']);
  await refresh();
};
const zeros = '0'.repeat(40);

describe('Gitea', () => {
  const hooks = '/gitea/api/v1/repos/sandbox/widgets/hooks';
  const events = ['push', 'delete', 'pull_request', 'pull_request_sync', 'pull_request_review'];
  const form = () => ({
    type: 'gitea',
    active: true,
    events,
    config: { url: receiver.url, content_type: 'json', secret: 'a secret' },
  });
  const admin = () => createGiteaToken(serviceOf(world.sandbox.codeHosts, giteaHost).gitea, ada());
  const types = () => receiver.received.map(({ headers }) => headers['x-gitea-event-type']);

  test('creates, lists, changes and deletes webhooks', async () => {
    const token = admin();
    const { json: created, status } = await request(hooks, token, 'POST', form());
    expect(status).toBe(201);
    expect(created).toMatchObject({ type: 'gitea', active: true, config: { url: receiver.url } });
    expect(JSON.stringify(created)).not.toContain('a secret');
    expect((await request(hooks, token)).json).toEqual([created]);
    const change = { events: ['push'], active: false, config: { url: 'https://app.test/new', secret: 'new' } };
    const { json: changed } = await request(`${hooks}/${created.id}`, token, 'PATCH', change);
    expect(changed).toMatchObject({ active: false, events: ['push'], config: { url: 'https://app.test/new' } });
    expect((await request(`${hooks}/${created.id}`, token, 'DELETE')).status).toBe(204);
    expect((await request(`${hooks}/${created.id}`, token, 'DELETE')).status).toBe(404);
    expect((await request(hooks, token)).json).toEqual([]);
  });

  test.each([
    ['of another type', { type: 'slack' }],
    ['without a content type', { config: { url: 'https://app.test/' } }],
    ['without a web address', { config: { url: 'ftp://app.test/', content_type: 'json' } }],
  ])('rejects a webhook %s', async (_, part) => {
    expect((await request(hooks, admin(), 'POST', { ...form(), ...part })).status).toBe(422);
  });

  test('rejects webhooks of a person who does not administer the repository', async () => {
    serviceOf(world.sandbox.codeHosts, giteaHost).gitea.areAdministrators = false;
    expect((await request(hooks, admin(), 'POST', form())).status).toBe(403);
  });

  test('reports a branch from its first push to its deletion, signed', async () => {
    await request(hooks, admin(), 'POST', form());
    await lifecycle();
    expect(types()).toEqual([
      ...['push', 'pull_request', 'push', 'pull_request_sync', 'push', 'pull_request', 'pull_request_review_approved'],
      ...types().slice(7),
    ]);
    expect(types().slice(7).sort()).toEqual(['delete', 'delete', 'delete', 'pull_request', 'push']);
    const [push, opened, forced, , merge, closed, approved] = receiver.received;
    const signature = createHmac('sha256', 'a secret')
      .update(push?.body ?? '')
      .digest('hex');
    expect(push?.headers).toMatchObject({ 'x-gitea-signature': signature, 'x-gitea-event': 'push' });
    expect(push?.headers).not.toHaveProperty('x-forgejo-event');
    expect(push?.payload).toMatchObject({
      ref: 'refs/heads/topic',
      before: zeros,
      total_commits: 1,
      commits: [{ message: 'Topic', author: { email: bob.email }, added: ['t.txt'], removed: [], modified: [] }],
    });
    expect(opened?.payload).toMatchObject({ action: 'opened', number: 14, review: null });
    expect(forced?.payload).toMatchObject({ before: push?.payload.after, commits: [{ message: 'Topic, better' }] });
    expect(merge?.payload).toMatchObject({ ref: 'refs/heads/main', total_commits: 2, sender: { login: 'zoe-a' } });
    expect(closed?.payload).toMatchObject({
      action: 'closed',
      pull_request: { merged: true },
      sender: { login: 'zoe-a' },
    });
    expect(approved?.payload).toMatchObject({ action: 'reviewed', sender: { login: 'ada' } });
    const deleted = receiver.received.filter(({ headers }) => headers['x-gitea-event'] === 'delete');
    expect(deleted.map(({ payload }) => [payload.ref_type, payload.ref]).sort()).toEqual([
      ['branch', 'topic'],
      ['branch', 'wip/search'],
      ['tag', 'v2.0'],
    ]);
  });

  test('sends only subscribed events of an active webhook', async () => {
    const token = admin();
    const { json } = await request(hooks, token, 'POST', { ...form(), events: ['pull_request_review'] });
    await lifecycle();
    expect(types()).toEqual(['pull_request_review_approved']);
    await request(`${hooks}/${json.id}`, token, 'PATCH', { active: false, events });
    await story.commit('One more');
    await world.sandbox.refresh();
    expect(receiver.received).toHaveLength(1);
  });
});

describe('Bitbucket Data Center', () => {
  const hooks = '/bitbucket-data-center/rest/api/latest/projects/SANDBOX/repos/widgets/webhooks';
  const events = ['repo:refs_changed', 'pr:opened', 'pr:from_ref_updated', 'pr:merged', 'pr:declined'];
  const form = () => ({
    name: 'Sightline',
    active: true,
    events: [...events, 'pr:reviewer:approved'],
    url: receiver.url,
    configuration: { secret: 'a secret' },
  });
  const dataCenter = () => serviceOf(world.sandbox.codeHosts, dataCenterHost).dataCenter;
  const admin = () => createDataCenterToken(dataCenter(), ada());
  const keys = () => receiver.received.map(({ headers }) => headers['x-event-key']);

  test('creates, lists, changes and deletes webhooks', async () => {
    const token = admin();
    const { json: created, status } = await request(hooks, token, 'POST', form());
    expect(status).toBe(201);
    expect(created).toMatchObject({ name: 'Sightline', active: true, url: receiver.url });
    expect((await request(hooks, token)).json).toMatchObject({ isLastPage: true, values: [created] });
    const { json: changed } = await request(`${hooks}/${created.id}`, token, 'PUT', { ...form(), active: false });
    expect(changed).toMatchObject({ id: created.id, active: false });
    expect((await request(`${hooks}/${created.id}`, token, 'DELETE')).status).toBe(204);
    expect((await request(`${hooks}/${created.id}`, token, 'DELETE')).status).toBe(404);
    expect((await request(hooks, token)).json.values).toEqual([]);
  });

  test.each([
    ['without a name', { name: '' }],
    ['without a web address', { url: 'app.test' }],
    ['of an unknown event', { events: ['repo:unknown'] }],
  ])('rejects a webhook %s', async (_, part) => {
    expect((await request(hooks, admin(), 'POST', { ...form(), ...part })).status).toBe(400);
  });

  test('rejects webhooks of a token that does not administer the repository', async () => {
    const writer = createDataCenterToken(dataCenter(), ada(), 'REPO_WRITE');
    expect((await request(hooks, writer, 'POST', form())).status).toBe(401);
    expect((await request(hooks, 'unknown')).status).toBe(401);
  });

  test('reports a branch from its first push to its deletion, signed', async () => {
    await request(hooks, admin(), 'POST', form());
    await lifecycle();
    const refs = 'repo:refs_changed';
    expect(keys().slice(0, 7)).toEqual([
      refs,
      'pr:opened',
      refs,
      'pr:from_ref_updated',
      refs,
      'pr:merged',
      'pr:reviewer:approved',
    ]);
    expect(keys().slice(7).sort()).toEqual(['pr:declined', refs, refs, refs, refs]);
    const [push, opened, forced, updated, merge, merged, approved] = receiver.received;
    const signature = createHmac('sha256', 'a secret')
      .update(push?.body ?? '')
      .digest('hex');
    expect(push?.headers).toMatchObject({ 'x-hub-signature': `sha256=${signature}` });
    const pushed = (push?.payload.changes as { toHash: string }[] | undefined)?.[0];
    expect(pushed).toMatchObject({ ref: { displayId: 'topic', type: 'BRANCH' }, type: 'ADD', fromHash: zeros });
    expect(opened?.payload).toMatchObject({ pullRequest: { id: 14, state: 'OPEN' } });
    expect(forced?.payload.changes).toMatchObject([{ type: 'UPDATE', fromHash: pushed?.toHash }]);
    expect(updated?.payload).toHaveProperty('previousFromHash');
    expect(merge?.payload).toMatchObject({ actor: { name: 'zoe-a' }, commits: [{}, { message: 'Topic, better' }] });
    expect(merged?.payload).toMatchObject({ actor: { name: 'zoe-a' }, pullRequest: { id: 14, state: 'MERGED' } });
    expect(approved?.payload).toMatchObject({
      participant: { user: { name: 'ada' }, role: 'REVIEWER', approved: true },
    });
    const deletions = receiver.received.flatMap(({ payload }) => (payload.changes ?? []) as { type: string }[]);
    expect(deletions.filter(({ type }) => type === 'DELETE')).toHaveLength(3);
  });

  test('sends only subscribed events of an active webhook', async () => {
    const token = admin();
    const { json } = await request(hooks, token, 'POST', { ...form(), events: ['pr:declined'] });
    await lifecycle();
    expect(keys()).toEqual(['pr:declined']);
    await request(`${hooks}/${json.id}`, token, 'PUT', { ...form(), active: false });
    await story.commit('One more');
    await world.sandbox.refresh();
    expect(receiver.received).toHaveLength(1);
  });
});
