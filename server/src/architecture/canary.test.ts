import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { realtimePath } from '@sightline/contract/delivery/realtime.ts';
import { authorizeExtension } from '@sightline/contract/identity/extensions.ts';
import { queryEvents } from '@sightline/contract/timeline/events.ts';
import { io } from 'socket.io-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { filesIn, rowsAsText } from '#testing/stored-data.ts';
import { createApi, paths } from '../../../extensions/telemetry/src/api.ts';
import { eventBuilder } from '../../../extensions/telemetry/src/events.ts';
import { clipboardFacts, newSalt, redactRemote } from '../../../extensions/telemetry/src/redact.ts';
import { createSession, type StoredSession } from '../../../extensions/telemetry/src/session.ts';
import { pkce, redeemCode } from '../../../extensions/telemetry/src/sign-in.ts';
import { siteOf } from '../../../extensions/telemetry/src/sites.ts';
import { type CrashScene, createScene } from '../crash/testing/scene.ts';

// Each value is found regardless of its encoding: it has no upper case and needs no escapes.
const text = 'canarytext7c1e';
const query = 'canaryquery51fd';
const password = 'canarypassword';
const pageUrl = `https://ada:${password}@github.com/acme/${text}/pull/7?q=${query}#${text}`;
const remote = `https://ada:${password}@github.com/acme/private-${text}.git?${query}`;

let scene: CrashScene;
beforeAll(async () => {
  scene = await createScene({ LOG_LEVEL: 'trace' });
}, 180_000);
afterAll(() => scene?.installation.close(), 180_000);

