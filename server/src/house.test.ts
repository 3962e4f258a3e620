import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '#testing/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test('rows of another organisation cannot be seen, even without a where clause', async () => {
  const mine = await server.make.organization('Mine');
  const theirs = await server.make.organization('Theirs');
  const seen = await server.services.database.withOrg(mine.id, ({ db }) =>
    db.selectFrom('member').select('org_id').execute(),
  );
  expect(seen.map((row) => row.org_id)).toEqual([mine.id]);
  expect(theirs.id).not.toBe(mine.id);
});
