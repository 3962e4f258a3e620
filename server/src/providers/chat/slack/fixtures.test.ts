import { expect, test } from 'vitest';
import { createOutbound } from '#core/outbound.ts';
import { startJsonServer } from '#testing/json-server.ts';
import identity from './fixtures/auth-test.json' with { type: 'json' };
import firstPage from './fixtures/conversations-list-1.json' with { type: 'json' };
import secondPage from './fixtures/conversations-list-2.json' with { type: 'json' };
import invalid from './fixtures/invalid-blocks.json' with { type: 'json' };
import lacking from './fixtures/missing-scope.json' with { type: 'json' };
import outside from './fixtures/not-in-channel.json' with { type: 'json' };
import posted from './fixtures/post-message.json' with { type: 'json' };
import user from './fixtures/users-lookup-by-email.json' with { type: 'json' };
import noUser from './fixtures/users-not-found.json' with { type: 'json' };
import { service } from './service.ts';
import { createSlackWorkspace } from './workspace.ts';

async function workspaceWith(answer: (path: string) => unknown) {
  const { url } = await startJsonServer(({ path }) => answer(path));
  return createSlackWorkspace(createOutbound([url]), `${url}/api`, 'xoxb-token');
}

test('reads the identity of a token', async () => {
  const workspace = await workspaceWith((path) => (path === '/api/auth.test' ? identity : undefined));
  expect(await workspace.identify()).toEqual({
    teamId: 'T0000000A',
    team: 'Example',
    botId: 'U0000000B',
    bot: 'sightline',
  });
});

test('follows the cursor of a list of channels', async () => {
  const workspace = await workspaceWith((path) => (path.includes('cursor=dGVh') ? secondPage : firstPage));
  expect(await workspace.listChannels(() => false)).toEqual({
    channels: [
      { id: 'C0000000E', name: 'security', private: false, member: true },
      { id: 'C0000000F', name: 'releases', private: true, member: false },
    ],
    more: false,
  });
});

test('finds a user by address, none, or a missing permission', async () => {
  const find = async (answer: unknown) => (await workspaceWith(() => answer)).findUser('ada@example.com');
  expect(await find(user)).toEqual({ id: 'U0000000D', name: 'ada' });
  expect(await find(noUser)).toBeUndefined();
  expect(await find(lacking)).toMatchObject({
    failure: { of: 'workspace', message: expect.stringContaining('lacks a permission (users:read.email)') },
  });
});

test.each([
  ['a posted message', posted, { thread: '1769846401.000200' }],
  ['a channel without the app', outside, { failure: { of: 'target', isUnclear: false } }],
  ['a rejected message', invalid, { failure: { of: 'post', isUnclear: false } }],
])('reads %s', async (_, answer, result) => {
  const { url, requests } = await startJsonServer(() => answer);
  const content = { test: { link: 'https://sightline.example.com/' } };
  const post = { id: 'a1', organization: 'Acme', content, thread: null };
  const sent = await service.post(createOutbound([url]), `${url}/api`, { to: 'C0000000E', token: 'xoxb-token' }, post);
  expect(sent).toMatchObject(result);
  expect(requests).toMatchObject([
    { path: '/api/chat.postMessage', body: { channel: 'C0000000E', client_msg_id: 'a1' } },
  ]);
});
