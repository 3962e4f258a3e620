import { beforeEach, expect, it } from 'vitest';
import { localState } from '../storage.ts';
import { type BrowserScene, startBackground, tab } from '../testing/scene.ts';
import { recordCopy } from './clipboard.ts';

let at: BrowserScene;
beforeEach(async () => {
  at = await startBackground();
});
const queued = async () => (await localState.get('queue')) ?? [];
const text = 'const secretPlan = () => 42;\nreturn secretPlan();';
const from = (url: string, more: object = {}) => ({ url, tab: tab(url, more) });
const copy = (sender: object, copied = text) => recordCopy(at.services, { action: 'copy', text: copied }, sender);

it('records length, kind and hash of a copy, and never the text', async () => {
  await copy(from('https://chatgpt.com/c/my-conversation?model=x'));
  const [event] = await queued();
  expect(event).toMatchObject({
    event_type: 'browser_clipboard',
    content_uri: 'https://chatgpt.com/',
    identifiers: { length: String(text.length), kind: 'code', action: 'copy' },
  });
  expect(event?.identifiers.sha256).toMatch(/^[0-9a-f]{64}$/);
  expect(JSON.stringify([event, await localState.get('log')])).not.toMatch(/secretPlan|my-conversation/);
});

it('hashes equal texts equally in one profile and differently in another', async () => {
  await copy(from('https://github.com/'));
  await copy(from('https://gitlab.com/'));
  const [first, second] = await queued();
  expect(first?.identifiers.sha256).toBe(second?.identifiers.sha256);
  at = await startBackground();
  await copy(from('https://github.com/'));
  expect((await queued())[0]?.identifiers.sha256).not.toBe(first?.identifiers.sha256);
});

it.each([
  ['a site that is not reported', from('https://example.org/')],
  ['a frame of a site that is not reported', { url: 'https://ads.example/', tab: tab('https://github.com/') }],
  ['a private window', from('https://github.com/', { incognito: true })],
  ['no page at all', { url: 'https://github.com/' }],
])('records nothing of a copy from %s', async (_what, sender) => {
  await copy(sender);
  expect(await queued()).toEqual([]);
});

it('records nothing of an empty copy or while paused', async () => {
  await copy(from('https://github.com/'), '');
  await localState.set('pause', { until: null });
  await copy(from('https://github.com/'));
  expect(await queued()).toEqual([]);
});
