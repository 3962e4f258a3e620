import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mcpServer } from '@sightline/contract/tools/mcp-servers.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { configuredMcpServers } from './mcp-servers.ts';
import { parseWithComments } from './settings-file.ts';

let userFolder: string;
beforeAll(async () => {
  userFolder = await mkdtemp(join(tmpdir(), 'sightline-mcp-'));
});
afterAll(() => rm(userFolder, { recursive: true }));

const canary = 'canary-secret-4711';
const places = (setting?: unknown) => ({ userFolder, program: 'vscode', setting });

test('reports MCP servers of the user as the server accepts them, without any secret', async () => {
  const content = `{ // Mine
    "servers": {
      "hub": { "command": "npx", "args": ["-y", "@acme/server@1.0.0", "--key=${canary}"], "env": { "KEY": "${canary}" } },
      "web": { "url": "https://mcp.example.com/${canary}?key=${canary}", "headers": { "X-Key": "${canary}" } },
    },
    "inputs": [{ "id": "${canary}" }]
  }`;
  await writeFile(join(userFolder, 'mcp.json'), content);
  const servers = await configuredMcpServers(places({ old: { command: 'uvx', args: ['old-server'] } }));
  expect(servers?.map(({ name, source }) => [name, source])).toEqual([
    ['old', 'pypi:old-server'],
    ['hub', 'npm:@acme/server'],
    ['web', 'https://mcp.example.com'],
  ]);
  for (const server of servers ?? []) expect(mcpServer.safeParse(server).error).toBeUndefined();
  expect(JSON.stringify(servers)).not.toContain(canary);
});

test('reports nothing about a file that cannot be read, instead of no servers', async () => {
  await writeFile(join(userFolder, 'mcp.json'), '{ "servers": ');
  expect(await configuredMcpServers(places())).toBeUndefined();
  await rm(join(userFolder, 'mcp.json'));
  expect(await configuredMcpServers(places())).toEqual([]);
});

test('parses comments and commas, but not in texts', () => {
  expect(parseWithComments('/* a */ {"a": "// b /* c */ ,}", /* d */ "e": [1, 2,],}')).toEqual({
    a: '// b /* c */ ,}',
    e: [1, 2],
  });
  expect(() => parseWithComments('[1]')).toThrow('no object');
});
