import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitUntilBlocked } from '#testing/besides.ts';
import { startTestServer, type TestServer } from '#testing/server.ts';
import { ATTEMPT_LIMITS, type AttemptLimit, countAttempts, networkOf, refundAttempts } from './attempts.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const attempt = (subject: string, ...which: AttemptLimit[]) =>
  server.services.database.global((tx) =>
    countAttempts(
      tx,
      which.map((limit) => [limit, subject] as const),
    ),
  );
const age = (by: string) =>
  server.services.database.global(({ db }) =>
    db
      .updateTable('attempt')
      .set({ started_at: sql`started_at - ${by}::interval`, last_at: sql`last_at - ${by}::interval` })
      .execute(),
  );

test('allows one email per minute and five per day', async () => {
  const mail = () => attempt('a@example.org', ATTEMPT_LIMITS.mailByMinute, ATTEMPT_LIMITS.mailByDay);
  for (let sent = 0; sent < 5; sent += 1) {
    expect(await mail()).toBe(0);
    expect(await mail()).toBeGreaterThan(50);
    await age('1 minute');
  }
  expect(await mail()).toBeGreaterThan(80_000);
  await age('1 day');
  expect(await mail()).toBe(0);
});

test('doubles the wait after the free attempts, and does not count a refused attempt', async () => {
  const guess = () => attempt('b@example.org', ATTEMPT_LIMITS.signInByDevice);
  for (let tries = 0; tries < 5; tries += 1) expect(await guess()).toBe(0);
  for (const wait of [1, 2, 4, 8, 16]) {
    expect(await guess()).toBe(wait);
    expect(await guess()).toBe(wait);
    await age(`${wait} seconds`);
    expect(await guess()).toBe(0);
  }
  expect(await guess()).toBeGreaterThan(500);
});

test('counts every concurrent attempt', async () => {
  const limit = { name: 'parallel', most: 3, windowSeconds: 60 };
  const waits = await Promise.all(Array.from({ length: 8 }, () => attempt('c', limit)));
  expect(waits.filter((wait) => wait === 0)).toHaveLength(3);
});

test('takes attempts back in the lock order in which they are counted', async () => {
  const { database } = server.services;
  const [one, other] = [ATTEMPT_LIMITS.signInByEmail, ATTEMPT_LIMITS.signInByEmailAndNetwork];
  const keyOf = ({ name }: AttemptLimit, subject: string) =>
    createHash('sha256').update(`${name}\n${subject}`).digest('hex');
  // The keys of a subject are in one order or in the other.
  for (const isFirst of [true, false]) {
    const subject = Array.from({ length: 100 }, (_, index) => `order-${index}`).find(
      (name) => keyOf(one, name) < keyOf(other, name) === isFirst,
    );
    if (subject === undefined) throw new Error('There is no such subject.');
    await attempt(subject, one, other);
    const counted = isFirst ? ([one, other] as const) : ([other, one] as const);
    let forgiven: Promise<void> | undefined;
    await database.global(async (tx) => {
      await countAttempts(tx, [[counted[0], subject]]);
      forgiven = database.global((second) =>
        refundAttempts(second, { cleared: [[other, subject]], refunded: [[one, subject]] }),
      );
      await waitUntilBlocked(database);
      await countAttempts(tx, [[counted[1], subject]]);
    });
    await forgiven;
  }
});

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::9', '2001:db8:1:2'],
])('%s counts as %s', (address, network) => expect(networkOf(address)).toBe(network));
