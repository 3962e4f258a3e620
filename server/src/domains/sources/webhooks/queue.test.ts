import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '#testing/server.ts';
import { unpackBody } from './body.ts';
import { createInbox } from './inbox.ts';
import { pendingDeliveries } from './queue.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const delivery = (event: string, repositoryId: string | null, provider: 'github' | 'gitlab' = 'github') => ({
  provider,
  hookId: null,
  deliveryId: randomUUID(),
  event,
  sha256: null,
  repositoryId,
  body: event.repeat(100),
});

test('skips only deliveries about a repository that is not enabled', async () => {
  const { id: orgId } = await server.make.organization();
  const { id: otherId } = await server.make.organization();
  const track = (org: string, id: number, tracked: boolean) =>
    server.services.database.withOrg(org, ({ db }) =>
      db
        .insertInto('repository')
        .values({
          org_id: org,
          id: randomUUID(),
          provider: 'github',
          provider_repo_id: String(id),
          installation_id: '1',
          owner: 'acme',
          name: `r${id}`,
          full_name: `acme/r${id}`,
          default_branch: 'main',
          is_private: false,
          html_url: 'https://example.org',
          tracked,
        })
        .execute(),
    );
  await track(orgId, 1, true);
  await track(orgId, 2, false);
  await track(otherId, 3, true);
  const { database } = server.services;
  const inbox = createInbox(database);
  const pending = () => database.withOrg(orgId, (tx) => pendingDeliveries(tx, orgId));
  const irrelevant = async () => (await pending()).flatMap(({ id, isIrrelevant }) => (isIrrelevant ? id : []));
  const skipped = [delivery('pull_request', '2'), delivery('pull_request_review', '3')];
  const all = [...skipped, delivery('pull_request', '1'), delivery('pull_request', null), delivery('push', null)];
  for (const each of all) await inbox(orgId, each);
  expect(await irrelevant()).toEqual(skipped.map(({ deliveryId }) => deliveryId));
  expect((await pending()).map(({ body }) => unpackBody(body))).toEqual(
    all.map((each) => (skipped.includes(each) ? '' : each.body)),
  );
  // These events may enable the repositories of the other deliveries.
  for (const event of ['installation', 'installation_repositories', 'repository']) {
    const selection = delivery(event, null);
    await inbox(orgId, selection);
    expect(await irrelevant(), event).toEqual([]);
    await database.withOrg(orgId, ({ db }) =>
      db.deleteFrom('webhook_delivery').where('delivery_id', '=', selection.deliveryId).execute(),
    );
  }
  await inbox(orgId, delivery('repository', null, 'gitlab'));
  expect(await irrelevant()).toHaveLength(2);
});
