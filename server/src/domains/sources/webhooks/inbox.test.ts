import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '#testing/server.ts';
import { unpackBody } from './body.ts';
import { createInbox } from './inbox.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const stored = (orgId: string) =>
  server.services.database.withOrg(orgId, ({ db }) =>
    db
      .selectFrom('webhook_delivery')
      .select(['delivery_id', 'body', 'packed'])
      .orderBy('received_at')
      .orderBy('delivery_id')
      .execute(),
  );
const entry = (body: string, deliveryId: string = randomUUID()) => ({
  provider: 'github' as const,
  hookId: null,
  sha256: null,
  repositoryId: null,
  deliveryId,
  event: 'star',
  body,
});

test('keeps concurrent deliveries in order and stores a duplicate once', async () => {
  const { id } = await server.make.organization();
  const inbox = createInbox(server.services.database);
  const entries = Array.from({ length: 50 }, (_, index) => entry(`{"n":${index}${' '.repeat((index % 5) * 1_000)}}`));
  const twice = entries.toSpliced(40, 0, ...entries.slice(30, 31));
  const added = await Promise.all(twice.map((each) => inbox(id, each)));
  expect(added.filter((isNew) => !isNew)).toHaveLength(1);
  expect(added[40]).toBe(false);
  expect((await stored(id)).map(unpackBody)).toEqual(entries.map((each) => each.body));
});

test('separates organizations and reports a failure to each affected caller', async () => {
  const [one, two] = [await server.make.organization(), await server.make.organization()];
  const inbox = createInbox(server.services.database);
  const id = randomUUID();
  expect(await Promise.all([inbox(one.id, entry('{}', id)), inbox(two.id, entry('{}', id))])).toEqual([true, true]);
  expect(await stored(one.id)).toHaveLength(1);
  const answers = await Promise.allSettled([inbox(one.id, entry('\0')), inbox(one.id, entry('{}'))]);
  expect(answers.map((answer) => answer.status)).toEqual(['rejected', 'fulfilled']);
  expect(await stored(one.id)).toHaveLength(2);
});
