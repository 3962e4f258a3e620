import { createAccessKey } from '@sightline/contract/identity/access-keys.ts';
import { getAgentSession, listAgentSessions } from '@sightline/contract/tools/agent-sessions.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestRepository } from '#testing/findings.ts';
import { startTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { runInProcess } from './testing/in-process.ts';

let server: TestServer;
let org: TestOrganization;
let environment: Record<string, string>;
beforeAll(async () => {
  server = await startTestServer();
  org = await server.make.organization();
  await createTestRepository(server, org, 'api');
  const body = { name: 'CI', use: 'telemetry' } as const;
  const { key } = await server.as(org.owner, org.id)(createAccessKey, { body });
  environment = { PATH: process.env.PATH ?? '', GIT_DIR: '/', SIGHTLINE_URL: server.url, SIGHTLINE_KEY: key };
});
afterAll(() => server?.close());

const sha = 'a1'.repeat(20);
const attach = (args: string[], env: Record<string, string> = {}) =>
  runInProcess(['agent-session', 'attach', ...args], { ...environment, ...env });
const github = {
  GITHUB_SERVER_URL: 'https://github.com',
  GITHUB_REPOSITORY: 'acme/api',
  GITHUB_REF: 'refs/heads/fix',
  GITHUB_SHA: sha,
  GITHUB_RUN_ID: '77',
};

test('attaches a session to the commit and page of a build, once', async () => {
  for (const _ of [1, 2]) {
    const { code, out } = await attach(['s-1', '--agent', 'claude-code'], github);
    const page = 'https://github.com/acme/api/actions/runs/77';
    expect([code, out]).toEqual([
      0,
      `Claude Code session s-1 is attached to ${sha.slice(0, 12)} and the build ${page}.\n`,
    ]);
  }
  const ask = server.as(org.owner, org.id);
  const { rows } = await ask(listAgentSessions, { query: {} });
  expect(rows).toMatchObject([{ vendorSessionId: 's-1', branch: 'fix' }]);
  const session = await ask(getAgentSession, { params: { sessionId: rows[0]?.id ?? '' } });
  expect(session).toMatchObject({ commits: [sha], builds: ['https://github.com/acme/api/actions/runs/77'] });
});

test('keeps no credentials and no query of the URLs', async () => {
  const build = 'https://ci:secret@ci.example.org/builds/1?token=secret#secret';
  const repository = 'https://user:secret@github.com/acme/api.git';
  const given = ['--agent', 'codex', '--commit', sha, '--branch', 'fix', '--build', build, '--repository', repository];
  expect((await attach(['s-2', ...given])).code).toBe(0);
  const ask = server.as(org.owner, org.id);
  const { rows } = await ask(listAgentSessions, { query: { agent: ['codex'] } });
  const detail = await ask(getAgentSession, { params: { sessionId: rows[0]?.id ?? '' } });
  expect(detail.builds).toEqual(['https://ci.example.org/builds/1']);
  expect(JSON.stringify(detail)).not.toContain('secret');
});

test.each([
  [['s', '--agent', 'clippy', '--commit', sha], '--agent must be one of'],
  [['s', '--agent', 'codex'], '--commit must be the full SHA'],
  [['s', '--agent', 'codex', '--commit', 'abc'], '--commit must be the full SHA'],
  [['a b', '--agent', 'codex', '--commit', sha], 'SESSION must be the ID'],
  [['s', '--agent', 'codex', '--commit', sha, '--key', 'wrong'], 'The access key is not valid'],
])('refuses %j', async (args, complaint) => {
  const refused = await attach(args);
  expect([refused.code, refused.complaint]).toEqual([1, expect.stringContaining(complaint)]);
});
