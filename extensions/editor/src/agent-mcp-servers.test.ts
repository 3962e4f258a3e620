import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reportTools } from '@sightline/contract/tools/editor-reports.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { agentMcpServers } from './agent-mcp-servers.ts';

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'sightline-agents-'));
  await mkdir(join(home, '.codex'));
  await mkdir(join(home, '.gemini'));
});
afterEach(() => rm(home, { recursive: true }));

const canary = 'canary-secret-4711';
const places = (more: object = {}) => ({
  isAllowed: true,
  home,
  environment: {},
  excludes: () => false,
  ...more,
});
const write = (path: string, content: string) => writeFile(join(home, path), content);
const namesOf = async (given = places()) =>
  Object.fromEntries(
    ((await agentMcpServers(given)) ?? []).map(({ agent, servers }) => [agent, servers.map(({ name }) => name)]),
  );

const server = (name: string) => ({
  [name]: { command: `/opt/${canary}/npx`, args: ['-y', `@acme/${name}`, `--key=${canary}`], env: { KEY: canary } },
});

test('reports the servers of each agent as the server accepts them, without any secret', async () => {
  await write(
    '.claude.json',
    JSON.stringify({
      mcpServers: server('hub'),
      history: [canary],
      projects: {
        [`/home/ada/${canary}`]: { mcpServers: { ...server('local'), ...server('hub') }, history: [canary] },
        '/home/ada/private': { mcpServers: server('hidden') },
      },
    }),
  );
  await write(
    '.codex/config.toml',
    `model = "${canary}"\n[mcp_servers.docs]\nurl = "https://docs.example.com/${canary}"\nbearer_token_env_var = "${canary}"\n`,
  );
  await write('.gemini/settings.json', `{ // ${canary}\n "mcpServers": ${JSON.stringify(server('search'))}, }`);
  const found = await agentMcpServers(places({ excludes: (folder: string) => folder.endsWith('/private') }));
  expect(found?.map(({ agent, servers }) => [agent, servers.map(({ name, source }) => [name, source])])).toEqual([
    [
      'claude-code',
      [
        ['hub', 'npm:@acme/hub'],
        ['local', 'npm:@acme/local'],
      ],
    ],
    ['openai-codex', [['docs', 'https://docs.example.com']]],
    ['gemini-cli', [['search', 'npm:@acme/search']]],
  ]);
  expect(JSON.stringify(found)).not.toContain(canary);
  expect(JSON.stringify(found)).not.toContain('/home/');
  const fields = { deviceId: crypto.randomUUID(), type: 'vscode', version: '1.105.0', tools: [] };
  expect(reportTools.body.safeParse({ ...fields, agentMcpServers: found }).error).toBeUndefined();
});

test('tells agents without servers from agents whose file cannot be read', async () => {
  expect(await namesOf()).toEqual({ 'claude-code': [], 'openai-codex': [], 'gemini-cli': [] });
  await write('.claude.json', '{ "mcpServers": ');
  await write('.codex/config.toml', '[mcp_servers');
  await write('.gemini/settings.json', `{"mcpServers": {}, "x": "${'x'.repeat(256 * 1024)}"}`);
  expect(await namesOf()).toEqual({});
});

test('reads the folders that the variables of the agents name', async () => {
  await write('.codex/.claude.json', JSON.stringify({ mcpServers: server('elsewhere') }));
  await write('.gemini/config.toml', '[mcp_servers.other]\ncommand = "uvx"\nargs = ["other"]\n');
  const environment = { CLAUDE_CONFIG_DIR: join(home, '.codex'), CODEX_HOME: join(home, '.gemini') };
  expect(await namesOf(places({ environment }))).toEqual({
    'claude-code': ['elsewhere'],
    'openai-codex': ['other'],
    'gemini-cli': [],
  });
});

test('reports nothing without the permission of the person', async () => {
  await write('.claude.json', JSON.stringify({ mcpServers: server('hub') }));
  expect(await agentMcpServers(places({ isAllowed: false }))).toBeUndefined();
});
