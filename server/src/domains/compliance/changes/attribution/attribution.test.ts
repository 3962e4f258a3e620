import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getChangeAgents } from '@sightline/contract/compliance/agent-reconciliation.ts';
import { getChange } from '@sightline/contract/compliance/changes.ts';
import { queryEvents } from '@sightline/contract/timeline/events.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { queueChange } from '../change-queue.ts';
import { startWorld } from '../changes.fixture.ts';
import { agentTracePath } from './agent-trace.ts';

let world: Awaited<ReturnType<typeof startWorld>>;
beforeAll(async () => {
  world = await startWorld();
}, 60_000);
afterAll(() => world.close());

const note = (path: string, lines: string, tool: string, author: string) =>
  `${path}\n  s_0123456789abcd::t_0123456789abcd ${lines}\n---\n${JSON.stringify({
    schema_version: 'authorship/3.0.0',
    base_commit_sha: 'x',
    prompts: {},
    sessions: { s_0123456789abcd: { agent_id: { tool, id: '1', model: 'gpt-5' }, human_author: author } },
  })}`;
const trace = (revision: string, path: string, from: number, to: number) =>
  JSON.stringify({
    version: '0.1.0',
    id: '550e8400-e29b-41d4-a716-446655440000',
    timestamp: '2026-01-23T14:30:00Z',
    vcs: { type: 'git', revision },
    tool: { name: 'claude-code' },
    files: [
      {
        path,
        conversations: [
          {
            contributor: { type: 'ai', model_id: 'anthropic/claude-opus-4-5' },
            ranges: [{ start_line: from, end_line: to }],
          },
        ],
      },
    ],
  });
const noteOn = (sha: string, text: string) => world.story.git(['notes', '--ref', 'ai', 'add', '-f', '-m', text, sha]);

/** The titles of the events that a query finds. */
const found = async (query: string): Promise<string[]> => {
  const { server, acme } = world;
  const page = await server.as(acme.owner, acme.id)(queryEvents, {
    body: { query, pagination: { events: 50, cursors: {} } },
  });
  return page.events.map(({ summary }) => summary.parameters.at(-1)?.display ?? '');
};
const show = (id: string) => {
  const { server, acme } = world;
  return server.as(acme.owner, acme.id)(getChange, { params: { id }, query: {} });
};

test('records notes and traces of a merge once, by file and lines, with the session owner', {
  tags: 'full',
}, async () => {
  const { control, numberOf, recordOf, story, rowsOf, persons, inAcme, server, acme, repositoryId } = world;
  const number = numberOf('one');
  const notedSha = story.git(['rev-parse', 'one']);
  noteOn(notedSha, note('one.txt', '1', 'cursor', 'Bob <info@example.org>'));
  const files = { [agentTracePath]: `${trace(notedSha, 'one.txt', 1, 1)}\nnot json\n` };
  await control('push', { branch: 'one', by: 'zoe-a', message: 'Leave traces', files });
  await control('merge', { number, by: 'ada' });
  const record = await recordOf(number);
  expect(record.parts.ai).toEqual({ state: 'complete', value: [{ lines: 1, confidence: 'declared' }] });
  expect(record.parts.sessionOwners.value).toEqual([{ kind: 'human', identity: 'resolved', person: persons.bob }]);
  const rowsNow = () =>
    rowsOf(
      `select path, lower(lines) as "from", upper(lines) as end, agent, model, source, confidence, session_owner as owner
       from ai_attribution a where org_id = $1 and commit_sha = $2
         and exists (select from ledger_known l where l.org_id = $1 and l.entry_id = a.entry_id) order by source`,
      [notedSha],
    );
  const line = { path: 'one.txt', from: 1, end: 2, confidence: 'declared', owner: persons.bob };
  const rows = [
    { ...line, agent: 'Claude', model: 'anthropic/claude-opus-4-5', source: 'agent-trace' },
    { ...line, agent: 'Cursor', model: 'gpt-5', source: 'git-ai' },
  ];
  expect(await rowsNow()).toEqual(rows);

  const { attribution } = await show(record.id);
  expect(attribution).toMatchObject({
    agents: [
      { agent: 'Claude', source: 'agent-trace', commits: 1, files: 1, lines: 1 },
      { agent: 'Cursor', source: 'git-ai', commits: 1, files: 1, lines: 1 },
    ],
    files: [
      {
        path: 'one.txt',
        lines: 1,
        ranges: [
          { from: 1, to: 1 },
          { from: 1, to: 1 },
        ],
      },
    ],
    fileCount: 1,
    sources: [
      { source: 'agent-trace', records: 1, malformed: 1, unmatched: 0, dropped: 0 },
      { source: 'git-ai', records: 1, malformed: 0, unmatched: 0, dropped: 0 },
    ],
  });
  expect(attribution.share).toMatchObject({ lines: 1 });

  await vi.waitFor(async () => expect(await found('kind:commit agent:cursor')).toEqual(['Finish one']), 20_000);
  const merge = await found('kind:pr is:merged pr:*');
  expect(merge).toHaveLength(1);
  const models = ['model:gpt-5', 'model:anthropic/*', 'session:s_0123*', 'has:model'];
  for (const query of ['agent:claude-code', 'agent:claude', 'ai:declared', 'ai:any', 'has:agent', ...models]) {
    expect([query, await found(`${query} kind:pr is:merged`)]).toEqual([query, merge]);
    expect([query, await found(`${query} kind:commit sha:${notedSha.slice(0, 12)}`)]).toEqual([query, ['Finish one']]);
  }
  expect(await found('ai:inferred')).toEqual([]);
  expect(await found('model:gpt-4')).toEqual([]);
  // The number of added lines arrives after the commit.
  await vi.waitFor(async () => expect(await found('ai:>=0.5')).toEqual(['Finish one']), 20_000);
  expect(await found('ai:<1')).toEqual([]);
  expect(await found('kind:commit branch:* ai:none agent:*')).toEqual([]);

  await inAcme((tx) => queueChange(server.services, tx, acme.id, { repositoryId, change: { number }, cause: 'retry' }));
  await vi.waitFor(async () => {
    const due = await inAcme(({ db }) =>
      db.selectFrom('change_task').select('id').where('number', '=', number).where('attempt', '=', 0).execute(),
    );
    expect(due).toEqual([]);
  }, 20_000);
  expect(await rowsNow()).toEqual(rows);
  expect(await found('agent:cursor kind:commit')).toEqual(['Finish one']);
});

