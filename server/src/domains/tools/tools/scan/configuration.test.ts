import { decideAboutTools } from '@sightline/contract/compliance/policies.ts';
import { listAgentConfiguration } from '@sightline/contract/tools/agent-configuration.ts';
import { bob, createRepository } from '@sightline/sandbox/testing/repository.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '#core/ids.ts';
import { type SandboxGithub, startSandboxGithub } from '#providers/github/sandbox.fixture.ts';
import { startTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { webhookHelpers } from '../../../sources/webhooks/deliveries.fixture.ts';
import { queueToolScan } from '../commands.ts';
import { scanRepositoryTools } from './scan.ts';

let story: ReturnType<typeof createRepository>;
let sandbox: SandboxGithub;
let server: TestServer;
let acme: TestOrganization;
let repositoryId: string;

beforeAll(async () => {
  story = createRepository();
  await story.start();
  await story.commit('First', { 'AGENTS.md': 'Be kind.' });
  sandbox = await startSandboxGithub([story.path]);
  server = await startTestServer({ environment: sandbox.environment });
  acme = await server.make.organization();
  repositoryId = await enableOnly(acme, sandbox);
});
afterAll(async () => {
  await server.close();
  await sandbox.close();
  await story.remove();
});

const { inOrg, enableOnly } = webhookHelpers(() => server);
const owner = () => server.as(acme.owner, acme.id);
const scan = async () => {
  await inOrg(acme.id, (tx) => queueToolScan(server.services, tx, acme.id, { repositoryId }));
  await scanRepositoryTools(server.services, { orgId: acme.id, repositoryId });
};
const push = async (message: string, files: Record<string, string>) => {
  const sha = await story.commit(message, files, bob);
  await sandbox.sandbox.refresh();
  return sha;
};

test('lists agent configuration with approval, last change and author, and no secret of it', async () => {
  const secret = 'canary-secret-4711';
  const configuration = (version: string) =>
    JSON.stringify(
      { mcpServers: { hub: { command: 'npx', args: [`@acme/server@${version}`, secret], env: { KEY: secret } } } },
      null,
      2,
    );
  await push('Configure', { '.mcp.json': configuration('1.0.0'), '.codex/config.toml': '[mcp_servers' });
  const changed = await push('Update', { '.mcp.json': configuration('1.1.0') });
  await scan();
  const list = async (query: object = {}) => (await owner()(listAgentConfiguration, { query })).rows;
  const rows = await list({ sort: 'name-asc' });
  expect(rows.map(({ type, path, state, agent }) => [type, path, state, agent])).toEqual([
    ['settings', '.codex/config.toml', 'unreadable', 'openai-codex'],
    ['mcp', '.mcp.json', 'current', 'claude-code'],
    ['instructions', 'AGENTS.md', 'current', 'agents'],
    ['server', '.mcp.json', 'current', 'claude-code'],
  ]);
  const server = rows.find(({ type }) => type === 'server');
  expect(server).toMatchObject({
    tool: { id: 'mcp:npm:@acme/server', name: '@acme/server' },
    server: { name: 'hub', transport: 'stdio', command: 'npx', version: '1.1.0', environment: ['KEY'] },
    source: 'repository',
    approval: { state: 'unreviewed', policy: null },
    lastChange: { commit: changed, author: 'Bob' },
    removedAt: null,
  });
  expect(server?.url).toContain(`/blob/${changed}/.mcp.json`);

  const body = { decision: 'denied' as const, tools: { ids: ['mcp:npm:@acme/server'] }, policyId: null };
  await owner()(decideAboutTools, { body });
  expect((await list({ approvals: ['denied'] })).map(({ server: one }) => one?.name)).toEqual(['hub']);
  expect(await list({ approvals: ['denied'], types: ['mcp'] })).toEqual([]);
  expect((await list({ states: ['unreadable'] })).map(({ path }) => path)).toEqual(['.codex/config.toml']);
  expect((await list({ transports: ['stdio'], agents: ['claude-code'], sources: ['repository'] })).length).toBe(1);
  expect(await list({ transports: ['http'] })).toEqual([]);
  expect((await list({ search: '@acme' })).length).toBe(1);
  expect(await list({ repositories: [newId()] })).toEqual([]);

  await push('Remove the server', { '.mcp.json': '{}' });
  await scan();
  expect((await list({ states: ['removed'] })).map(({ server: one }) => one?.name)).toEqual(['hub']);

  const stored = await inOrg(acme.id, (tx) =>
    tx.query<{ text: string }>({
      name: '',
      text: `select concat((select string_agg(d::text, '') from tool_detection d), (select string_agg(e::text, '') from event e),
               (select string_agg(t::text, '') from tool t)) as text`,
      values: [],
    }),
  );
  expect(stored[0]?.text).toContain('@acme/server');
  expect(stored[0]?.text).not.toContain(secret);
});
