import { type ConfigurationFile, configurationFileOf } from '#core/agent-configuration/files.ts';
import { readConfiguration } from '#core/agent-configuration/read.ts';
import { requireCatalogEntry, toolOfFile } from '../catalog/catalog.ts';
import type { ToolEntry } from '../catalog/entry.ts';
import { toolOfMcpServer } from '../catalog/uncataloged-tools.ts';
import { type DetectedConfiguration, MAX_TEXT_LENGTH, type ToolReference } from './detection.ts';

/**
 * The references of an agent configuration file: the file itself, and each MCP server in it. `content` is null if the
 * file is too large. A file that cannot be read is a reference too.
 */
export function configurationMentions(path: string, content: string | null): ToolReference[] {
  const file = configurationFileOf(path);
  if (!file) return [];
  const { agent, kind, servers: format } = file;
  const reading =
    format === undefined
      ? { servers: [] }
      : content === null
        ? { problem: 'too_large' as const }
        : content.includes('\0')
          ? { problem: 'malformed' as const }
          : readConfiguration(format, content);
  const problem = 'problem' in reading ? reading.problem : null;
  const servers = 'servers' in reading ? reading.servers : [];
  const ofFile: DetectedConfiguration = { agent, kind, problem, server: null };
  return [
    {
      tool: toolOfFile(path) ?? toolOfAgent(file),
      line: null,
      text: path.slice(-MAX_TEXT_LENGTH),
      version: null,
      configuration: ofFile,
    },
    ...servers.map(
      ({ line, ...server }): ToolReference => ({
        tool: toolOfMcpServer(server),
        line,
        text: `${server.name}: ${server.command ?? server.source}`.slice(0, MAX_TEXT_LENGTH),
        version: server.version,
        configuration: { agent, kind, problem: null, server },
      }),
    ),
  ];
}

const catalogIds: Partial<Record<ConfigurationFile['agent'], string>> = {
  agents: 'agents-md',
  'gemini-cli': 'gemini-code-assist',
  'vs-code': 'mcp',
};

const toolOfAgent = ({ agent }: ConfigurationFile): ToolEntry => requireCatalogEntry(catalogIds[agent] ?? agent);