test('records trailer and note of a commit separately, and search finds the commit once', {
  tags: 'full',
}, async () => {
  const { control, numberOf, recordOf, story } = world;
  const number = numberOf('two');
  const message = 'Help two\n\nCo-authored-by: Claude <noreply@anthropic.com>';
  await control('push', { branch: 'two', by: 'ada', message, files: { 'two.txt': 'a\nb\nc\n' } });
  const sha = story.git(['rev-parse', 'two']);
  noteOn(sha, note('two.txt', '1-2', 'claude', 'ada@example.org'));
  await control('merge', { number, by: 'bob' });
  const record = await recordOf(number);
  expect(record.parts.ai.value).toEqual([{ lines: 2, confidence: 'declared' }]);
  expect((await show(record.id)).attribution.agents).toMatchObject([
    { agent: 'Claude', source: 'git-ai', lines: 2 },
    { agent: 'Claude', source: 'trailer', lines: 0 },
  ]);
  await vi.waitFor(async () => expect(await found(`kind:commit sha:${sha}`)).toHaveLength(1), 20_000);
  for (const query of ['agent:claude', 'ai:any', 'ai:declared', 'agent:claude*'])
    expect([query, await found(`${query} kind:commit sha:${sha.slice(0, 10)}`)]).toEqual([query, ['Help two']]);
  await vi.waitFor(async () => expect(await found('ai:0.6..0.7')).toEqual(['Help two']), 20_000);
  expect(await found('-ai:0.6..0.7 kind:commit ai:any')).not.toContain('Help two');
});

test('flags the link to a session in a commit message and never requests it', async () => {
  const { control, directOf, story, server, acme } = world;
  const requests: (string | undefined)[] = [];
  const agent = createServer(({ url }, response) => {
    requests.push(url);
    response.end();
  });
  await new Promise<void>((resolve) => agent.listen(0, '127.0.0.1', resolve));
  const { port } = agent.address() as AddressInfo;
  try {
    const message = `Push with a link\n\nClaude-Session: http://127.0.0.1:${port}/sessions/1?token=secret`;
    await control('push', { by: 'bob', message, files: { 'linked.txt': 'a\n' } });
    const { id } = await directOf(story.git(['rev-parse', 'main']));
    const { sessionLinks } = await server.as(acme.owner, acme.id)(getChangeAgents, { params: { id } });
    expect(sessionLinks).toBe(1);
    expect(requests).toEqual([]);
  } finally {
    agent.close();
  }
});

test('records a trace of the preceding commit as inferred, never as declared', async () => {
  const { control, directOf, story } = world;
  const before = story.git(['rev-parse', 'main']);
  const files = { [agentTracePath]: `${trace(before, 'direct.txt', 1, 2)}\n`, 'direct.txt': 'a\nb\n' };
  await control('push', { by: 'bob', message: 'Push by hand', files });
  const sha = story.git(['rev-parse', 'main']);
  const record = await directOf(sha);
  expect(record.parts.ai.value).toEqual([{ lines: 2, confidence: 'inferred' }]);
  const { attribution } = await show(record.id);
  expect(attribution).toMatchObject({ share: null, files: [{ path: 'direct.txt', lines: 2 }] });
  await vi.waitFor(async () => expect(await found('ai:inferred kind:commit')).toEqual(['Push by hand']), 20_000);
  expect(await found('ai:declared agent:claude -has:pr branch:main sha:*')).not.toContain('Push by hand');
});

test('carries the note of a commit over an amended push of its branch', { tags: 'full' }, async () => {
  const { control, numberOf, recordOf, story } = world;
  const number = numberOf('three');
  await control('push', { branch: 'three', by: 'bob', message: 'Write', files: { 'three.txt': 'a\nb\nc\n' } });
  const noted = story.git(['rev-parse', 'three']);
  noteOn(noted, note('three.txt', '1-3', 'claude', 'info@example.org'));
  await control('push', { branch: 'three', by: 'bob', files: { 'three.txt': 'new\na\nb\nd\n' }, forced: true });
  const amended = story.git(['rev-parse', 'three']);
  expect(amended).not.toBe(noted);
  await control('merge', { number, by: 'ada' });
  const record = await recordOf(number);
  const { attribution } = await show(record.id);
  expect(attribution).toMatchObject({
    agents: [{ agent: 'Claude', source: 'git-ai', confidence: 'inferred', carried: true, lines: 2 }],
    files: [{ path: 'three.txt', ranges: [{ from: 2, to: 3, commit: amended }] }],
  });
  // A line that is only inferred never counts as certain.
  expect(record.parts.ai.value).toEqual([{ lines: 2, confidence: 'inferred' }]);
});
