import { join } from 'node:path';
import { describeMcpServers, type McpServer } from '@sightline/contract/tools/describe-mcp-servers.ts';
import type { UserConfiguredAgent } from '@sightline/contract/tools/user-configured-agents.ts';
import { parse as parseToml } from 'smol-toml';
import { distinctServers } from './mcp-servers.ts';
import { isObject, parseWithComments, readObject } from './settings-file.ts';

// Claude Code writes the state of each of its projects into the same file.
const mostBytesOfClaude = 16 * 1024 * 1024;

/** Where the settings of agents are. */
export interface AgentPlaces {
  /** Whether the person allowed to read files of other programs. */
  isAllowed: boolean;
  home: string;
  /** The variables of the editor, which may name other folders. */
  environment: Readonly<Record<string, string | undefined>>;
  /** Whether nothing about a folder is recorded. */
  excludes: (folder: string) => boolean;
}

export interface AgentMcpServers {
  agent: UserConfiguredAgent;
  servers: McpServer[];
}

/**
 * The MCP servers that agents configure for this user. Only names and what runs leave this function: no arguments, no
 * paths, and no values of variables and headers. An agent whose file cannot be read is left out. Undefined if the
 * person did not allow it; then no file is opened.
 */
export async function agentMcpServers(places: AgentPlaces): Promise<AgentMcpServers[] | undefined> {
  if (!places.isAllowed) return undefined;
  const read = await Promise.all(
    readers.map(async ([agent, serversOf]) => {
      try {
        return [{ agent, servers: distinctServers(await serversOf(places)) }];
      } catch {
        return [];
      }
    }),
  );
  return read.flat();
}

const readers: readonly (readonly [UserConfiguredAgent, (places: AgentPlaces) => Promise<McpServer[]>])[] = [
  [
    'claude-code',
    async ({ home, environment, excludes }) => {
      const path = join(environment.CLAUDE_CONFIG_DIR || home, '.claude.json');
      const { mcpServers, projects } = await readObject(path, parseWithComments, mostBytesOfClaude);
      const own = isObject(projects) ? Object.entries(projects).filter(([folder]) => !excludes(folder)) : [];
      return [mcpServers, ...own.map(([, project]) => (isObject(project) ? project.mcpServers : undefined))].flatMap(
        describeMcpServers,
      );
    },
  ],
  [
    'openai-codex',
    async ({ home, environment }) => {
      const path = join(environment.CODEX_HOME || join(home, '.codex'), 'config.toml');
      return describeMcpServers((await readObject(path, parseToml)).mcp_servers);
    },
  ],
  [
    'gemini-cli',
    async ({ home }) =>
      describeMcpServers((await readObject(join(home, '.gemini', 'settings.json'), parseWithComments)).mcpServers),
  ],
];
