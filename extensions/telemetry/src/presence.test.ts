import { expect, test } from 'vitest';
import { createLog } from './log.ts';
import { isPaused, pauseFor } from './pause.ts';
import { createHeartbeat, HEARTBEAT_INTERVAL_MS } from './presence.ts';
import { record } from './testing/events.ts';
import { createWorld } from './testing/world.ts';

function scene() {
  const world = createWorld();
  const sent: boolean[] = [];
  let active = true;
  const heartbeat = createHeartbeat({
    send: async (leaving) => {
      sent.push(leaving);
      throw new Error('The server is away');
    },
    schedule: world.schedule,
    isActive: () => active,
  });
  return { world, sent, heartbeat, become: (value: boolean) => (active = value) };
}

test('reports presence at once, every four minutes, and at the end', async () => {
  const { world, sent, heartbeat } = scene();
  heartbeat.start();
  heartbeat.start();
  await world.pass(3 * HEARTBEAT_INTERVAL_MS);
  expect(sent).toEqual([false, false, false, false]);
  await heartbeat.stop();
  await world.pass(10 * HEARTBEAT_INTERVAL_MS);
  expect(sent).toEqual([false, false, false, false, true]);
});

test('reports nothing while the machine is asleep, locked or unattended', async () => {
  const { world, sent, heartbeat, become } = scene();
  become(false);
  heartbeat.start();
  await world.pass(2 * HEARTBEAT_INTERVAL_MS);
  expect(sent).toEqual([]);
  become(true);
  await world.pass(HEARTBEAT_INTERVAL_MS);
  expect(sent).toEqual([false]);
  await heartbeat.stop({ leaving: false });
  expect(sent).toEqual([false]);
});

test('ends a pause by itself or when resumed', () => {
  const now = Date.UTC(2026, 10, 1);
  expect(isPaused(null, now)).toBe(false);
  expect(isPaused({ until: null }, now)).toBe(true);
  expect([isPaused(pauseFor(1000, now), now + 999), isPaused(pauseFor(1000, now), now + 1000)]).toEqual([true, false]);
});

test('lists the newest first with their outcome and drops beyond its size', () => {
  const log = createLog({ size: 3, clock: () => 5 });
  const [one, two, three, four] = [1, 2, 3, 4].map((at) => record(at)) as [
    ReturnType<typeof record>,
    ReturnType<typeof record>,
    ReturnType<typeof record>,
    ReturnType<typeof record>,
  ];
  log.record([one, two, three, four], 'waiting');
  log.record([two], 'sent');
  log.record([one], 'dropped', 'the queue is full');
  expect(log.entries().map(({ id, state }) => [id, state])).toEqual([
    [one.message_id, 'dropped'],
    [two.message_id, 'sent'],
    [four.message_id, 'waiting'],
  ]);
  expect(log.dropped()).toBe(1);
  const next = createLog({ size: 3 });
  next.restore(log.entries());
  expect(next.entries()).toEqual(log.entries());
});
