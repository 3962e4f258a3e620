import { randomUUID } from 'node:crypto';
import { getContext, queryEvents } from '@sightline/contract/timeline/events.ts';
import { createContext } from '@sightline/contract/timeline/explore.ts';
import { reportTools } from '@sightline/contract/tools/editor-reports.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createScanResult, createTestScanner } from '#testing/findings.ts';
import { refusalOf, shareTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { ingestChanges, ingestCommits } from '../../sources/ingest/commands.ts';

let server: TestServer;
let acme: TestOrganization;
let other: TestOrganization;
beforeAll(async () => {
  server = await shareTestServer();
  acme = await server.make.organization('Acme');
  other = await server.make.organization('Other');
});
afterAll(() => server.close());

const asOwner = () => server.as(acme.owner, acme.id);
const linesOf = async (contextId: string) => {
  const { filters } = await asOwner()(getContext, { params: { contextId } });
  return filters.map(({ within, field, predicate, arguments: values }) => [`${within}.${field}`, predicate, ...values]);
};
const shown = async (context: string) =>
  (await asOwner()(queryEvents, { body: { context } })).events.map(({ summary }) =>
    summary.parameters.map(({ display }) => display).join(' '),
  );

test('a finding opens on changes to its file, and returns none without access', async () => {
  const scanner = await createTestScanner(server, acme);
  await scanner.send([createScanResult({ path: 'src/a.ts' })]);
  const [finding] = await server.services.database.withOrg(acme.id, ({ db }) =>
    db.selectFrom('finding').select('id').execute(),
  );
  const body = { of: 'finding', id: finding?.id ?? '' } as const;
  const commits = ['a', 'b'].map((letter) => commitOf(letter));
  await ingestCommits(server.services, acme.id, scanner.repositoryId, { commits, branch: 'main' });
  const changes = commits.map(({ sha }) => ({
    sha,
    changes: {
      additions: 1,
      deletions: 0,
      files: [{ path: `src/${sha[0]}.ts`, status: 'modified' as const, additions: 1, deletions: 0 }],
    },
  }));
  await ingestChanges(server.services, acme.id, scanner.repositoryId, changes);

  const { contextId } = await asOwner()(createContext, { body });
  expect(await linesOf(contextId)).toEqual([
    ['repository.fullName', 'is', expect.stringContaining('acme/')],
    ['file.path', 'is', 'src/a.ts'],
  ]);
  expect(await shown(contextId)).toEqual([expect.stringContaining('Change a')]);
  // The context is the same for all members and on repetition.
  const reviewer = await server.make.member(acme.id, 'rol_reviewer');
  expect(await server.as(reviewer, acme.id)(createContext, { body })).toEqual({ contextId });
  const contributor = await server.make.member(acme.id, 'rol_contributor');
  for (const call of [server.as(contributor, acme.id), server.as(other.owner, other.id)])
    expect(await refusalOf(call(createContext, { body }))).toEqual({ status: 404, code: 'not_found' });
  expect(await refusalOf(asOwner()(createContext, { body: { ...body, id: randomUUID() } }))).toMatchObject({
    status: 404,
  });
  expect(await refusalOf(server.as(other.owner, other.id)(getContext, { params: { contextId } }))).toMatchObject({
    status: 404,
  });
});

test('a member opens on their activity, a tool on events that name it', async () => {
  const { contextId } = await asOwner()(createContext, { body: { of: 'member', id: acme.owner.id } });
  expect(await linesOf(contextId)).toEqual([['user.email', 'is', acme.owner.email]]);
  await asOwner()(reportTools, {
    body: {
      deviceId: randomUUID(),
      type: 'vscode',
      version: '1.105.0',
      tools: [{ id: 'anthropic.claude-code', version: '2.0.1' }],
    },
  });
  const tool = await asOwner()(createContext, { body: { of: 'tool', id: 'claude-code' } });
  expect(await linesOf(tool.contextId)).toEqual([['tool.id', 'is', 'claude-code']]);
  expect(await shown(tool.contextId)).toEqual([expect.stringContaining('Claude Code')]);
  for (const body of [
    { of: 'member', id: other.owner.id },
    { of: 'tool', id: 'no-such-tool' },
  ] as const)
    expect(await refusalOf(asOwner()(createContext, { body }))).toEqual({ status: 404, code: 'not_found' });
  const elsewhere = server.as(other.owner, other.id);
  expect(await refusalOf(elsewhere(createContext, { body: { of: 'tool', id: 'claude-code' } }))).toMatchObject({
    status: 404,
  });
});

const person = { name: 'Olga', email: 'olga@example.org', login: 'olga', avatarUrl: null };
const commitOf = (letter: string) => ({
  sha: letter.repeat(40),
  message: `Change ${letter}`,
  author: person,
  committer: person,
  authoredAt: '2026-03-01T10:00:00Z',
  committedAt: '2026-03-01T10:00:00Z',
  parents: [],
});
