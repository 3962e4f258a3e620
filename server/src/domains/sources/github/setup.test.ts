import { createHmac, randomUUID } from 'node:crypto';
import { getGithubStatus, initiateGithubInstall } from '@sightline/contract/sources/github.ts';
import { createStory } from '@sightline/sandbox/testing/repository.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listOperatorEntries } from '#core/operator-log.ts';
import { createGithubApps } from '#providers/github/apps.ts';
import { type SandboxGithub, startSandboxGithub } from '#providers/github/sandbox.fixture.ts';
import { startTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { operatorCliOf } from '../../../cli/testing/in-process.ts';
import { createOperatorCode } from './operator-codes.ts';
import { setupPath } from './setup-pages.ts';
import { setupCodePurpose } from './setup-routes.ts';

let story: Awaited<ReturnType<typeof createStory>>;
let sandbox: SandboxGithub;
let server: TestServer;
let acme: TestOrganization;

beforeAll(async () => {
  story = await createStory();
  sandbox = await startSandboxGithub([story.path]);
  // A GitHub Enterprise Server without an app: only its URL is configured.
  server = await startTestServer({ environment: { GITHUB_URL: sandbox.sandbox.url } });
  acme = await server.make.organization();
});
afterAll(async () => {
  await server.close();
  await sandbox.close();
  await story.remove();
});

const newCode = () => server.services.database.global((tx) => createOperatorCode(tx, setupCodePurpose));
const post = (url: string, fields: Record<string, string>) =>
  fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
const start = (fields: Record<string, string>) => post(`${server.url}${setupPath}`, fields);
/** The value of a hidden field of a page. */
const valueIn = (page: string, name: string) => unescaped(new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1]);
const actionIn = (page: string) => unescaped(/<form method="post" action="([^"]*)"/.exec(page)?.[1]);
const unescaped = (text = '') => text.replaceAll('&quot;', '"').replaceAll('&#34;', '"').replaceAll('&amp;', '&');
const status = () => server.as(acme.owner, acme.id)(getGithubStatus, {});
/** Creates the app on GitHub and returns the URL of its redirect to the server. */
async function createdApp(organization: string): Promise<URL> {
  const page = await (await start({ code: await newCode(), organization })).text();
  const target = new URL(actionIn(page));
  const shown = await (await post(target.href, { manifest: valueIn(page, 'manifest') })).text();
  const fields = { manifest: valueIn(shown, 'manifest'), state: valueIn(shown, 'state'), name: 'Sightline of Acme' };
  const answer = await post(`${sandbox.sandbox.url}/settings/apps/create`, fields);
  return new URL(answer.headers.get('location') ?? '');
}
const finish = (back: URL) => fetch(`${server.url}${back.pathname}${back.search}`);

test('requires an operator code and accepts none twice', async () => {
  expect((await status()).state).toBe('not_configured');
  const wrong = await start({ code: 'guessed', organization: '' });
  expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringContaining('The code is wrong')]);
  const code = await newCode();
  const odd = await start({ code, organization: 'not/a name' });
  expect([odd.status, await odd.text()]).toEqual([400, expect.stringContaining('Enter the name from its GitHub URL')]);
  expect((await start({ code, organization: '' })).status).toBe(200);
  expect((await start({ code, organization: '' })).status).toBe(400);
});

test('states the app permissions in the manifest and sends it to GitHub only', async () => {
  const answer = await start({ code: await newCode(), organization: 'acme' });
  const page = await answer.text();
  expect(actionIn(page)).toContain(`${sandbox.sandbox.url}/organizations/acme/settings/apps/new?state=`);
  expect(answer.headers.get('content-security-policy')).toContain(`form-action 'self' ${sandbox.sandbox.url}`);
  const manifest = JSON.parse(valueIn(page, 'manifest')) as { default_permissions: Record<string, string> };
  // Write access is only needed for commit statuses and comments of policies.
  const { statuses, pull_requests: pulls, ...others } = manifest.default_permissions;
  expect([statuses, pulls, new Set(Object.values(others))]).toEqual(['write', 'write', new Set(['read'])]);
  expect(manifest).toMatchObject({
    hook_attributes: { url: `${server.config.PUBLIC_URL}/api/webhooks/github` },
    callback_urls: [`${server.config.PUBLIC_URL}/_/integrations/github`],
    request_oauth_on_install: true,
  });
});

