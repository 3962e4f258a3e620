import { getChange } from '@sightline/contract/compliance/changes.ts';
import { getFinding } from '@sightline/contract/vulnerabilities/findings.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeRecordId, newId } from '#core/ids.ts';
import type { Tx } from '#database/database.ts';
import { createScanResult, createTestRepository } from '#testing/findings.ts';
import { shareTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { importResults } from '../../vulnerabilities/findings/intake.ts';

let server: TestServer;
let acme: TestOrganization;
let repositoryId: string;
beforeAll(async () => {
  server = await shareTestServer();
  acme = await server.make.organization();
  repositoryId = await createTestRepository(server, acme);
});
afterAll(() => server.close());

const inAcme = (work: (tx: Tx) => Promise<unknown>) => server.services.database.withOrg(acme.id, work);
const [base, merged, head, introducing] = ['a', 'b', 'c', 'd'].map((digit) => digit.repeat(40)) as [
  string,
  string,
  string,
  string,
];
const tool = (name: string) => ({ key: name.toLowerCase(), name, version: null });
const scan = (name: string, commit: string, results: readonly string[], ref = 'refs/heads/main') =>
  importResults(server.services, acme.id, {
    actor: { integration: 'test' },
    analysis: {
      repositoryId,
      source: 'sarif' as const,
      tool: tool(name),
      category: '',
      ref,
      complete: true,
      commit,
      nativeId: null,
    },
    results: results.map((ruleId) => createScanResult({ ruleId, cwes: [], path: `src/${ruleId}.ts` })),
  });

/** Records a merge whose push started at `base`. */
async function record(number: number): Promise<string> {
  const id = changeRecordId(repositoryId, { number });
  const person = await server.personOf(acme.id, acme.owner);
  const parts = [
    ...['headSha', 'authors', 'lastPusher', 'lastPushAt', 'sessionOwners', 'reviews', 'mergedBy', 'mergeRequestedBy'],
    ...[
      'checks',
      'requiredChecks',
      'sourceBranch',
      'labels',
      'tickets',
      'namedTickets',
      'linkedIssues',
      'ai',
      'agents',
    ],
    ...['pathMatches', 'changedLines', 'configuredServers'],
    ...['earlierPushers', 'unattestedCommits', 'unreviewedFiles', 'hostActivity'],
  ];
  const each = (value: object) => JSON.stringify(Object.fromEntries(parts.map((name) => [name, value])));
  const of = { org_id: acme.id, repository_id: repositoryId, branch: 'main' };
  const at = new Date().toISOString();
  await inAcme(async ({ db }) => {
    await db
      .insertInto('branch_push')
      .values({
        ...of,
        id: newId(),
        before_sha: base,
        after_sha: merged,
        pushed_at: at,
        time_source: 'host',
        forced: 'no',
        completeness: 'complete',
        commits: [merged],
        source: 'webhook',
        entry_id: newId(),
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await db
      .insertInto('change_record')
      .values({
        ...of,
        id,
        version: 1,
        is_default_branch: true,
        merge_method: 'pull_request',
        number,
        merged_at: at,
        merge_sha: merged,
        head_sha: head,
        authors: [person],
        persons: [person],
        missing: [],
        approval: 'no',
        has_agent: false,
        cause: 'merge',
        entry_id: newId(),
        parts: each({ state: 'missing' }),
        sources: each({ state: 'missing', reason: 'deleted', fetchedAt: at }),
      })
      .execute();
  });
  return id;
}
const scansOf = async (id: string, as = acme.owner) =>
  (await server.as(as, acme.id)(getChange, { params: { id }, query: {} })).scans;

test('shows findings added and fixed by scanners on a change, with baseline or reason for none', async () => {
  const id = await record(1);
  expect(await scansOf(id)).toEqual({ runs: [], reason: 'no_scanner' });
  await scan('Exact', base, ['one', 'two']);
  await scan('Loose', 'e'.repeat(40), ['one']);
  expect(await scansOf(id)).toEqual({ runs: [], reason: 'no_run' });
  await scan('Exact', merged, ['two', 'three', 'four']);
  await scan('Loose', merged, ['one']);
  await scan('Head', head, ['five'], 'refs/pull/1/head');
  await scan('First', merged, ['six']);
  // Later scans are not part of the change.
  await scan('Exact', 'f'.repeat(40), []);
  const on = { on: 'merge', commit: merged, ref: 'refs/heads/main' };
  expect(await scansOf(id)).toMatchObject({
    reason: null,
    runs: [
      { ...on, tool: { id: 'exact', name: 'Exact' }, added: 2, closed: 1, since: base, isSinceBase: true },
      { ...on, tool: { name: 'First' }, since: null, isSinceBase: false },
      { tool: { name: 'Head' }, on: 'head', commit: head, ref: 'refs/pull/1/head', since: null },
      { ...on, tool: { name: 'Loose' }, added: 0, closed: 0, since: 'e'.repeat(40), isSinceBase: false },
    ],
  });
});

/** Adds a finding at line 10 of a file, first seen at `seenAt` and introduced by `introducing` in pull request 2. */
async function finding(name: string, seenAt: string): Promise<string> {
  await scan(name, seenAt, [name]);
  let id = '';
  await inAcme(async (tx) => {
    const introduced = {
      commit: introducing,
      pullRequest: 2,
      actor: { name: 'Ada', login: 'ada' },
      agent: null,
      at: new Date().toISOString(),
      confidence: 'observed',
      reason: 'Blame says so.',
    };
    const [row] = await tx.query<{ id: string }>({
      name: '',
      text: 'update finding set introduced = $3 where org_id = $1 and path = $2 returning id',
      values: [acme.id, `src/${name}.ts`, JSON.stringify(introduced)],
    });
    id = row?.id ?? '';
  });
  return id;
}
const attributed = (
  agent: string,
  {
    commit,
    path,
    lines,
    confidence = 'declared',
  }: { commit: string; path: string | null; lines: string | null; confidence?: string | undefined },
) =>
  inAcme((tx) =>
    tx.query({
      name: '',
      text: `insert into ai_attribution (org_id, id, repository_id, change_id, commit_sha, path, lines, agent, source, confidence, entry_id)
             values ($1, $2, $3, $4, $5, $6, $7::int4range, $8, 'git-ai', $9, $2)`,
      values: [
        ...[acme.id, newId(), repositoryId, changeRecordId(repositoryId, { number: 2 }), commit, path, lines, agent],
        confidence,
      ],
    }),
  );
const agentsOf = async (id: string) =>
  (await server.as(acme.owner, acme.id)(getFinding, { params: { findingId: id } })).introducedWith.map(
    ({ agent, about, confidence }) => [agent, about, confidence],
  );

test('shows agents of the lines of a finding, or only of its file or commit', async () => {
  const exact = await finding('exact', introducing);
  const later = await finding('later', merged);
  expect(await agentsOf(exact)).toEqual([]);
  for (const name of ['exact', 'later']) {
    await attributed('Cursor', { commit: introducing, path: `src/${name}.ts`, lines: '[8,12]' });
    await attributed('Codex', { commit: introducing, path: `src/${name}.ts`, lines: '[20,30]' });
    await attributed('Aider', { commit: head, path: `src/${name}.ts`, lines: '[1,99]' });
  }
  await attributed('Claude', { commit: introducing, path: null, lines: null });
  await attributed('Gemini', { commit: head, path: null, lines: null });
  await attributed('Jules', { commit: introducing, path: 'src/other.ts', lines: '[1,99]' });
  expect(await agentsOf(exact)).toEqual([
    ['Cursor', 'lines', 'declared'],
    ['Claude', 'commit', 'declared'],
  ]);
  // Later scans see moved lines, and a squashed commit contains those of the branch, so the match is inferred.
  expect(await agentsOf(later)).toEqual([
    ['Aider', 'file', 'inferred'],
    ['Codex', 'file', 'inferred'],
    ['Cursor', 'file', 'inferred'],
    ['Claude', 'commit', 'declared'],
  ]);
});
