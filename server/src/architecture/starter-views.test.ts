import { randomUUID } from 'node:crypto';
import { countWeekHours, groupEvents } from '@sightline/contract/timeline/event-groups.ts';
import { recordEvents } from '@sightline/contract/timeline/events.ts';
import { starterViews } from '@sightline/contract/timeline/starter-views.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newId } from '#core/ids.ts';
import type { HostPullRequest } from '#providers/host-facts.ts';
import { createScanResult, createTestRepository, createTestScanner } from '#testing/findings.ts';
import { shareTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { policyEvent } from '../domains/compliance/policies/events.ts';
import { commitEvent, pullRequestEvents } from '../domains/sources/ingest/timeline-events.ts';
import { appendFacts } from '../domains/timeline/events/commands.ts';
import { memberEvent } from '../domains/timeline/events/member-events.ts';

// The queries of the starter views find events as the product writes them.

let server: TestServer;
let acme: TestOrganization;
let repositoryId: string;
const at = new Date(Date.now() - 3_600_000).toISOString();

beforeAll(async () => {
  server = await shareTestServer({ jobs: true });
  acme = await server.make.organization('Acme');
  repositoryId = await createTestRepository(server, acme, 'api');
  const target = {
    id: repositoryId,
    provider: 'github' as const,
    fullName: 'acme/api',
    url: 'https://code.example/acme/api',
  };
  const [person = ''] = await server.services.database.withOrg(acme.id, (tx) =>
    server.services.people.resolve(tx, acme.id, [
      { names: [{ kind: 'github', value: 'ada' }], display: 'Ada', picture: null, source: 'test' },
    ]),
  );
  const ada = { name: 'Ada', email: 'ada@acme.example', login: 'ada', avatarUrl: null };
  const user = { login: 'ada' } as HostPullRequest['author'];
  const actor = { personId: person, email: 'ada@acme.example' };
  const merge = (number: number): HostPullRequest => ({
    ...({} as HostPullRequest),
    number,
    title: 'Refund twice',
    state: 'accepted',
    author: user,
    createdAt: at,
    mergedAt: at,
    mergedBy: user,
    baseRef: 'main',
    headRef: 'refund',
    mergeSha: 'a'.repeat(40),
    url: 'https://code.example/acme/api/pull/1',
  });
  const commit = {
    sha: 'b'.repeat(40),
    message: 'Refund\n\nCo-Authored-By: Claude <noreply@anthropic.com>',
    author: ada,
    authoredAt: at,
    committer: ada,
    committedAt: at,
    parents: [],
  };
  const events = [
    commitEvent(commit, { person, branch: 'main', target }),
    ...[1, 2].flatMap((number) => pullRequestEvents(merge(number), [], () => person, target)),
    policyEvent(actor, { action: 'policy.deleted', id: newId(), name: 'Reviews' }),
    memberEvent(newId(), actor, { did: 'joined', role: 'rol_reviewer' }),
  ];
  await server.services.database.withOrg(acme.id, (tx) => appendFacts(server.services, tx, acme.id, events));
  await recordMerges();
  const scanner = await createTestScanner(server, acme, repositoryId);
  await scanner.send([createScanResult()]);
  await server.as(acme.owner, acme.id)(recordEvents, {
    body: [
      {
        plugin_id: 'browser',
        event_type: 'web_page_view',
        message_id: randomUUID(),
        original_timestamp: at,
        content_uri: 'https://chat.example/',
      },
    ],
  });
});
afterAll(() => server.close());

/**
 * Stores the records of two merges, the first without a review, the second approved by its author, and of a commit that
 * was pushed without a pull request.
 */
const recordMerges = () =>
  server.services.database.withOrg(acme.id, async (tx) => {
    await tx.query({
      name: '',
      text: `insert into reached_commit (org_id, repository_id, branch, push_id, sha, version, reached_by, entry_id)
             values ($1, $2, 'main', $3, $4, 1, 'none', $3)`,
      values: [acme.id, repositoryId, newId(), 'b'.repeat(40)],
    });
    for (const number of [1, 2]) {
      await tx.query({
        name: '',
        text: `insert into change_record (org_id, id, version, repository_id, branch, is_default_branch, merge_method, number, merged_at, parts, sources,
                 authors, persons, missing, approval, self_approved, has_agent, cause, entry_id)
               values ($1, $2, 1, $3, 'main', true, 'pull_request', $4, now(), $5, '{}', '{}', '{}', '{}', 'no', $6, false, 'merge', $2)`,
        values: [
          acme.id,
          newId(),
          repositoryId,
          number,
          JSON.stringify({ reviews: { state: 'complete', value: [] } }),
          number === 2,
        ],
      });
    }
  });

test.each(starterViews)('$name finds events', async ({ query, chart }) => {
  const asOwner = server.as(acme.owner, acme.id);
  // The scan is matched by a job.
  await vi.waitFor(
    async () => {
      if (chart.kind === 'hours') {
        expect((await asOwner(countWeekHours, { body: { query } })).total).toBeGreaterThan(0);
        return;
      }
      const { total, groups } = await asOwner(groupEvents, {
        body: { query, by: chart.by, top: chart.top, compare: chart.compare },
      });
      expect(total).toBeGreaterThan(0);
      // The field of the chart has values in these events.
      expect(groups[0]?.count).toBeGreaterThan(0);
    },
    { timeout: 20_000 },
  );
});
