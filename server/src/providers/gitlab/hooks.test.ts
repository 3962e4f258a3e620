import { createStory } from '@sightline/sandbox/testing/repository.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { HostRef } from '../host-facts.ts';
import { gitlabSignatureOf } from './hooks.ts';
import { type SandboxGitlab, startSandboxGitlab } from './sandbox.fixture.ts';
import { gitlabWebhooks } from './webhooks.ts';

const secret = 'a secret of this webhook';
let story: Awaited<ReturnType<typeof createStory>>;
let sandbox: SandboxGitlab;
const widgets: HostRef = { installationId: '1', owner: 'sandbox/code', name: 'widgets' };
// No server listens there: the log contains the sent webhooks.
const url = 'http://127.0.0.1:9/hooks';

beforeAll(async () => {
  story = await createStory();
  sandbox = await startSandboxGitlab([story.path]);
});
afterAll(async () => {
  await sandbox.close();
  await story.remove();
});

const sent = async () => {
  await sandbox.sandbox.refresh();
  const { log } = sandbox.sandbox.gitlab.deliveries;
  return log.splice(0).map(({ headers, body, event }) => ({
    event,
    body: Buffer.from(body),
    headers,
    header: (name: string) => headers[name] ?? '',
  }));
};

function isValid(
  key: string,
  { body, header }: { body: Buffer; header: (name: string) => string },
  options?: Parameters<typeof gitlabSignatureOf>[2],
): boolean {
  const check = gitlabSignatureOf(key, header, options);
  check?.update(body);
  return check?.isValid() ?? false;
}

test('creates a webhook, verifies its signatures and deletes it', async () => {
  const { hooks } = sandbox.open(sandbox.tokenOf());
  const id = await hooks?.createHook(widgets, { url, secret });
  expect(id).toMatch(/^\d+$/);
  const sha = await story.commit('Say hello', { 'hello.txt': 'hello' });
  const [push, ...more] = await sent();
  expect([push?.event, more]).toEqual(['Push Hook', []]);
  if (!push) throw new Error('nothing was sent');
  expect(push.header('webhook-signature')).toMatch(/^v1,/);
  expect(isValid(secret, push)).toBe(true);
  expect(isValid('another', push)).toBe(false);
  expect(isValid(secret, { ...push, body: Buffer.from('{}') })).toBe(false);
  const { deliveryId, event } = gitlabWebhooks.name(push.body, push.header);
  expect([deliveryId, event]).toEqual([push.header('idempotency-key'), 'push']);
  const [hostEvent] = gitlabWebhooks.read(event, JSON.parse(push.body.toString()));
  expect(hostEvent).toMatchObject({ kind: 'push', ref: 'refs/heads/main', after: sha, shas: [sha], isWhole: true });

  await hooks?.deleteHook(widgets, id ?? '');
  await hooks?.deleteHook(widgets, id ?? '');
  await story.commit('Say more', { 'hello.txt': 'hello, hello' });
  expect(await sent()).toEqual([]);
});

test('accepts a signature for five minutes', async () => {
  const { hooks } = sandbox.open(sandbox.tokenOf());
  const id = await hooks?.createHook(widgets, { url, secret });
  await story.commit('Later', { 'later.txt': '1' });
  const [push] = await sent();
  if (!push) throw new Error('nothing was sent');
  const at = Number(push.header('webhook-timestamp')) * 1000;
  expect(isValid(secret, push, { now: at + 299_000 })).toBe(true);
  expect(isValid(secret, push, { now: at + 301_000 })).toBe(false);
  expect(isValid(secret, push, { now: at - 301_000 })).toBe(false);
  await hooks?.deleteHook(widgets, id ?? '');
});

test('accepts a token from an instance without signing, which does not reveal the secret', async () => {
  await sandbox.control('gitlab/signing', { signs: false });
  const { hooks } = sandbox.open(sandbox.tokenOf());
  const id = await hooks?.createHook(widgets, { url, secret });
  // In one step, because the sandbox could otherwise send two pushes, for the branch and for its commit.
  const sha = story.git(['commit-tree', 'main^{tree}', '-p', 'main', '-m', 'On a branch']);
  story.git(['branch', 'more', sha]);
  const all = await sent();
  expect(all.map(({ event }) => event)).toEqual(['Push Hook', 'Merge Request Hook']);
  for (const { body, header, headers } of all) {
    expect(header('webhook-signature')).toBe('');
    expect(JSON.stringify(headers)).not.toContain(secret);
    expect(isValid(secret, { body, header })).toBe(true);
    expect(isValid(secret, { body, header }, { mustSign: true })).toBe(false);
    expect(isValid(secret, { body, header: () => '' })).toBe(false);
  }
  await hooks?.deleteHook(widgets, id ?? '');
  await sandbox.control('gitlab/signing', { signs: true });
});

test('refuses to create a webhook without the required scope', async () => {
  const { hooks } = sandbox.open(sandbox.tokenOf('ada', ['read_api']));
  await expect(hooks?.createHook(widgets, { url, secret })).rejects.toMatchObject({ status: 403 });
});
