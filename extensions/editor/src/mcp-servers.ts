import { readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describeMcpServers, MAX_MCP_SERVERS, type McpServer } from '@sightline/contract/tools/describe-mcp-servers.ts';

const mostBytes = 256 * 1024;

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
    const read = await Promise.all(files.map(async ([path, key]) => describeMcpServers((await objectIn(path))[key])));
    const all = [...describeMcpServers(setting), ...read.flat()];
    return [...new Map(all.map((server) => [JSON.stringify([server.name, server.source]), server])).values()].slice(
      0,
      MAX_MCP_SERVERS,
    );
  } catch {
    return undefined;
  }
}

/** The object in a file; empty without the file. Throws for any other content. */
async function objectIn(path: string): Promise<Record<string, unknown>> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error;
  });
  if (!found) return {};
  if (found.size > mostBytes) throw new Error('The file is too large');
  return parseWithComments(await readFile(path, 'utf8'));
}

const textOrComment = /"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;
const textOrTrailingComma = /"(?:[^"\\\n]|\\.)*"|,(?=\s*[}\]])/g;

/** Parses JSON with comments and trailing commas. Throws for anything else than an object. */
export function parseWithComments(text: string): Record<string, unknown> {
  const keepTexts = (found: string) => (found.startsWith('"') ? found : ' ');
  const plain = text
    .replace(/^\uFEFF/, '')
    .replace(textOrComment, keepTexts)
    .replace(textOrTrailingComma, keepTexts);
  if (plain.trim() === '') return {};
  const value: unknown = JSON.parse(plain);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('The file has no object');
  return value as Record<string, unknown>;
}
