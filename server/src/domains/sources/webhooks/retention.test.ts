import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { NIL_UUID } from '#core/ids.ts';
import { startTestServer, type TestServer } from '#testing/server.ts';
import { createInbox } from './inbox.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ environment: { WEBHOOK_BODY_DAYS: '7' }, jobs: true });
});
afterAll(() => server.close());

const day = 24 * 60 * 60_000;
const ago = (days: number) => new Date(Date.now() - days * day);

/** Stores a delivery that was received `days` ago and was processed at once, or not at all. */
async function delivery(orgId: string, days: number, isDone: boolean): Promise<string> {
  const id = randomUUID();
  await server.services.database.withOrg(orgId, ({ db }) =>
    db
      .insertInto('webhook_delivery')
      .values({
        org_id: orgId,
        provider: 'github',
        delivery_id: id,
        event: 'star',
        body: '{"secret":"words"}',
        received_at: ago(days),
        processed_at: isDone ? ago(days) : null,
      })
      .execute(),
  );
  return id;
}

const stored = async (orgId: string) => {
  const rows = await server.services.database.withOrg(orgId, ({ db }) =>
    db
      .selectFrom('webhook_delivery')
      .select(['delivery_id', 'body', 'packed', 'body_deleted_at', 'processed_at'])
      .execute(),
  );
  return new Map(rows.map((row) => [row.delivery_id, row]));
};

const run = () =>
  server.services.database.global((tx) =>
    server.services.jobs.enqueue(tx, 'webhook.forget', {}, { key: randomUUID() }),
  );

const byApp = { provider: 'github', hookId: null, sha256: null, repositoryId: null } as const;

test('deletes bodies some days after processing, and keeps pending and recent ones', async () => {
  const [one, two] = [await server.make.organization(), await server.make.organization()];
  const old = await delivery(one.id, 8, true);
  const other = await delivery(two.id, 300, true);
  const long = randomUUID();
  await createInbox(server.services.database)(one.id, {
    ...byApp,
    deliveryId: long,
    event: 'star',
    body: 'words '.repeat(1_000),
  });
  await server.services.database.withOrg(one.id, ({ db }) =>
    db
      .updateTable('webhook_delivery')
      .where('delivery_id', '=', long)
      .set({ processed_at: ago(8) })
      .execute(),
  );
  expect((await stored(one.id)).get(long)?.packed).toBeInstanceOf(Buffer);
  const young = await delivery(one.id, 6, true);
  const pending = await delivery(one.id, 8, false);
  const unbound = [await delivery(NIL_UUID, 8, false), await delivery(NIL_UUID, 8, true)];
  const recentUnbound = await delivery(NIL_UUID, 6, false);
  await run();
  await vi.waitFor(
    async () => {
      const rows = new Map([...(await stored(one.id)), ...(await stored(two.id)), ...(await stored(NIL_UUID))]);
      for (const id of [old, other, long])
        expect(rows.get(id)).toMatchObject({ body: '', packed: null, body_deleted_at: expect.any(Date) });
      for (const id of unbound) expect(rows.has(id)).toBe(false);
      for (const id of [young, pending, recentUnbound])
        expect(rows.get(id)).toMatchObject({ body: '{"secret":"words"}', body_deleted_at: null });
    },
    { timeout: 20_000 },
  );
  // A replay of a delivery without a body is still a duplicate.
  expect(
    await createInbox(server.services.database)(one.id, { ...byApp, deliveryId: old, event: 'star', body: '{}' }),
  ).toBe(false);
});

test('deletes more than one batch in one run', async () => {
  const { id } = await server.make.organization();
  await server.services.database.withOrg(id, (tx) =>
    tx.query({
      name: '',
      text: `insert into webhook_delivery (org_id, provider, delivery_id, event, body, received_at, processed_at)
             select $1, 'github', gen_random_uuid(), 'star', '{}', $2, $2 from generate_series(1, 1234)`,
      values: [id, ago(30)],
    }),
  );
  await run();
  await vi.waitFor(async () => expect([...(await stored(id)).values()].filter((row) => row.body !== '')).toEqual([]), {
    timeout: 20_000,
  });
});

test('deletes pending deliveries of an organization once it can no longer be restored', async () => {
  const [restorable, expired] = [await server.make.organization(), await server.make.organization()];
  const archive = (orgId: string, days: number) =>
    server.services.database.withOrg(orgId, ({ db }) =>
      db
        .updateTable('organization')
        .set({ archived_at: ago(days) })
        .where('id', '=', orgId)
        .execute(),
    );
  await archive(restorable.id, 29);
  await archive(expired.id, 31);
  const [retained, deleted] = [await delivery(restorable.id, 29, false), await delivery(expired.id, 1, false)];
  await run();
  await vi.waitFor(
    async () =>
      expect((await stored(expired.id)).get(deleted)).toMatchObject({ body: '', processed_at: expect.any(Date) }),
    { timeout: 20_000 },
  );
  expect((await stored(restorable.id)).get(retained)).toMatchObject({ body: '{"secret":"words"}', processed_at: null });
});

test('schedules the deletion every night', async () => {
  const { rows } = await server.services.database.pool.query(
    "select cron, timezone from pgboss.schedule where name = 'webhook.forget'",
  );
  expect(rows).toEqual([{ cron: '23 3 * * *', timezone: 'UTC' }]);
});