test('leaves no text, address, query, password or token of a session in rows, logs or files', async () => {
  const { installation, server, call } = scene;
  const callApi = createApi({ server: () => installation.url });

  // Sign in through the page that the browser opens with state and challenge in its address.
  const challenge = await pkce();
  const page = new URL('/authorize/vscode', installation.url);
  page.search = new URLSearchParams({
    state: challenge.state,
    code_challenge: challenge.codeChallenge,
    token: query,
  }).toString();
  await fetch(page);
  const { code } = await call(authorizeExtension, {
    body: { side: 'ide', type: 'vscode', device: 'desk', codeChallenge: challenge.codeChallenge },
  });
  await fetch(new URL(`/authorize/browser/done?code=${code}&state=${challenge.state}`, installation.url));
  const redeemed = await redeemCode(callApi, { code, codeVerifier: challenge.codeVerifier, version: '1.0.0' });
  if (!('signedIn' in redeemed)) throw new Error(redeemed.problem);
  let saved: StoredSession | null = null;
  const session = createSession({
    callApi,
    load: async () => saved,
    save: async (value) => {
      saved = value;
    },
    version: '1.0.0',
  });
  await session.signIn(redeemed.signedIn);
  const owner = (await session.owner()) ?? { accountId: '', orgId: '' };
  const first = await session.accessToken();
  const second = await session.accessToken(first.kind === 'token' ? first.token : '');
  if (first.kind !== 'token' || second.kind !== 'token') throw new Error('not signed in');
  const { token } = second;

  // Events that the extensions record for a page and a copy.
  const build = eventBuilder({ plugin: 'sightline-browser', source: 'chrome', version: '1.0.0' });
  const site = siteOf(pageUrl, ['github.com']);
  const copy = await clipboardFacts(`const secret = "${text}";`, newSalt());
  const built = [
    build('web_page_view', { owner, identifiers: { kind: site?.kind }, contentUri: pageUrl }),
    build('browser_clipboard', { owner, identifiers: { ...copy, action: 'copy' }, contentUri: pageUrl }),
    build('commit', { owner, identifiers: { sha: 'a'.repeat(40), branch: text, repository: redactRemote(remote) } }),
    build('ide_clipboard', { owner, identifiers: { ...copy, file: `${text}.ts`, repository: redactRemote(remote) } }),
  ];
  expect(await callApi('POST', paths.events, { token, body: built })).toMatchObject({
    status: 202,
    body: { accepted: 4 },
  });

  // Events of a careless or broken client.
  const everywhere = Object.fromEntries(
    [
      'title',
      'text',
      'kind',
      'branch',
      'sha',
      'length',
      'language',
      'action',
      'what',
      'tool',
      'repository',
      'file',
    ].map((name) => [name, `${text} ${query}?`]),
  );
  const careless = ['web_page_view', 'browser_clipboard', 'ide_clipboard', 'commit', 'other'].flatMap((event_type) =>
    [
      { identifiers: everywhere },
      { identifiers: everywhere, surprise: text },
      { identifiers: { [text]: text.repeat(50) } },
    ].map((more) => ({
      plugin_id: 'sightline-browser',
      event_type,
      message_id: randomUUID(),
      original_timestamp: new Date().toISOString(),
      content_uri: pageUrl,
      ...more,
    })),
  );
  expect(await callApi('POST', paths.events, { token, body: careless })).toMatchObject({
    status: 202,
    body: { accepted: 5, rejected: { length: 10 } },
  });
  for (const body of [`[{"title":"${text}"`, JSON.stringify({ [text]: query })]) {
    const answer = await fetch(new URL(paths.events, installation.url), {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body,
    });
    expect(answer.status).toBe(400);
  }
  await fetch(new URL(`${paths.status}?access_token=${token}&q=${query}`, installation.url), {
    headers: { authorization: `Bearer ${token}`, cookie: `c=${password}`, referer: pageUrl },
  });

  // Presence, and the open file of the editor.
  const socket = io(`${installation.url}/ide/context`, {
    path: realtimePath,
    transports: ['websocket'],
    auth: { token, session: { side: 'ide', sessionId: randomUUID(), type: 'vscode', version: '1.0.0' } },
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
  const opened = { workspace: text, repo: remote, branch: text, file: `${text}.ts` };
  await socket.timeout(10_000).emitWithAck('context', opened);
  socket.disconnect();
  const beat = { side: 'ide', sessionId: randomUUID(), type: 'vscode', version: '1.0.0' };
  expect((await callApi('POST', paths.heartbeat, { token, body: beat })).status).toBe(204);
  const tools = { deviceId: randomUUID(), type: 'vscode', version: '1.0.0', tools: [], repositories: [remote] };
  expect((await callApi('PUT', paths.tools, { token, body: tools })).status).toBe(204);

  // The session left data, so there is something to search.
  await expect.poll(async () => (await call(queryEvents, { body: {} })).events.length).toBeGreaterThanOrEqual(9);
  await session.signOut();

  const rows = await rowsAsText(await installation.databaseUrl());
  const secrets = [first.token, token, redeemed.signedIn.refreshToken, code, challenge.codeVerifier];
  // The secret part of a token that begins with a name or a header.
  const marks = [text, query, password, ...secrets.map((secret) => secret.slice(-24)), challenge.state];
  expect(rows).toContain('github.com');
  expect(found(marks, rows)).toEqual([]);
  const output = server.output();
  expect(output).toContain('job done');
  expect(found(marks, output)).toEqual([]);
  await server.end('SIGTERM');
  expect(await filesWith(marks, installation.dataDir)).toEqual([]);
}, 120_000);

const found = (marks: readonly string[], where: string) => {
  const lower = where.toLowerCase();
  return marks.flatMap((mark) => {
    const at = lower.indexOf(mark.toLowerCase());
    return at === -1 ? [] : [`…${where.slice(Math.max(0, at - 200), at + mark.length + 20)}…`];
  });
};

/** Returns the files of the data directory that contain a mark, including the write-ahead log of the database. */
async function filesWith(marks: readonly string[], folder: string): Promise<string[]> {
  const holding: string[] = [];
  for (const file of await filesIn(folder)) {
    const content = await readFile(file, 'latin1');
    holding.push(
      ...found(marks, content).map((context) => `${relative(folder, file)}: ${context.replaceAll(/[^ -~]+/g, ' ')}`),
    );
  }
  return holding;
}
