import { Webhooks } from '@octokit/webhooks';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bob, createStory, zoe } from '../testing/repository.ts';
import { credentials, startReceiver, startTestSandbox } from '../testing/sandbox.ts';
import { changeSelection, install, suspend, uninstall, unsuspend } from './installations.ts';
import { replayHistory } from './replay.ts';
import { renameRepository } from './webhook-events.ts';

let story: Awaited<ReturnType<typeof createStory>>;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let world: Awaited<ReturnType<typeof startTestSandbox>>;

beforeEach(async () => {
  story = await createStory();
  receiver = await startReceiver();
  world = await startTestSandbox([story.path], { deliverTo: receiver.url, pollMs: 100 });
});
afterEach(async () => {
  await world.sandbox.close();
  await receiver.close();
  await story.remove();
});

const known = () => {
  const { host } = world.sandbox;
  const [repository, ada] = [host.repositories[0], host.users.byLogin.get('ada')];
  if (repository === undefined || ada === undefined) throw new Error('The story has no repository or no Ada.');
  return { host, repository, ada };
};
const installed = async () => {
  const { host, repository, ada } = known();
  const installation = install(host, repository.owner, 'all', ada);
  await world.sandbox.settled();
  receiver.received.length = 0;
  return { host, repository, ada, installation };
};
const actions = (): string[] =>
  receiver.received.map(({ event, payload }) => (payload.action === undefined ? event : `${event}.${payload.action}`));

