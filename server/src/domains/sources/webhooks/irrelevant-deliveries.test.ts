import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '#testing/server.ts';
import { irrelevantDeliveries } from './irrelevant-deliveries.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const repository = (id: number) => ({
  id,
  name: `r${id}`,
  full_name: `acme/r${id}`,
  private: false,
  html_url: 'https://example.org',
  default_branch: 'main',
  owner: { login: 'acme' },
});
const delivery = (event: string, payload: object) => ({
  provider: 'github' as const,
  hookId: null,
  id: randomUUID(),
  event,
  body: JSON.stringify(payload),
  receivedAt: new Date(),
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
  const processed = [
    delivery('pull_request', { repository: repository(1) }),
    delivery('push', { repository: repository(2) }),
    delivery('pull_request', { repository: { id: 'none' } }),
    delivery('pull_request', {}),
  ];
  const skipped = [
    delivery('pull_request', { repository: repository(2) }),
    delivery('pull_request_review', { repository: repository(3) }),
  ];
  const all = [...skipped, ...processed];
  expect(await irrelevantDeliveries(database, orgId, all)).toEqual(new Set(skipped.map(({ id }) => id)));
  expect(await irrelevantDeliveries(database, orgId, processed.slice(1))).toEqual(new Set());
  // These events may enable the repositories of the other deliveries.
  for (const event of ['installation', 'installation_repositories', 'repository']) {
    expect(await irrelevantDeliveries(database, orgId, [delivery(event, {}), ...all])).toEqual(new Set());
  }
});
