import { createHash } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStory } from '../testing/repository.ts';
import { clientFor, credentials, startTestSandbox } from '../testing/sandbox.ts';

const callbackUrl = 'http://127.0.0.1:1/_/integrations/github';
let story: Awaited<ReturnType<typeof createStory>>;
let world: Awaited<ReturnType<typeof startTestSandbox>>;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-state-'));
  story = await createStory();
  world = await startTestSandbox([story.path], {
    callbackUrl,
    setupUrl: callbackUrl,
    stateFile: join(folder, 'state.json'),
  });
});
afterAll(async () => {
  await world.sandbox.close();
  await Promise.all([story.remove(), rm(folder, { recursive: true })]);
});

const send = (path: string, form: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(world.sandbox.url + path, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual', headers });
const targetOf = (answer: Response): { address: string; fields: Record<string, string> } => {
  const url = new URL(answer.headers.get('location') ?? '');
  return { address: url.origin + url.pathname, fields: Object.fromEntries(url.searchParams) };
};
const exchange = async (fields: Record<string, string>): Promise<Record<string, unknown>> => {
  const { clientId: client_id, clientSecret: client_secret } = credentials;
  const answer = await send(
    '/login/oauth/access_token',
    { client_id, client_secret, ...fields },
    { accept: 'application/json' },
  );
  expect(answer.status).toBe(200);
  return (await answer.json()) as Record<string, unknown>;
};
const newInstallation = '/apps/sightline-sandbox/installations/new';

test('installs an app and returns with installation, state and code', async () => {
  const { id: account } = world.sandbox.host.repositories[0]?.owner ?? { id: 0 };
  const page = await (await fetch(`${world.sandbox.url}${newInstallation}?state=s%22%3Cx`)).text();
  expect(page).toContain('<strong>Sandbox GitHub</strong> — not the real thing');
  expect(page).toContain('value="s&#34;&#60;x"');
  expect(page).toContain('Zoë Ångström');

  const nothing = await send(newInstallation, { account: String(account), login: 'zoe-a', selection: 'selected' });
  expect(nothing.status).toBe(422);
  const answer = await send(newInstallation, {
    account: String(account),
    login: 'zoe-a',
    selection: 'all',
    state: 'abc',
  });
  expect(answer.status).toBe(303);
  const { address, fields } = targetOf(answer);
  expect(address).toBe(callbackUrl);
  expect(fields).toMatchObject({ setup_action: 'install', state: 'abc' });

  const { data: installation } = await world.app.octokit.request('GET /app/installations/{installation_id}', {
    installation_id: Number(fields.installation_id),
  });
  expect(installation).toMatchObject({ account: { login: 'sandbox' }, repository_selection: 'all' });
  const { access_token } = await exchange({ code: fields.code ?? '' });
  const Client = clientFor(world.sandbox.url);
  const { data } = await new Client({ auth: String(access_token) }).request('GET /user/installations');
  expect(data.installations.map(({ id }) => String(id))).toEqual([fields.installation_id]);

  const again = targetOf(await send(newInstallation, { account: String(account), login: 'ada', selection: 'all' }));
  expect(again.fields).toMatchObject({ setup_action: 'update', installation_id: fields.installation_id });
  const requested = targetOf(
    await send(newInstallation, { account: String(account), login: 'ada', action: 'request', state: 'r' }),
  );
  expect(requested.fields).toEqual({ setup_action: 'request', state: 'r' });
});

test('keeps an installation over a restart, and pauses and removes it on its settings page', async () => {
  const { id: account } = world.sandbox.host.repositories[0]?.owner ?? { id: 0 };
  const { fields } = targetOf(await send(newInstallation, { account: String(account), login: 'ada' }));
  const settings = `/settings/installations/${fields.installation_id}`;
  await send(settings, { action: 'suspend', login: 'ada' });
  const second = await startTestSandbox([story.path], { stateFile: join(folder, 'state.json') });
  const { data } = await second.app.octokit.request('GET /app/installations');
  expect(data).toMatchObject([{ id: Number(fields.installation_id), suspended_by: { login: 'ada' } }]);
  await second.sandbox.close();

  expect(await (await fetch(world.sandbox.url + settings)).text()).toContain('Unsuspend');
  await send(settings, { action: 'uninstall', login: 'ada' });
  expect((await fetch(world.sandbox.url + settings)).status).toBe(404);
  expect((await world.app.octokit.request('GET /app/installations')).data).toEqual([]);
});

test('rejects a form of another site', async () => {
  const answer = await send('/settings/installations/1', { action: 'uninstall' }, { origin: 'https://evil.example' });
  expect(answer.status).toBe(403);
});

test('signs in with code and PKCE, and renews tokens', async () => {
  const verifier = 'a-verifier-that-is-long-enough-to-be-one-0123456789';
  const code_challenge = createHash('sha256').update(verifier).digest('base64url');
  const request = {
    client_id: credentials.clientId,
    redirect_uri: `${callbackUrl}/done`,
    state: 'xyz',
    code_challenge,
  };
  const page = await (await fetch(`${world.sandbox.url}/login/oauth/authorize?${new URLSearchParams(request)}`)).text();
  expect(page).toContain('Authorize as');
  const { address, fields } = targetOf(await send('/login/oauth/authorize', { ...request, login: 'bob' }));
  expect([address, fields.state]).toEqual([request.redirect_uri, 'xyz']);

  const { code = '' } = fields;
  const tokens = await exchange({ code, code_verifier: verifier, redirect_uri: request.redirect_uri });
  expect(tokens).toMatchObject({
    token_type: 'bearer',
    expires_in: 28_800,
    access_token: expect.stringMatching(/^ghu_/),
  });
  expect(await exchange({ code, code_verifier: verifier })).toMatchObject({ error: 'bad_verification_code' });
  const renewed = await exchange({ grant_type: 'refresh_token', refresh_token: String(tokens.refresh_token) });
  expect(renewed).toMatchObject({ access_token: expect.stringMatching(/^ghu_/) });

  const other = targetOf(await send('/login/oauth/authorize', { ...request, login: 'bob' })).fields.code ?? '';
  expect(await exchange({ code: other, code_verifier: 'wrong' })).toMatchObject({ error: 'bad_verification_code' });
  expect(await exchange({ code, client_secret: 'wrong' })).toMatchObject({ error: 'incorrect_client_credentials' });
});

test('redirects a canceled sign-in, and rejects another redirect address', async () => {
  const request = { client_id: credentials.clientId, redirect_uri: callbackUrl, state: 'x' };
  expect(targetOf(await send('/login/oauth/authorize', { ...request, login: '' })).fields).toMatchObject({
    error: 'access_denied',
    state: 'x',
  });
  const elsewhere = { ...request, redirect_uri: 'https://evil.example/' };
  const answer = await fetch(`${world.sandbox.url}/login/oauth/authorize?${new URLSearchParams(elsewhere)}`, {
    redirect: 'manual',
  });
  expect(targetOf(answer)).toMatchObject({ address: callbackUrl, fields: { error: 'redirect_uri_mismatch' } });
});

test('shows the pages that html_url names', async () => {
  const { url } = world.sandbox;
  const read = async (path: string): Promise<string> => (await fetch(url + path)).text();
  expect(await read('/')).toContain('sandbox/widgets');
  expect(await read('/sandbox/widgets')).toContain('Let people in');
  expect(await read('/sandbox/widgets/pull/7')).toContain('Add login');
  expect(await read(`/sandbox/widgets/commit/${story.git(['rev-parse', 'main'])}`)).toContain('a.txt');
  expect((await fetch(`${url}/sandbox/none`)).status).toBe(404);
});

test('hosts an account added at runtime, and removes it with its installation', async () => {
  const { host, url } = world.sandbox;
  const added = await createStory('gadgets');
  added.git(['remote', 'add', 'origin', 'https://github.com/heron/gadgets.git']);
  const control = (method: string, path: string, body?: object) =>
    fetch(`${url}/_sandbox/${path}`, {
      method,
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
  const repository = await control('POST', 'repositories', { path: added.path });
  expect(await repository.json()).toMatchObject({ full_name: 'heron/gadgets' });
  expect((await control('POST', 'repositories', { path: folder })).status).toBe(422);
  const installation = (await (await control('POST', 'install', { account: 'heron' })).json()) as { id: number };
  expect(host.installations.has(installation.id)).toBe(true);
  const sha = await added.commit('Looked for as well');
  await expect.poll(() => host.repositories.find(({ name }) => name === 'gadgets')?.git.commits.has(sha)).toBe(true);

  expect((await control('DELETE', 'accounts/heron')).status).toBe(204);
  expect(host.installations.has(installation.id)).toBe(false);
  expect(host.repositories.map(({ owner }) => owner.login)).not.toContain('heron');
  expect((await control('DELETE', 'accounts/heron')).status).toBe(404);
  await added.remove();
});

test('draws the picture of an account as a PNG of 80 pixels, the same each time', async () => {
  const pictureOf = async (id: number) => {
    const answer = await fetch(`${world.sandbox.url}/avatars/u/${id}`);
    expect(answer.headers.get('content-type')).toBe('image/png');
    return Buffer.from(await answer.arrayBuffer());
  };
  const [one, again, other] = [await pictureOf(7), await pictureOf(7), await pictureOf(8)];
  expect(one.subarray(1, 4).toString()).toBe('PNG');
  expect([one.readUInt32BE(16), one.readUInt32BE(20)]).toEqual([80, 80]);
  expect(again.equals(one)).toBe(true);
  expect(other.equals(one)).toBe(false);
});
