import type { ConfiguredAgent } from '@sightline/contract/tools/agent-configuration.ts';

export type ConfigurationKind = 'mcp' | 'settings' | 'instructions';

/** How the MCP servers of a file are found. */
export interface ServerFormat {
  syntax: 'json' | 'toml' | 'front-matter';
  /** The property with the servers; the first that exists. */
  keys: readonly string[];
}

/** One kind of agent configuration file. */
export interface ConfigurationFile {
  agent: ConfiguredAgent;
  kind: ConfigurationKind;
  /** Undefined: the file names no MCP servers and is not read. */
  servers?: ServerFormat;
}

const json = (...keys: string[]): ServerFormat => ({ syntax: 'json', keys });
const frontMatter: ServerFormat = { syntax: 'front-matter', keys: ['mcp-servers', 'mcpServers'] };

// The first pattern that matches applies.
const files: readonly (readonly [pattern: RegExp, file: ConfigurationFile])[] = [
  [/(^|\/)\.mcp\.json$/, { agent: 'claude-code', kind: 'mcp', servers: json('mcpServers') }],
  [/(^|\/)\.cursor\/mcp\.json$/, { agent: 'cursor', kind: 'mcp', servers: json('mcpServers') }],
  [/(^|\/)\.vscode\/mcp\.json$/, { agent: 'vs-code', kind: 'mcp', servers: json('servers') }],
  [
    /(^|\/)\.claude\/settings(\.local)?\.json$/,
    { agent: 'claude-code', kind: 'settings', servers: json('mcpServers') },
  ],
  [
    /(^|\/)\.codex\/config\.toml$/,
    { agent: 'openai-codex', kind: 'settings', servers: { syntax: 'toml', keys: ['mcp_servers'] } },
  ],
  [/(^|\/)\.gemini\/settings\.json$/, { agent: 'gemini-cli', kind: 'settings', servers: json('mcpServers') }],
  [/^\.github\/agents\/[^/]+\.md$/, { agent: 'github-copilot', kind: 'instructions', servers: frontMatter }],
  [/(^|\/)\.claude\/agents\/[^/]+\.md$/, { agent: 'claude-code', kind: 'instructions', servers: frontMatter }],
  [/(^|\/)\.cursor\/(?!mcp\.json$)[^/]+\.json$/, { agent: 'cursor', kind: 'settings' }],
  [/(^|\/)AGENTS(\.override)?\.md$/, { agent: 'agents', kind: 'instructions' }],
  [/(^|\/)CLAUDE(\.local)?\.md$/, { agent: 'claude-code', kind: 'instructions' }],
  [/(^|\/)GEMINI\.md$/, { agent: 'gemini-cli', kind: 'instructions' }],
  [/(^|\/)\.cursorrules$|(^|\/)\.cursor\/.+\.(md|mdc)$/, { agent: 'cursor', kind: 'instructions' }],
  [/(^|\/)\.claude\/.+\.md$/, { agent: 'claude-code', kind: 'instructions' }],
  [/(^|\/)\.codex\/.+\.(md|toml)$/, { agent: 'openai-codex', kind: 'instructions' }],
  [/(^|\/)\.gemini\/.+\.(md|toml)$/, { agent: 'gemini-cli', kind: 'instructions' }],
  [
    /^\.github\/(copilot-instructions\.md|(instructions|prompts|chatmodes)\/.+\.md)$/,
    { agent: 'github-copilot', kind: 'instructions' },
  ],
];

/** The kind of an agent configuration file by its path; undefined for any other file. */
export const configurationFileOf = (path: string): ConfigurationFile | undefined =>
  files.find(([pattern]) => pattern.test(path))?.[1];