test('rejects an unsolicited or repeated callback', async () => {
  const back = await createdApp('');
  const forged = new URL(back);
  forged.searchParams.set('state', 'forged');
  expect((await finish(forged)).status).toBe(400);
  const spent = new URL(back);
  spent.searchParams.set('code', 'spent');
  expect((await finish(spent)).status).toBe(502);
  expect((await finish(back)).status).toBe(400);
  expect((await status()).state).toBe('not_configured');
});

test('stores the created app encrypted; it works at once on every server and stays unique', async () => {
  const [back, late] = [await createdApp('acme'), await createdApp('acme')];
  const answer = await finish(back);
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('The GitHub app is set up')]);
  const call = server.as(acme.owner, acme.id);
  const { config, database, secrets } = server.services;
  expect((await status()).state).toBe('not_connected');
  const { installationURL } = await call(initiateGithubInstall, {});
  expect(installationURL).toContain(`${sandbox.sandbox.url}/github-apps/sightline-of-acme/installations/new`);
  const { id } = sandbox.install();
  const app = await server.services.githubApps.find();
  expect(await app?.getInstallation(String(id))).toMatchObject({ id: String(id) });
  const { rows } = await server.services.database.pool.query<{ settings: Buffer }>('select settings from github_app');
  expect(rows).toHaveLength(1);
  expect(await database.global((tx) => listOperatorEntries(tx, 1))).toMatchObject([
    { action: 'github_app.set_up', data: { slug: 'sightline-of-acme', url: sandbox.sandbox.url } },
  ]);
  expect(rows[0]?.settings.toString('latin1')).not.toContain('PRIVATE KEY');
  const elsewhere = await createGithubApps(undefined, config.githubUrls, database, secrets).find();
  expect(elsewhere?.config).toMatchObject({ slug: 'sightline-of-acme', apiUrl: `${sandbox.sandbox.url}/api/v3` });
  expect(await (await finish(late)).text()).toContain('The GitHub app is set up');
  expect(await (await start({ code: await newCode(), organization: '' })).text()).toContain('The GitHub app is set up');
  expect((await server.services.database.pool.query('select from github_app')).rowCount).toBe(1);
});

test('rotates the webhook secret of the created app without losing a delivery', { tags: 'full' }, async () => {
  const { host } = sandbox.sandbox;
  const { config } = host.webhooks;
  const app = await server.services.githubApps.find();
  // The sandbox signs with the secret of its initial app.
  config.secret = app?.config.webhookSecret ?? '';
  const isAccepted = async (secret: string) => {
    const body = JSON.stringify({ zen: randomUUID() });
    const answer = await fetch(`${server.url}/api/webhooks/github`, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        'x-github-event': 'ping',
        'x-github-delivery': randomUUID(),
        'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
      },
    });
    return answer.ok;
  };
  const old = config.secret;
  expect(await isAccepted(old)).toBe(true);
  const { keys } = await operatorCliOf(server, { GITHUB_URL: sandbox.sandbox.url }).ask<{ keys: { app: boolean } }>(
    'keys',
    'rotate-webhooks',
  );
  expect(keys.app).toBe(true);
  expect(config.secret).not.toBe(old);
  for (const secret of [config.secret, old]) expect(await isAccepted(secret)).toBe(true);
  expect(await isAccepted('another secret')).toBe(false);
  const { database, secrets } = server.services;
  const otherServerApps = createGithubApps(undefined, server.config.githubUrls, database, secrets);
  expect((await otherServerApps.find())?.config).toMatchObject({
    webhookSecret: config.secret,
    previousWebhookSecret: old,
    previousUntil: expect.any(Date),
  });
});
