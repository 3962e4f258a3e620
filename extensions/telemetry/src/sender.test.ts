import { expect, test } from 'vitest';
import { isEventOf } from './events.ts';
import { batchEvents } from './sender.ts';
import { me, record } from './testing/events.ts';
import { type Disk, startProcess } from './testing/machine.ts';
import { createFakeServer, type Fault } from './testing/server.ts';
import { createWorld } from './testing/world.ts';

const second = 1000;
const minute = 60 * second;
const day = 24 * 60 * minute;

function scene(options: Parameters<typeof startProcess>[1]['options'] = {}) {
  const world = createWorld();
  const server = createFakeServer(world.clock);
  const disk: Disk = new Map();
  const start = (file = 'one', more = {}) =>
    startProcess(world, { disk, server, file, options: { ...options, ...more } });
  return { world, server, disk, start };
}
const ids = (events: { message_id: string }[]) => events.map((event) => event.message_id);
const once = (events: { message_id: string }[]) => new Map(ids(events).map((id) => [id, 1]));

test('batches briefly, sends oldest first, and removes only acknowledged events', async () => {
  const { world, server, disk, start } = scene();
  const one = start();
  const events = [...(await one.record(2)), ...(await one.record())];
  expect(server.requests).toEqual([]);
  expect(ids(disk.get('one') ?? [])).toEqual(ids(events));
  await world.pass(3 * second);
  expect(server.requests.map(({ count }) => count)).toEqual([3]);
  expect(server.stored).toEqual(once(events));
  expect(disk.get('one')).toEqual([]);
  expect(one.log.entries().map(({ state }) => state)).toEqual(['sent', 'sent', 'sent']);
});

test('neither loses nor repeats events after a crash between sending and response', async () => {
  const { world, server, disk, start } = scene();
  server.fault = 'unanswered';
  const one = start();
  const events = await one.record(5);
  await world.pass(2 * second);
  expect(server.stored).toEqual(once(events));
  one.crash();
  expect(ids(disk.get('one') ?? [])).toEqual(ids(events));
  server.fault = 'none';
  const again = start();
  await again.sender.resume();
  expect(server.stored).toEqual(once(events));
  expect(await again.queued()).toEqual([]);
});

test.each([0, 1, 2])('adopts the queue of a closed window, also after a crash at step %i', async (until) => {
  const { world, server, disk, start } = scene();
  server.fault = 'lost';
  const one = start('one');
  const events = await one.record(3);
  one.crash();
  const two = start('two');
  const own = await two.record(2);
  await two.adopt('one', until);
  two.crash();
  const three = start('three');
  for (const file of ['one', 'two']) await three.adopt(file);
  server.fault = 'none';
  await world.pass(10 * minute);
  expect(server.stored).toEqual(once([...events, ...own]));
  expect([...disk.values()].flat()).toEqual([]);
});

test('delivers a week offline in batches with original times', async () => {
  const { world, server, start } = scene();
  server.fault = 'lost';
  const one = start();
  const events = [];
  for (let at = 0; at < 7 * 24; at += 1) {
    events.push(...(await one.record(3)));
    await world.pass(60 * minute);
  }
  // Attempts are five minutes apart at most.
  expect(server.requests.length).toBeLessThan((7 * day) / (2 * minute));
  server.fault = 'none';
  server.requests.length = 0;
  await world.pass(10 * minute);
  expect(server.stored).toEqual(once(events));
  expect(server.requests.every(({ count }) => count <= batchEvents)).toBe(true);
  expect(new Set(events.map((event) => event.original_timestamp)).size).toBe(7 * 24);
});

test.each([-365 * day, -minute, minute, 365 * day])('limits the delay after a clock jump of %i ms', async (ms) => {
  const { world, server, start } = scene();
  server.fault = 'busy';
  server.retryAfterMs = 30 * minute;
  const one = start();
  const events = await one.record(2);
  await world.pass(minute);
  world.jump(ms);
  events.push(...(await one.record(1)));
  server.fault = 'none';
  await world.pass(40 * minute);
  expect(server.stored).toEqual(once(events));
});

test('honors delays of the server, also after a restart', async () => {
  const { world, server, start } = scene();
  server.fault = 'busy';
  server.retryAfterMs = 20 * minute;
  const one = start();
  await one.record();
  await world.pass(10 * second);
  const { nextTryAt } = one.sender.state();
  expect(one.sender.state()).toMatchObject({ kind: 'waiting', message: 'It said 429.' });
  one.crash();
  const two = start('one', { nextTryAt });
  await two.sender.resume();
  await world.pass(15 * minute);
  expect(server.requests).toHaveLength(1);
  server.fault = 'none';
  await world.pass(6 * minute);
  await two.sender.resume();
  expect(server.stored.size).toBe(1);
});