test('reports an installation from creation to removal, signed like GitHub', async () => {
  const { host, repository, ada } = known();
  const installation = install(host, repository.owner, 'all', ada);
  suspend(host, installation, ada);
  unsuspend(host, installation, ada);
  changeSelection(host, installation, [], ada);
  changeSelection(host, installation, [repository.id], ada);
  uninstall(host, installation, ada);
  await world.sandbox.settled();
  expect(actions()).toEqual([
    ...['installation.created', 'installation.suspend', 'installation.unsuspend', 'installation_repositories.removed'],
    ...['installation_repositories.added', 'installation.deleted'],
  ]);
  const [created] = receiver.received;
  expect(created?.payload).toMatchObject({
    installation: { id: installation.id, account: { login: 'sandbox' }, target_type: 'Organization', app_id: 77 },
    repositories: [{ full_name: 'sandbox/widgets' }],
    sender: { login: 'ada' },
  });
  expect(created?.headers).toMatchObject({
    'x-github-hook-installation-target-id': '77',
    'content-type': 'application/json',
    'x-github-delivery': expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  const [body, signature] = [created?.body ?? '', created?.headers['x-hub-signature-256'] ?? ''];
  expect(await new Webhooks({ secret: credentials.webhookSecret }).verify(body, signature)).toBe(true);
  expect(await new Webhooks({ secret: 'another secret' }).verify(body, signature)).toBe(false);
});

test('sends a push when a commit is made', async () => {
  await installed();
  const before = story.git(['rev-parse', 'main']);
  const after = await story.commit('Say hello\n\nTo all', { 'hello/wörld.txt': 'hello', 'README.md': 'changed' }, zoe);
  const { payload } = await receiver.until(({ event }) => event === 'push');
  expect(payload).toMatchObject({
    ref: 'refs/heads/main',
    before,
    after,
    created: false,
    deleted: false,
    forced: false,
    repository: { full_name: 'sandbox/widgets', default_branch: 'main', master_branch: 'main' },
    organization: { login: 'sandbox' },
    sender: { login: 'zoe-a' },
    pusher: { name: 'zoe-a' },
    commits: [
      {
        id: after,
        distinct: true,
        message: 'Say hello\n\nTo all',
        tree_id: story.git(['rev-parse', 'main^{tree}']),
        author: { name: zoe.name, email: zoe.email, username: 'zoe-a' },
        added: ['hello/wörld.txt'],
        modified: ['README.md'],
        removed: [],
      },
    ],
    head_commit: { id: after },
  });
});

test('reports a branch from its first push through a force push to its merge', async () => {
  await installed();
  const { sandbox } = world;
  // Creates the branch together with its commit, since the sandbox polls and would report a branch without one.
  story.git(['checkout', '--quiet', '--detach']);
  await story.commit('Topic', { 't.txt': 't' }, bob);
  story.git(['branch', '--quiet', 'topic']);
  story.git(['checkout', '--quiet', 'topic']);
  await sandbox.refresh();
  expect(actions()).toEqual(['push', 'pull_request.opened']);
  expect(receiver.received[0]?.payload).toMatchObject({
    created: true,
    before: '0'.repeat(40),
    commits: [{ distinct: true }],
  });

  story.git(['commit', '--quiet', '--amend', '-m', 'Topic, better']);
  await sandbox.refresh();
  expect(actions().slice(2)).toEqual(['push', 'pull_request.synchronize']);
  expect(receiver.received[2]?.payload).toMatchObject({ forced: true, commits: [{ message: 'Topic, better' }] });

  story.git(['checkout', '--quiet', 'main']);
  story.merge('topic', "Merge branch 'topic'\n\nThe topic\n\nReviewed-by: Ada Lovelace <ada@example.org>", zoe);
  await sandbox.refresh();
  expect(actions().slice(4)).toEqual(['push', 'pull_request.closed', 'pull_request_review.submitted']);
  expect(receiver.received[4]?.payload).toMatchObject({ commits: [{ distinct: false }, { distinct: true }] });
  expect(receiver.received[5]?.payload).toMatchObject({
    number: 14,
    pull_request: { title: 'The topic', merged: true, merged_by: { login: 'zoe-a' }, commits: 1 },
  });

  story.git(['branch', '--quiet', '-D', 'topic', 'wip/search']);
  await sandbox.refresh();
  expect(actions().slice(7).sort()).toEqual(['pull_request.closed', 'push', 'push']);
  const closed = receiver.received.findLast(({ event }) => event === 'pull_request');
  expect(closed?.payload).toMatchObject({
    number: 13,
    pull_request: { merged: false, state: 'closed', merged_at: null },
  });
  expect(receiver.received.at(-2)?.payload).toMatchObject({
    deleted: true,
    after: '0'.repeat(40),
    head_commit: null,
    commits: [],
  });
});

test('reports nothing that a suspended installation may not receive', async () => {
  const { host, installation, ada } = await installed();
  suspend(host, installation, ada);
  await story.commit('Unheard', { 'x.txt': 'x' });
  await world.sandbox.refresh();
  expect(actions()).toEqual(['installation.suspend']);
});

test('replays a history with what REST returns', async () => {
  const { host, repository, installation } = await installed();
  await replayHistory(host, repository);
  await world.sandbox.settled();
  expect(actions()).toEqual([
    ...['push', 'pull_request.opened', 'pull_request_review.submitted', 'push', 'pull_request.closed'],
    ...['push', 'pull_request.opened', 'push', 'pull_request.closed'],
    ...['pull_request.opened', 'pull_request_review.submitted', 'push', 'pull_request.closed', 'pull_request.opened'],
  ]);
  const pushes = receiver.received.filter(({ event }) => event === 'push').map(({ payload }) => payload);
  const pushed = pushes.flatMap(({ commits }) => (commits as { id: string }[]).map(({ id }) => id));
  expect(pushed.toSorted()).toEqual(story.git(['rev-list', 'main']).split('\n').toSorted());
  for (const [index, push] of pushes.slice(1).entries()) expect(push.before).toBe(pushes[index]?.after);

  const client = await world.app.getInstallationOctokit(installation.id);
  const closed = receiver.received.filter(({ payload }) => payload.action === 'closed');
  for (const { payload } of closed) {
    const path = { owner: 'sandbox', repo: 'widgets', pull_number: Number(payload.number) };
    const { data } = await client.request('GET /repos/{owner}/{repo}/pulls/{pull_number}', path);
    expect(payload.pull_request).toEqual(data);
  }
});

test('replays only what follows a commit', async () => {
  const { host, repository } = await installed();
  await replayHistory(host, repository, story.git(['rev-parse', 'v1.0~1']));
  await world.sandbox.settled();
  expect(actions()).toEqual([
    ...['pull_request.opened', 'pull_request_review.submitted', 'push', 'pull_request.closed', 'pull_request.opened'],
  ]);
});

test('reports a new name and redirects from the old one', async () => {
  const { host, repository, ada, installation } = await installed();
  renameRepository(host, repository, 'gizmos', ada);
  await world.sandbox.settled();
  expect(receiver.received[0]?.payload).toMatchObject({
    action: 'renamed',
    changes: { repository: { name: { from: 'widgets' } } },
    repository: { id: repository.id, full_name: 'sandbox/gizmos' },
  });
  const client = await world.app.getInstallationOctokit(installation.id);
  const { data } = await client.request('GET /repos/{owner}/{repo}', { owner: 'sandbox', repo: 'widgets' });
  expect(data.full_name).toBe('sandbox/gizmos');
});

test('keeps failed deliveries in the log and sends them again only when asked', async () => {
  const failing = await startReceiver(500);
  world.sandbox.deliverTo(failing.url);
  const { host, repository, ada } = known();
  install(host, repository.owner, 'all', ada);
  await world.sandbox.settled();
  const { data: failed } = await world.app.octokit.request('GET /app/hook/deliveries', { status: 'failure' });
  expect(failed).toMatchObject([{ event: 'installation', action: 'created', status_code: 500, redelivery: false }]);
  expect(failing.received.length).toBe(1);

  world.sandbox.deliverTo(receiver.url);
  const [delivery] = failed;
  const { status } = await world.app.octokit.request('POST /app/hook/deliveries/{delivery_id}/attempts', {
    delivery_id: Number(delivery?.id),
  });
  expect(status).toBe(202);
  const again = await receiver.until(({ event }) => event === 'installation');
  expect(again.headers['x-github-delivery']).toBe(delivery?.guid);
  await world.sandbox.settled();
  const pages = await world.app.octokit.paginate('GET /app/hook/deliveries', { per_page: 1 });
  expect(pages.map(({ redelivery, status_code }) => [redelivery, status_code])).toEqual([
    [true, 204],
    [false, 500],
  ]);
  await failing.close();
});
