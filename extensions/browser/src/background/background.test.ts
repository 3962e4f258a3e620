import { beforeEach, describe, expect, it, vi } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import background from '../entrypoints/background.ts';
import type { ExtensionState, PopupCommand } from '../messages.ts';
import { localState } from '../storage.ts';
import { type BrowserScene, startBackground, tab } from '../testing/scene.ts';
import { sendHeartbeat } from './presence.ts';

const extension = 'chrome-extension://abc';
let at: BrowserScene;
type Listener = (message: unknown, sender: object, answer: (state: unknown) => void) => boolean;
let heard: Listener;

beforeEach(async () => {
  at = await startBackground();
  vi.stubGlobal('location', { origin: extension });
  vi.stubGlobal('addEventListener', () => undefined);
  vi.spyOn(fakeBrowser.runtime.onMessage, 'addListener').mockImplementation((listener) => {
    heard = listener as Listener;
  });
  background.main();
});

const sendMessage = (message: unknown, sender: object): Promise<ExtensionState> | undefined => {
  let response: (state: ExtensionState) => void = () => undefined;
  const answer = new Promise<ExtensionState>((resolve) => {
    response = resolve;
  });
  return heard(message, sender, (state) => response(state as ExtensionState)) ? answer : undefined;
};
const ask = async (command: PopupCommand) => {
  const state = await sendMessage(command, { url: `${extension}/options.html`, tab: tab(`${extension}/options.html`) });
  if (!state) throw new Error('not heard');
  return state;
};

describe('the background', () => {
  it('reports its state to extension pages without secrets', async () => {
    const state = await ask({ ask: 'state' });
    expect(state).toMatchObject({ signIn: 'signed-in', organization: 'Acme', waiting: 0, pause: null });
    expect(JSON.stringify(state)).not.toMatch(/refresh-token|access-1/);
  });

  it.each([
    ['a script in a page', { url: 'https://github.com/', tab: tab('https://github.com/') }],
    ['a page whose URL has the same beginning', { url: `${extension}.evil.example/options.html` }],
    ['an unknown sender', {}],
  ])('accepts no commands from %s', async (_what, sender) => {
    expect(sendMessage({ ask: 'sign-out' }, sender)).toBeUndefined();
    expect(await localState.get('signIn')).not.toBeNull();
  });

  it('records a copy by a script in a page', async () => {
    const sender = { url: 'https://github.com/', tab: tab('https://github.com/') };
    expect(sendMessage({ copied: { action: 'copy', text: 'const a = 1;' } }, sender)).toBeUndefined();
    await vi.waitFor(async () => expect(await localState.get('queue')).toHaveLength(1), 20_000);
  });

  it('pauses, reports it, and resumes', async () => {
    expect((await ask({ ask: 'pause', forMs: null })).pause).toEqual({ until: null });
    await vi.waitFor(() => expect(at.title).toBe('Sightline: paused'), 20_000);
    const state = await ask({ ask: 'resume' });
    expect(state.pause).toBeNull();
    expect(state.log.map(({ identifiers }) => identifiers.what)).toEqual(['resumed', 'paused']);
  });

  it('reports a pause once, nothing during it, and its end', async () => {
    const beats = () => at.asked.filter(({ path }) => path.endsWith('/heartbeat')).map(({ body }) => body);
    at.answers['/api/v2/user/heartbeat'] = () => ({ status: 503 });
    await ask({ ask: 'pause', forMs: null });
    at.answers['/api/v2/user/heartbeat'] = () => ({ status: 204 });
    await sendHeartbeat(at.services);
    await sendHeartbeat(at.services);
    await sendHeartbeat(at.services, { leaving: true });
    expect(beats()).toEqual([
      expect.objectContaining({ paused: { until: null } }),
      expect.objectContaining({ paused: { until: null } }),
    ]);
    at.asked.length = 0;
    await ask({ ask: 'resume' });
    expect(beats()).toEqual([expect.not.objectContaining({ paused: expect.anything() })]);
    await ask({ ask: 'pause', forMs: null });
    expect(beats().at(-1)).toMatchObject({ paused: { until: null } });
  });

  it('signs out of a server before it moves to another', async () => {
    const state = await ask({ ask: 'server', server: 'https://other.example' });
    expect(state).toMatchObject({ server: 'https://other.example', signIn: 'signed-out', organization: null });
    expect(at.asked.map(({ path }) => path)).toContain('/api/v2/extensions/token/revoke');
  });

  it('keeps the queue for its owner if signing out fails to send it', async () => {
    at.answers['/api/v2/events/user'] = () => ({ status: 503, body: { message: 'busy' } });
    await ask({ ask: 'pause', forMs: null });
    const state = await ask({ ask: 'sign-out' });
    expect(state).toMatchObject({ signIn: 'signed-out', waiting: 1 });
  });

  it('neither sends nor counts events of the former account', async () => {
    at.answers['/api/v2/events/user'] = () => ({ status: 503, body: { message: 'busy' } });
    await ask({ ask: 'pause', forMs: null });
    const signIn = await localState.get('signIn');
    if (signIn) await localState.set('signIn', { ...signIn, account: { ...signIn.account, id: 'account-2' } });
    at.asked.length = 0;
    expect((await ask({ ask: 'send-now' })).waiting).toBe(0);
    expect(at.asked).toEqual([]);
    expect(await localState.get('queue')).toHaveLength(1);
  });

  it('changes its sites', async () => {
    const rows = async (command: PopupCommand) => (await ask(command)).sites.map(({ host }) => host);
    expect(await rows({ ask: 'add-site', host: 'https://git.acme.example/x' })).toContain('git.acme.example');
    expect(await rows({ ask: 'remove-site', host: 'github.com' })).not.toContain('github.com');
    expect(await rows({ ask: 'reset-sites' })).toContain('github.com');
  });
});