test('backs off up to five minutes and starts over after a success', async () => {
  const { world, server, start } = scene();
  server.fault = 'broken';
  const one = start();
  await one.record();
  await world.pass(60 * minute);
  const times = server.requests.map(({ at }) => at);
  const waits = times.slice(1).map((at, index) => at - (times[index] ?? 0));
  // Half of one second, doubled up to half of five minutes.
  expect(waits.slice(0, 4)).toEqual([500, 1000, 2000, 4000]);
  expect(Math.max(...waits)).toBe(2.5 * minute);
  server.fault = 'none';
  await world.pass(5 * minute);
  server.fault = 'broken';
  await one.record();
  const before = server.requests.length;
  await world.pass(4 * second);
  expect(server.requests.length).toBeGreaterThan(before + 1);
});

test('isolates a rejected event from its neighbors', async () => {
  const { world, server, start } = scene();
  const one = start();
  const events = await one.record(230);
  const [rejected, poison] = [events[17], events[140]].map((event) => event?.message_id ?? '') as [string, string];
  server.rejected.add(rejected);
  server.poison.add(poison);
  server.most = 90;
  await world.pass(minute);
  expect(server.stored).toEqual(once(events.filter(({ message_id }) => ![rejected, poison].includes(message_id))));
  expect(await one.queued()).toEqual([]);
  expect(one.log.dropped()).toBe(2);
  const dropped = one.log.entries().filter(({ state }) => state === 'dropped');
  expect(new Map(dropped.map(({ id, reason }) => [id, reason]))).toEqual(
    new Map([
      [rejected, 'identifiers.kind is not one of the kinds'],
      [poison, 'It said 400.'],
    ]),
  );
});

test('drops the oldest beyond its limit and reports it', async () => {
  const { world, server, disk, start } = scene({ cap: 10 });
  server.fault = 'lost';
  const one = start();
  const events = await one.record(25);
  expect(ids(await one.queued())).toEqual(ids(events.slice(15)));
  expect(disk.get('one')).toHaveLength(10);
  expect(one.log.dropped()).toBe(15);
  server.fault = 'none';
  await world.pass(5 * minute);
  expect(server.stored).toEqual(once(events.slice(15)));
});

test.each<[Fault, string]>([
  ['forbidden', 'refused'],
  ['archived', 'refused'],
  ['hotel', 'waiting'],
  ['lost', 'waiting'],
])('keeps everything and retries after %s', async (fault, kind) => {
  const { world, server, start } = scene();
  server.fault = fault;
  const one = start();
  const events = await one.record(3);
  await world.pass(10 * second);
  expect(one.sender.state().kind).toBe(kind);
  expect(await one.queued()).toHaveLength(3);
  server.fault = 'none';
  await world.pass(30 * minute);
  expect(server.stored).toEqual(once(events));
  expect(one.sender.state()).toMatchObject({ kind: 'idle', message: '', nextTryAt: null });
});

test('renews a rejected token once, without a storm', async () => {
  const rejectedTokens: (string | undefined)[] = [];
  const { world, server, start } = scene({
    token: async (refused) => {
      rejectedTokens.push(refused);
      return { kind: 'token', token: `token-${rejectedTokens.length}` };
    },
  });
  server.fault = 'unauthenticated';
  const one = start();
  await one.record();
  await world.pass(2 * second);
  expect(rejectedTokens).toEqual([undefined, 'token-1']);
  expect(one.sender.state().kind).toBe('waiting');
  expect(server.requests).toHaveLength(2);
});

test('keeps queued events while signed out, and never sends them for another account', async () => {
  let signedIn = false;
  let who = me;
  const { world, server, disk, start } = scene({
    token: async () => (signedIn ? { kind: 'token', token: 'token' } : { kind: 'signed-out' }),
    owner: async () => who,
  });
  const one = start();
  const mine = await one.record(2);
  await world.pass(minute);
  expect([one.sender.state().kind, server.requests.length]).toEqual(['signed-out', 0]);
  who = { accountId: 'account-2', orgId: 'org-1' };
  signedIn = true;
  const other = record(world.clock(), who);
  disk.set('one', [...(disk.get('one') ?? []), other]);
  one.crash();
  const two = start();
  await two.sender.flush();
  expect(server.stored).toEqual(once([other]));
  expect((await two.queued()).every((event) => isEventOf(event, me))).toBe(true);
  who = me;
  await two.sender.flush();
  expect(server.stored).toEqual(once([other, ...mine]));
});
