import { randomUUID } from 'node:crypto';
import examples from '@octokit/webhooks-examples' with { type: 'json' };
import { createStory } from '@sightline/sandbox/testing/repository.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SandboxGithub, startSandboxGithub } from '#providers/github/sandbox.fixture.ts';
import { startTestServer, type TestServer } from '#testing/server.ts';
import { webhookHelpers } from './deliveries.fixture.ts';

let story: Awaited<ReturnType<typeof createStory>>;
let sandbox: SandboxGithub;
let server: TestServer;

beforeAll(async () => {
  story = await createStory();
  sandbox = await startSandboxGithub([story.path]);
  server = await startTestServer({ environment: sandbox.environment, jobs: true });
});
afterAll(async () => {
  await server.close();
  await sandbox.close();
  await story.remove();
});

const { inOrg, bind, post, waitUntilProcessed } = webhookHelpers(() => server);

test('processes every example payload that GitHub publishes', { tags: 'full', timeout: 120_000 }, async () => {
  const org = await server.make.organization();
  await bind(org, '999');
  // Enables the repositories of the examples, so that no delivery is skipped.
  const known = new Set<string>();
  for (const { examples: payloads } of examples as unknown as Definition[]) {
    for (const { repository } of payloads) if (repository?.id) known.add(String(repository.id));
  }
  await inOrg(org.id, ({ db }) =>
    db
      .insertInto('repository')
      .values(
        [...known].map((id) => ({
          org_id: org.id,
          id: randomUUID(),
          provider: 'github',
          provider_repo_id: id,
          installation_id: '999',
          owner: 'octo',
          name: `r${id}`,
          full_name: `octo/r${id}`,
          default_branch: 'main',
          is_private: true,
          html_url: `http://localhost/octo/r${id}`,
          tracked: true,
        })),
      )
      .execute(),
  );
  const published = (examples as unknown as Definition[]).flatMap(({ name, examples: payloads }) =>
    payloads.map((payload) => ({ name, payload })),
  );
  expect(published).toHaveLength(329);
  // Sorts the uninstallation last: without an installation, later deliveries have no organization.
  const isEnd = ({ name, payload }: (typeof published)[number]) =>
    name === 'installation' && payload.action === 'deleted';
  const ordered = published.toSorted((one, other) => Number(isEnd(one)) - Number(isEnd(other)));
  // Some examples differ only by installation. The index makes each body unique, so that none counts as a replay.
  for (const [example, { name, payload }] of ordered.entries()) {
    await post(name, { ...payload, example, installation: { ...payload.installation, id: 999 } });
  }
  const rows = await waitUntilProcessed(org.id, 100_000);
  expect(rows).toHaveLength(329);
  expect(rows.filter((row) => row.error !== null).map((row) => [row.event, row.error])).toEqual([]);
  expect(rows.at(-1)?.event).toBe('installation');
  const { rows: failed } = await server.services.database.pool.query(
    `select name, output from pgboss.job where state in ('failed', 'retry')`,
  );
  expect(failed).toEqual([]);
  const counts = await inOrg(org.id, async ({ db }) => ({
    pulls: (await db.selectFrom('pull_request').select('number').execute()).length,
    commits: (await db.selectFrom('commit').select('sha').execute()).length,
    reviews: (await db.selectFrom('review').select('review_id').execute()).length,
  }));
  expect(counts.pulls).toBeGreaterThan(0);
  expect(counts.commits).toBeGreaterThan(0);
  expect(counts.reviews).toBeGreaterThan(0);
  const installation = await inOrg(org.id, ({ db }) =>
    db.selectFrom('installation').where('installation_id', '=', '999').select('deleted_at').executeTakeFirstOrThrow(),
  );
  expect(installation.deleted_at).not.toBeNull();
});

interface Definition {
  name: string;
  examples: { action?: string; repository?: { id?: number }; installation?: object }[];
}
