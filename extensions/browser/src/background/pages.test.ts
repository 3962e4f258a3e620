import { beforeEach, describe, expect, it, vi } from 'vitest';
import { localState } from '../storage.ts';
import { type BrowserScene, startBackground, tab } from '../testing/scene.ts';
import { MIN_VISIT_INTERVAL_MS, recordPageVisit } from './pages.ts';

let at: BrowserScene;
beforeEach(async () => {
  vi.useRealTimers();
  at = await startBackground();
});
const queued = async () => (await localState.get('queue')) ?? [];
const note = (url: string, more?: object) => recordPageVisit(at.services, tab(url, more));

describe('a page', () => {
  it('is recorded by host and kind only', async () => {
    await note('https://github.com/acme/api/pull/7?token=secret#title');
    expect(await queued()).toMatchObject([
      {
        event_type: 'web_page_view',
        content_uri: 'https://github.com/',
        identifiers: { kind: 'pull_request' },
        tracking_source: 'chrome',
        org_id: 'org-1',
        user_id: 'account-1',
      },
    ]);
    expect(JSON.stringify(await localState.get('log'))).not.toMatch(/acme|secret|title/);
  });

  it('is recorded once every 30 minutes per host and kind', async () => {
    vi.useFakeTimers({ now: Date.UTC(2026, 0, 1), toFake: ['Date'] });
    await note('https://github.com/acme/api/pull/7');
    await note('https://github.com/acme/web/pull/8');
    await note('https://github.com/acme/web/issues/8');
    await note('https://gitlab.com/acme');
    expect(await queued()).toHaveLength(3);
    vi.setSystemTime(Date.now() + MIN_VISIT_INTERVAL_MS);
    await note('https://github.com/acme/api/pull/7');
    expect(await queued()).toHaveLength(4);
  });

  it('is recorded once when two tabs open at the same time', async () => {
    await Promise.all([note('https://github.com/a'), note('https://github.com/b')]);
    expect(await queued()).toHaveLength(1);
  });

  it('is recorded again after the clock was set back', async () => {
    vi.useFakeTimers({ now: Date.UTC(2030, 0, 1), toFake: ['Date'] });
    await note('https://github.com/a');
    vi.setSystemTime(Date.UTC(2026, 0, 1));
    await note('https://github.com/a');
    expect(await queued()).toHaveLength(2);
  });

  it.each([
    ['of another site', 'https://example.org/'],
    ['of a site with the same ending', 'https://notgithub.com/'],
    ['of a site with the same beginning', 'https://github.com.evil.example/'],
    ['with the site as its user', 'https://github.com@evil.example/'],
    ['of the browser', 'about:blank'],
    ['of the browser, in Chrome', 'chrome://settings'],
    ['of an extension', 'chrome-extension://abc/github.com'],
    ['of this machine', 'file:///home/ada/github.com'],
    ['that is data', 'data:text/html,github.com'],
  ])('is not recorded: %s', async (_what, url) => {
    await note(url);
    expect(await queued()).toEqual([]);
  });

  it.each([
    ['in a private window', { incognito: true }],
    ['in the background', { active: false }],
    ['whose URL the browser withholds', { url: undefined }],
  ])('is not recorded: %s', async (_what, more) => {
    await note('https://github.com/', more);
    expect(await queued()).toEqual([]);
  });

  it('is not recorded while the person is idle, and is recorded on return', async () => {
    at.idle = 'locked';
    await note('https://github.com/');
    expect(await queued()).toEqual([]);
    at.idle = 'active';
    await note('https://github.com/');
    expect(await queued()).toHaveLength(1);
  });

  it('is recorded only after a pause is over', async () => {
    vi.useFakeTimers({ now: Date.UTC(2026, 0, 1), toFake: ['Date'] });
    await localState.set('pause', { until: Date.now() + 1000 });
    await note('https://github.com/');
    expect(await queued()).toEqual([]);
    vi.setSystemTime(Date.now() + 1000);
    await note('https://github.com/');
    expect(await queued()).toHaveLength(1);
  });

  it('is not recorded while signed out, and is queued after the server ended the session', async () => {
    await localState.set('signIn', null);
    await note('https://github.com/');
    expect(await queued()).toEqual([]);
    at = await startBackground();
    const signIn = await localState.get('signIn');
    if (signIn) await localState.set('signIn', { ...signIn, ended: true });
    await note('https://github.com/');
    expect(await queued()).toHaveLength(1);
  });

  it('is not recorded on a site without permission', async () => {
    at.permitted = new Set();
    await note('https://github.com/');
    expect(await queued()).toEqual([]);
  });
});
