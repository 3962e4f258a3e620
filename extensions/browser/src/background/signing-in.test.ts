import { beforeEach, describe, expect, it } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { localState, sessionState } from '../storage.ts';
import { type BrowserScene, refreshToken, server, startBackground } from '../testing/scene.ts';
import { recordPageVisit } from './pages.ts';
import { sendHeartbeat } from './presence.ts';
import { beginSignIn, redeemCodeInTab, signOut } from './signing-in.ts';

let at: BrowserScene;
const paths = () => at.asked.map(({ path }) => path.replace('/api/v2', ''));

async function begun(): Promise<{ state: string; done: (more: string, origin?: string) => Promise<void> }> {
  await beginSignIn(at.services);
  const opened = (await fakeBrowser.tabs.query({})).at(-1);
  const authorizeUrl = new URL(opened?.url ?? '');
  expect(authorizeUrl.origin + authorizeUrl.pathname).toBe(`${server}/authorize/browser`);
  const done = async (more: string, origin = server) => {
    const url = `${origin}/authorize/browser/done?${more}`;
    if (opened) await redeemCodeInTab(at.services, { ...opened, url } as Parameters<typeof redeemCodeInTab>[1]);
  };
  return { state: authorizeUrl.searchParams.get('state') ?? '', done };
}

describe('signing in', () => {
  beforeEach(async () => {
    at = await startBackground({ signedIn: false });
  });

  it('redeems the code, reports presence, loads its sites and closes the tab', async () => {
    const { state, done } = await begun();
    const before = (await fakeBrowser.tabs.query({})).length;
    await done(`code=abc&state=${state}`);
    expect(at.asked[0]?.body).toMatchObject({ code: 'abc', version: '1.0.0' });
    expect(paths()).toEqual(expect.arrayContaining(['/extensions/token', '/user/heartbeat', '/extensions/settings']));
    expect(await fakeBrowser.tabs.query({})).toHaveLength(before - 1);
    expect(await localState.get('defaultSites')).toEqual(['github.com', 'gitlab.com']);
    expect(at.scripts.get('clipboard')?.matches).toContain('https://*.github.com/*');
  });

  it.each([
    ['with another state', (_state: string) => ['code=abc&state=other', server]],
    ['without a code', (state: string) => [`state=${state}`, server]],
    ['from another server', (state: string) => [`code=abc&state=${state}`, 'https://evil.example']],
    [
      'from a server whose URL has the same beginning',
      (state: string) => [`code=abc&state=${state}`, `${server}.evil.example`],
    ],
  ])('redeems no code %s', async (_what, come) => {
    const { state, done } = await begun();
    const [more = '', origin] = come(state);
    await done(more, origin);
    expect(at.asked).toEqual([]);
  });

  it('redeems a code once', async () => {
    const { state, done } = await begun();
    await Promise.all([done(`code=abc&state=${state}`), done(`code=abc&state=${state}`)]);
    await done(`code=abc&state=${state}`);
    expect(paths().filter((path) => path === '/extensions/token')).toHaveLength(1);
  });

  it('shows why a code was rejected', async () => {
    at.answers['/api/v2/extensions/token'] = () => ({ status: 401, body: { message: 'no' } });
    const { state, done } = await begun();
    await done(`code=abc&state=${state}`);
    expect(await sessionState.get('problem')).toMatch(/Sign in again/);
    expect((await localState.get('signIn')) ?? null).toBeNull();
  });
});

describe('signing out', () => {
  beforeEach(async () => {
    at = await startBackground();
  });

  it('sends the queue, reports the end, removes tokens and stops recording', async () => {
    await recordPageVisit(at.services, { id: 1, active: true, incognito: false, url: 'https://github.com/' } as never);
    await signOut(at.services);
    expect(paths()).toEqual(expect.arrayContaining(['/events/user', '/user/heartbeat', '/extensions/token/revoke']));
    expect(JSON.stringify([await localState.get('signIn'), await sessionState.get('access')])).not.toContain(
      refreshToken,
    );
    expect(await localState.get('queue')).toEqual([]);
    expect(at.scripts.size).toBe(0);
  });
});

describe('a heartbeat', () => {
  beforeEach(async () => {
    at = await startBackground();
  });

  it('names profile and browser', async () => {
    await sendHeartbeat(at.services);
    await sendHeartbeat(at.services);
    const [first, second] = at.asked.filter(({ path }) => path.endsWith('/heartbeat'));
    expect(first).toMatchObject({
      token: 'Bearer access-1',
      body: { side: 'browser', type: 'chrome', leaving: false },
    });
    expect(second?.body).toEqual(first?.body);
  });

  it.each(['idle', 'locked'] as const)('is not sent while the machine is %s', async (state) => {
    at.idle = state;
    await sendHeartbeat(at.services);
    expect(at.asked).toEqual([]);
  });

  it('renews a rejected token once', async () => {
    at.answers['/api/v2/user/heartbeat'] = () => ({ status: 401, body: { message: 'ended' } });
    await sendHeartbeat(at.services);
    expect(paths().filter((path) => path === '/user/heartbeat')).toHaveLength(2);
  });
});
