// @vitest-environment happy-dom
import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startRealtimeServer, waitUntil } from '#testing/realtime-server.ts';
import { signIn } from '#testing/visitPage.tsx';
import {
  onReconnect,
  onSessionRejected,
  useChangeNotice,
  useConnection,
  useConnectionError,
  useLastingConnectionError,
} from './realtime.ts';

// Real sockets: only timers are faked, for exact delays.
const server = startRealtimeServer();
const heard: unknown[] = [];
const calls = { comebacks: 0, refusals: 0 };
const stops: (() => void)[] = [];

function Members() {
  useChangeNotice('orgMembers', (notice) => heard.push(notice));
  return (
    <>
      <p>
        {useConnection()}: {useConnectionError() ?? 'nothing is wrong'}
      </p>
      <p>{useLastingConnectionError() ?? 'nothing lasts'}</p>
    </>
  );
}

function Presence() {
  useChangeNotice('userStatus', () => undefined);
  return null;
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  withoutJitter();
  signIn('rol_owner');
  heard.length = 0;
  Object.assign(calls, { comebacks: 0, refusals: 0 });
  stops.push(
    onReconnect(() => {
      calls.comebacks += 1;
    }),
    onSessionRejected(() => {
      calls.refusals += 1;
    }),
  );
});
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

test('reports connecting, then connected, and delivers events', async () => {
  render(<Members />);
  expect(screen.getByText('connecting: nothing is wrong')).toBeDefined();
  await waitForText('connected: nothing is wrong');
  expect(server.tokens).toEqual([localStorage.getItem('accessToken')]);
  server.notify('/auth0mgm', 'orgMembers', { accountId: 'bob' });
  await waitUntil(() => heard.length > 0);
  expect(heard).toEqual([{ accountId: 'bob' }]);
  expect(calls.comebacks).toBe(0);
});

test('reports "no connection to websocket server" if the server never answered', async () => {
  server.door.isOpen = false;
  render(<Members />);
  await waitForText('disconnected: no connection to websocket server');
});

test('reports a closed websocket connection and reconnects after 100 ms', async () => {
  render(<Members />);
  await waitForText('connected: nothing is wrong');
  server.breakLines();
  await waitForText('disconnected: the current websocket connection is closed');
  await reconnectsAfter(100);
  await waitForText('connected: nothing is wrong');
  expect(calls.comebacks).toBe(1);
  server.notify('/auth0mgm', 'orgMembers', {});
  await waitUntil(() => heard.length > 0);
});

test('doubles the delay between attempts up to 5 s', async () => {
  render(<Members />);
  await waitForText('connected: nothing is wrong');
  server.door.isOpen = false;
  server.breakLines();
  await waitForText('disconnected: the current websocket connection is closed');
  for (const delay of [100, 200, 400, 800, 1600, 3200, 5000, 5000]) await reconnectsAfter(delay);
  server.door.isOpen = true;
  await reconnectsAfter(5000);
  await waitForText('connected: nothing is wrong');
  // The next loss starts with the first delay again.
  server.breakLines();
  await waitForText('disconnected: the current websocket connection is closed');
  await reconnectsAfter(100);
  await waitForText('connected: nothing is wrong');
  expect(calls.comebacks).toBe(2);
});

test('varies the delay randomly by up to half', async () => {
  render(<Members />);
  await waitForText('connected: nothing is wrong');
  vi.mocked(Math.random).mockReturnValue(0.99);
  server.breakLines();
  await waitForText('disconnected: the current websocket connection is closed');
  await reconnectsAfter(149);
  await waitForText('connected: nothing is wrong');
  vi.mocked(Math.random).mockReturnValue(0.89);
  server.breakLines();
  await waitForText('disconnected: the current websocket connection is closed');
  await reconnectsAfter(56);
  await waitForText('connected: nothing is wrong');
});

test('reports "no connection to namespace" for one lost namespace and rejoins it', async () => {
  render(
    <>
      <Members />
      <Presence />
    </>,
  );
  await waitForText('connected: nothing is wrong');
  // Not by the library, to which a disconnect by the server is final.
  vi.mocked(Math.random).mockReturnValue(0.5);
  server.sayGoodbye('/auth0mgm');
  await waitForText('disconnected: no connection to namespace');
  await pass(99);
  await server.caughtUp();
  expect(server.tokens).toHaveLength(2);
  await pass(1);
  await waitForText('connected: nothing is wrong');
  expect(server.tokens).toHaveLength(3);
  expect(calls).toEqual({ comebacks: 1, refusals: 0 });
});

test('reports a namespace that rejects the session, and retries with backoff up to 5 s', async () => {
  vi.mocked(Math.random).mockReturnValue(0.99);
  server.door.closed = '/auth0mgm';
  render(<Members />);
  await waitUntil(() => calls.refusals === 1);
  for (const [index, delay] of [149, 298, 596, 1192, 2384, 4768, 5000, 5000].entries()) {
    await pass(delay - 1);
    await server.caughtUp();
    expect(server.tokens).toHaveLength(index + 1);
    await pass(1);
    await waitUntil(() => calls.refusals === index + 2);
  }
  server.door.closed = undefined;
  await pass(5000);
  await waitForText('connected: nothing is wrong');
});

test('does not reconnect while signed out', async () => {
  render(<Members />);
  await waitForText('connected: nothing is wrong');
  localStorage.clear();
  server.sayGoodbye('/auth0mgm');
  await waitUntil(() => screen.queryByText(/^disconnected/) !== null);
  await pass(5000);
  await server.caughtUp();
  expect(server.tokens).toHaveLength(1);
});

test('reports a problem after 2 s and only while it lasts', async () => {
  render(<Members />);
  await waitForText('connected: nothing is wrong');
  server.door.isOpen = false;
  server.breakLines();
  await waitForText('disconnected: the current websocket connection is closed');
  await pass(1999);
  expect(screen.getByText('nothing lasts')).toBeDefined();
  await pass(1);
  expect(screen.getByText('the current websocket connection is closed')).toBeDefined();
  server.door.isOpen = true;
  await pass(5000);
  await waitForText('connected: nothing is wrong');
  await waitForText('nothing lasts');
});

test('closes the connection after the last listener leaves', async () => {
  render(<Members />).unmount();
  render(<Presence />).unmount();
  await pass(5000);
  await server.caughtUp();
  expect(server.door.knocks).toBe(0);
});

const waitForText = (words: string) => waitUntil(() => screen.queryByText(words) !== null);
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

/** Expects the next connection attempt after exactly this number of milliseconds. */
async function reconnectsAfter(ms: number): Promise<void> {
  const before = server.door.knocks;
  await pass(ms - 1);
  await server.caughtUp();
  expect(server.door.knocks).toBe(before);
  await pass(1);
  await waitUntil(() => server.door.knocks > before);
}

/** Makes the library's delays exactly twice ours. */
function withoutJitter(): void {
  vi.spyOn(Math, 'random').mockReturnValue(0);
}
