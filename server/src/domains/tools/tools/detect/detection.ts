import type { ConfigurationProblem, ConfiguredAgent } from '@sightline/contract/tools/agent-configuration.ts';
import type { McpServer } from '@sightline/contract/tools/describe-mcp-servers.ts';
import type { ToolSource } from '@sightline/contract/tools/tools.ts';
import type { ConfigurationKind } from '#core/agent-configuration/files.ts';
import type { ToolEntry } from '../catalog/entry.ts';

/** What an agent configuration file says: of the file itself, or of one MCP server in it. */
export interface DetectedConfiguration {
  agent: ConfiguredAgent;
  kind: ConfigurationKind;
  /** Why the file could not be read; null if it was, or names no MCP servers. */
  problem: ConfigurationProblem | null;
  /** Null: the file itself. */
  server: McpServer | null;
}

/** A reference to a tool in a file. */
export interface Detection {
  tool: ToolEntry;
  /** Counted from 1; null for the entire file. */
  line: number | null;
  /** The text in the file, without potential secrets. */
  text: string;
  version: string | null;
  source: ToolSource;
  configuration?: DetectedConfiguration;
}

/** A reference that a detector found; the caller adds the source. */
export type ToolReference = Omit<Detection, 'source'>;

export const MAX_TEXT_LENGTH = 200;

/** Returns one reference per tool and line, preferably one with a version. */
export function distinctReferences<Item extends ToolReference>(mentions: readonly Item[]): Item[] {
  const byLine = new Map<string, Item>();
  for (const mention of mentions) {
    const key = `${mention.tool.id}\n${mention.line}`;
    const other = byLine.get(key);
    if (!other || (other.version === null && mention.version !== null)) byLine.set(key, mention);
  }
  return [...byLine.values()];
}
