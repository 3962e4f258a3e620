import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { configurationFileOf } from './files.ts';
import { readConfiguration } from './read.ts';

const canaries = {
  variable: 'canary-variable-4711',
  header: 'canary-header-4711',
  argument: 'canary-argument-4711',
  user: 'canary-user-4711',
  path: 'canary-path-4711',
  query: 'canary-query-4711',
};

const read = (path: string, content: string) => {
  const format = configurationFileOf(path)?.servers;
  if (!format) throw new Error(`${path} has no servers`);
  const reading = readConfiguration(format, content);
  if ('problem' in reading) throw new Error(reading.problem);
  return reading.servers;
};

const json = `{
  // The servers of the team
  "mcpServers": {
    "github": {
      "command": "docker",
      "args": ["run", "-i", "--rm", "-e", "TOKEN=${canaries.argument}", "ghcr.io/github/github-mcp-server:v0.5", "--key", "${canaries.argument}"],
      "env": { "GITHUB_TOKEN": "${canaries.variable}" },
    },
    "linear": { "type": "http", "url": "https://${canaries.user}:x@mcp.linear.app/${canaries.path}/mcp?key=${canaries.query}", "headers": { "Authorization": "Bearer ${canaries.header}" } },
    "old": { "type": "sse", "url": "https://sse.example.com:8443/${canaries.path}" },
    "files": { "command": "API_KEY=${canaries.variable} npx -y @modelcontextprotocol/server-filesystem@2025.1 /home/${canaries.path}" },
    "local": { "command": "/opt/${canaries.path}/bin/server.exe", "args": ["--token=${canaries.argument}"] },
    "strange": { "command": "${canaries.argument} $(x)", "env": ["KEY=${canaries.variable}"] },
  },
}`;

const toml = `
[mcp_servers.docs]
command = "uvx"
args = ["--from", "docs-server==1.4", "serve", "${canaries.argument}"]
env = { API_KEY = "${canaries.variable}" }

[mcp_servers."remote one"]
url = "https://mcp.example.com/${canaries.path}"
bearer_token = "${canaries.header}"
http_headers = { "X-Key" = "${canaries.header}" }
`;

const frontMatter = `---
name: reviewer
mcp-servers:
  tracker:
    type: local
    command: npx
    args: ['tracker-mcp', '${canaries.argument}']
    env: { TRACKER: ${canaries.variable} }
---
Text with mcpServers: {}
`;

describe('an agent configuration', () => {
  test('lists what each MCP server runs, with names of variables and headers', () => {
    const servers = read('.mcp.json', json);
    expect(
      servers.map(({ name, transport, source, command, version, line }) => [
        name,
        transport,
        source,
        command,
        version,
        line,
      ]),
    ).toEqual([
      ['github', 'stdio', 'docker:ghcr.io/github/github-mcp-server', 'docker', 'v0.5', 4],
      ['linear', 'http', 'https://mcp.linear.app', null, null, 9],
      ['old', 'sse', 'https://sse.example.com:8443', null, null, 10],
      ['files', 'stdio', 'npm:@modelcontextprotocol/server-filesystem', 'npx', '2025.1', 11],
      ['local', 'stdio', 'command:server', 'server', null, 12],
      ['strange', 'stdio', 'command:sh', 'sh', null, 13],
    ]);
    expect(servers[0]?.environment).toEqual(['GITHUB_TOKEN']);
    expect(servers[1]?.headers).toEqual(['Authorization']);
    expect(read('.codex/config.toml', toml)).toMatchObject([
      { name: 'docs', source: 'pypi:docs-server', version: '1.4', environment: ['API_KEY'], line: 2 },
      { name: 'remote one', transport: 'http', source: 'https://mcp.example.com', headers: ['X-Key'], line: 7 },
    ]);
    expect(read('.github/agents/reviewer.md', frontMatter)).toMatchObject([
      { name: 'tracker', source: 'npm:tracker-mcp', environment: ['TRACKER'] },
    ]);
  });

  test('keeps no value of a variable, header, argument or address', () => {
    const kept = JSON.stringify([
      read('.mcp.json', json),
      read('.codex/config.toml', toml),
      read('.github/agents/reviewer.md', frontMatter),
    ]);
    for (const canary of Object.values(canaries)) expect(kept).not.toContain(canary);
  });

  test('without servers is empty, and text of any other shape is malformed', () => {
    const format = { syntax: 'json', keys: ['mcpServers'] } as const;
    expect(readConfiguration(format, '{}')).toEqual({ servers: [] });
    expect(readConfiguration(format, '{"mcpServers": null}')).toEqual({ servers: [] });
    expect(readConfiguration(format, '{"mcpServers": []}')).toEqual({ problem: 'malformed' });
    expect(readConfiguration(format, 'text')).toEqual({ problem: 'malformed' });
    expect(readConfiguration({ syntax: 'front-matter', keys: ['mcp-servers'] }, '# No front matter')).toEqual({
      servers: [],
    });
  });

  test('that nests deeper than any real file is malformed', () => {
    const nested = (depth: number) =>
      `{"mcpServers":{"a":{"command":"x","deep":${'['.repeat(depth)}${']'.repeat(depth)}}}}`;
    expect(read('.mcp.json', nested(100))).toMatchObject([{ name: 'a' }]);
    expect(readConfiguration({ syntax: 'json', keys: ['mcpServers'] }, nested(500))).toEqual({ problem: 'malformed' });
  });

  test('of any content is read or has a problem, and at most 200 servers', () => {
    const names = fc.array(fc.string(), { maxLength: 400 });
    fc.assert(
      fc.property(fc.constantFrom('json', 'toml', 'front-matter'), fc.string({ maxLength: 400 }), (syntax, content) => {
        readConfiguration({ syntax, keys: ['mcpServers'] }, content);
      }),
    );
    fc.assert(
      fc.property(names, fc.jsonValue(), (keys, value) => {
        const content = JSON.stringify({
          mcpServers: Object.fromEntries(keys.map((key) => [key, { command: 'x', ...(value as object) }])),
        });
        const reading = readConfiguration({ syntax: 'json', keys: ['mcpServers'] }, content);
        if ('servers' in reading) expect(reading.servers.length).toBeLessThanOrEqual(200);
      }),
    );
  });
});
