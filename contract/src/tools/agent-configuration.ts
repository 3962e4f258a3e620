import { z } from 'zod';
import { csvExportOf } from '../core/csv-export.ts';
import { endpoint } from '../core/endpoint.ts';
import { pagedQuery } from '../core/paging.ts';
import { commaList, timestamp } from '../core/text.ts';
import { mcpTransports } from './describe-mcp-servers.ts';
import { mcpServer } from './mcp-servers.ts';
import { toolApprovals } from './tools.ts';

/** The agents whose configuration is known. */
export const configuredAgents = [
  'claude-code',
  'cursor',
  'github-copilot',
  'openai-codex',
  'gemini-cli',
  'vs-code',
  'agents',
] as const;
export type ConfiguredAgent = (typeof configuredAgents)[number];
export const configuredAgentNames: Readonly<Record<ConfiguredAgent, string>> = {
  'claude-code': 'Claude Code',
  cursor: 'Cursor',
  'github-copilot': 'GitHub Copilot',
  'openai-codex': 'Codex',
  'gemini-cli': 'Gemini CLI',
  'vs-code': 'VS Code',
  agents: 'Any agent',
};

/** An MCP server, or a file without being one of its servers. */
export const configurationTypes = ['server', 'mcp', 'settings', 'instructions'] as const;
export type ConfigurationType = (typeof configurationTypes)[number];
export const configurationTypeNames: Readonly<Record<ConfigurationType, string>> = {
  server: 'MCP server',
  mcp: 'MCP servers (file)',
  settings: 'Settings (file)',
  instructions: 'Instructions (file)',
};

/** Why a file could not be read. */
export const configurationProblems = ['too_large', 'malformed'] as const;
export type ConfigurationProblem = (typeof configurationProblems)[number];

export const configurationStates = ['current', 'removed', 'unreadable'] as const;
export type ConfigurationState = (typeof configurationStates)[number];
export const configurationStateNames: Readonly<Record<ConfigurationState, string>> = {
  current: 'In use',
  removed: 'Removed',
  unreadable: 'Could not be read',
};

const person = z.object({ id: z.string(), name: z.string(), picture: z.string().nullable() });

export const configurationItem = z.object({
  id: z.string(),
  type: z.enum(configurationTypes),
  agent: z.enum(configuredAgents),
  /** The tool of the inventory: the server, or what the file configures. */
  tool: z.object({ id: z.string(), name: z.string(), icon: z.string().nullable() }),
  /** Null: the item is a file. */
  server: mcpServer.nullable(),
  state: z.enum(configurationStates),
  problem: z.enum(configurationProblems).nullable(),
  /** Where it is: a file of a repository, or the editor of a person, who is null if the reader may not see them. */
  source: z.enum(['repository', 'editor']),
  repository: z.object({ id: z.string(), provider: z.string(), fullName: z.string() }).nullable(),
  path: z.string().nullable(),
  line: z.number().nullable(),
  url: z.string().nullable(),
  person: person.nullable(),
  /** Whose user settings contain it: the editor that reported it, such as `vscode`, or the agent. */
  program: z.string().nullable(),
  approval: z.object({
    state: z.enum(toolApprovals),
    policy: z.object({ id: z.string(), name: z.string(), version: z.number() }).nullable(),
  }),
  firstSeen: timestamp,
  lastSeen: timestamp,
  removedAt: timestamp.nullable(),
  /** The last change: of a file by commit and author, of an editor when its report changed. Null: unknown. */
  lastChange: z
    .object({
      at: timestamp,
      /** Null: the reader may not see the author, or the code host does not tell. */
      author: z.string().nullable(),
      commit: z.string().nullable(),
    })
    .nullable(),
});
export type ConfigurationItem = z.infer<typeof configurationItem>;

const reader = { scope: 'organization', permission: 'read:events' } as const;

export const listAgentConfiguration = endpoint({
  method: 'GET',
  path: '/v2/agent-configuration',
  summary: 'Lists the configuration of coding agents in repositories and editors: files and MCP servers.',
  ...reader,
  query: pagedQuery(['date-desc', 'date-asc', 'name-asc', 'name-desc', 'changed-desc', 'changed-asc'], {
    types: commaList(z.enum(configurationTypes)),
    agents: commaList(z.enum(configuredAgents)),
    transports: commaList(z.enum(mcpTransports)),
    approvals: commaList(z.enum(toolApprovals)),
    states: commaList(z.enum(configurationStates)),
    sources: commaList(z.enum(['repository', 'editor'])),
    repositories: commaList(z.uuid()),
  }),
  topics: ['orgTools', 'orgPolicies'],
  response: z.array(configurationItem),
  paged: true,
});
export const exportAgentConfiguration = csvExportOf(listAgentConfiguration);
export type AgentConfigurationQuery = z.output<typeof listAgentConfiguration.query>;
