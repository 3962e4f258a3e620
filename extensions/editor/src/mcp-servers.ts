import { homedir } from 'node:os';
import { join } from 'node:path';
import { describeMcpServers, MAX_MCP_SERVERS, type McpServer } from '@sightline/contract/tools/describe-mcp-servers.ts';
import { parseWithComments, readObject } from './settings-file.ts';

/** Where the MCP servers of a user are configured, beside repositories. */
export interface McpPlaces {
  /** The folder of the user's settings. */
  userFolder: string;
  program: string;
  /** The setting `mcp.servers`, which earlier versions of VS Code read. */
  setting: unknown;
}

/**
 * The MCP servers that are configured for the user of this editor. Only names and what runs leave this function: no
 * arguments, and no values of variables and headers. Undefined if a file cannot be read.
 */
export async function configuredMcpServers({
  userFolder,
  program,
  setting,
}: McpPlaces): Promise<McpServer[] | undefined> {
  const files: (readonly [path: string, key: string])[] = [
    [join(userFolder, 'mcp.json'), 'servers'],
    ...(program === 'cursor' ? [[join(homedir(), '.cursor', 'mcp.json'), 'mcpServers'] as const] : []),
  ];
  try {
    const read = await Promise.all(
      files.map(async ([path, key]) => describeMcpServers((await readObject(path, parseWithComments))[key])),
    );
    return distinctServers([...describeMcpServers(setting), ...read.flat()]);
  } catch {
    return undefined;
  }
}

/** Each server once, by name and what runs. */
export const distinctServers = (servers: readonly McpServer[]): McpServer[] =>
  [...new Map(servers.map((server) => [JSON.stringify([server.name, server.source]), server])).values()].slice(
    0,
    MAX_MCP_SERVERS,
  );
