import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createStory } from '../../testing/repository.ts';
import { credentials, startReceiver, startTestSandbox } from '../../testing/sandbox.ts';
import { install } from '../installations.ts';

let story: Awaited<ReturnType<typeof createStory>>;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let world: Awaited<ReturnType<typeof startTestSandbox>>;

const begin = async (alerts: boolean) => {
  world = await startTestSandbox([story.path], { deliverTo: receiver.url, pollMs: 3_600_000, alerts });
  const { host } = world.sandbox;
  const [repository, ada] = [host.repositories[0], host.users.byLogin.get('ada')];
  if (repository === undefined || ada === undefined) throw new Error('The story has no repository or no Ada.');
  const { id } = install(host, repository.owner, 'all', ada);
  await world.sandbox.settled();
  receiver.received.length = 0;
  const octokit = await world.app.getInstallationOctokit(id);
  const ask = async (route: string, more: object = {}): Promise<{ status: number; data: unknown }> =>
    octokit.request(route, { owner: 'sandbox', repo: 'widgets', ...more });
  return { ask };
};
const control = async (path: string, body: object): Promise<void> => {
  const answer = await fetch(`${world.sandbox.url}/_sandbox/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(answer.status, await answer.text()).toBeLessThan(300);
};

beforeEach(async () => {
  story = await createStory();
  receiver = await startReceiver();
});
afterEach(async () => {
  await world.sandbox.close();
  await receiver.close();
  await story.remove();
});

const alertsOf = (part: string) => `GET /repos/{owner}/{repo}/${part}/alerts`;

test('refuses scanners that are switched off in the words of GitHub', async () => {
  const { ask } = await begin(false);
  await expect(ask(alertsOf('code-scanning'))).rejects.toMatchObject({ status: 404, message: /no analysis found/ });
  await expect(ask(alertsOf('dependabot'))).rejects.toMatchObject({ status: 403, message: /are disabled/ });
  await expect(ask(alertsOf('secret-scanning'))).rejects.toMatchObject({ status: 404, message: /is disabled/ });
});

test('shows alerts at existing locations, the same at every start', async () => {
  const { ask } = await begin(true);
  const { data } = await ask(alertsOf('code-scanning'));
  const listed = (data as { rule: { id: string } }[]).map(({ rule }) => rule.id);
  expect(listed).toEqual(['sandbox/weak-hash', 'js/incomplete-sanitization', 'js/path-injection', 'js/sql-injection']);
  for (const { most_recent_instance: at } of data as { most_recent_instance: { location: { path: string } } }[]) {
    await ask(`GET /repos/{owner}/{repo}/contents/{path}`, { path: at.location.path });
  }
  await world.sandbox.close();
  const again = await begin(true);
  const paths = (alerts: unknown) =>
    (alerts as { most_recent_instance: { location: unknown } }[]).map((one) => one.most_recent_instance.location);
  expect(paths((await again.ask(alertsOf('code-scanning'))).data)).toEqual(paths(data));
});

test('lists an alert, announces it, fixes it on one ref and dismisses it on all', async () => {
  const { ask } = await begin(false);
  const alert = { repository: 'sandbox/widgets', kind: 'code_scanning' };
  await control('alerts', { ...alert, path: 'a.txt', refs: ['main', 'refs/pull/13/merge'] });
  const created = await receiver.until(({ event }) => event === 'code_scanning_alert');
  expect(created.headers['x-hub-signature-256']).toBe(
    `sha256=${createHmac('sha256', credentials.webhookSecret).update(created.body).digest('hex')}`,
  );
  expect(created.payload).toMatchObject({ action: 'created', ref: 'refs/heads/main', alert: { number: 1 } });
  await control('alerts/change', { ...alert, number: 1, action: 'fix', ref: 'refs/pull/13/merge' });
  const on = async (ref: string) => (await ask(alertsOf('code-scanning'), { ref })).data;
  expect(await on('refs/pull/13/merge')).toMatchObject([{ state: 'open', most_recent_instance: { state: 'fixed' } }]);
  expect(await on('main')).toMatchObject([{ state: 'open', most_recent_instance: { state: 'open' } }]);
  expect(await on('elsewhere')).toEqual([]);
  await control('alerts/change', { ...alert, number: 1, action: 'dismiss', reason: "won't fix" });
  expect(await on('main')).toMatchObject([{ state: 'dismissed', dismissed_reason: "won't fix" }]);
  await receiver.until(({ payload }) => payload.action === 'closed_by_user' && payload.ref === '');
});

test('hides a secret on request', async () => {
  const { ask } = await begin(false);
  await control('alerts', { repository: 'sandbox/widgets', kind: 'secret_scanning', path: 'a.txt' });
  const shown = JSON.stringify((await ask(alertsOf('secret-scanning'))).data);
  const hidden = JSON.stringify((await ask(alertsOf('secret-scanning'), { hide_secret: true })).data);
  expect(shown).toContain('NOT_A_SECRET');
  expect(hidden).not.toContain('NOT_A_SECRET');
});

test('pages Dependabot by cursors', async () => {
  const { ask } = await begin(false);
  const alert = { repository: 'sandbox/widgets', kind: 'dependabot', path: 'a.txt' };
  await control('alerts', alert);
  await control('alerts', alert);
  const { headers, data } = (await ask(alertsOf('dependabot'), { per_page: 1 })) as {
    headers: { link?: string };
    data: { number: number }[];
    status: number;
  };
  expect(data.map(({ number }) => number)).toEqual([2]);
  const after = new URL(/<([^>]+)>; rel="next"/.exec(headers.link ?? '')?.[1] ?? '').searchParams.get('after');
  expect((await ask(alertsOf('dependabot'), { per_page: 1, after })).data).toMatchObject([{ number: 1 }]);
});
