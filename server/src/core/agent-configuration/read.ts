import type { ConfigurationProblem } from '@sightline/contract/tools/agent-configuration.ts';
import { describeMcpServers, type McpServer } from '@sightline/contract/tools/describe-mcp-servers.ts';
import JSON5 from 'json5';
import { parse as parseToml } from 'smol-toml';
import { parse as parseYaml } from 'yaml';
import type { ServerFormat } from './files.ts';

/** Larger files are not read. */
export const MAX_CONFIGURATION_BYTES = 256 * 1024;
// A parser may recurse for each level.
const MAX_DEPTH = 200;

/** The MCP servers of a configuration file, or why it could not be read. */
export type ConfigurationReading = { servers: ReadServer[] } | { problem: ConfigurationProblem };
export interface ReadServer extends McpServer {
  /** The line with its name, from 1; null if it was not found. */
  line: number | null;
}

/** Reads the MCP servers of an agent configuration file. Never throws, for any content. */
export function readConfiguration({ syntax, keys }: ServerFormat, content: string): ConfigurationReading {
  if (content.length > MAX_CONFIGURATION_BYTES) return { problem: 'too_large' };
  if (isTooDeep(content)) return { problem: 'malformed' };
  try {
    const root = parsers[syntax](content);
    if (root === null) return { servers: [] };
    if (typeof root !== 'object' || Array.isArray(root)) return { problem: 'malformed' };
    const key = keys.find((one) => Object.hasOwn(root, one));
    const found = key === undefined ? undefined : (root as Record<string, unknown>)[key];
    if (found === undefined || found === null) return { servers: [] };
    if (typeof found !== 'object' || Array.isArray(found)) return { problem: 'malformed' };
    const lines = content.split('\n');
    return { servers: describeMcpServers(found).map((server) => ({ ...server, line: lineOf(lines, server.name) })) };
  } catch {
    return { problem: 'malformed' };
  }
}

const parsers: Readonly<Record<ServerFormat['syntax'], (content: string) => unknown>> = {
  // Comments and trailing commas are common in these files. An empty file configures nothing.
  json: (content) => (content.trim() === '' ? null : JSON5.parse(content.replace(/^\uFEFF/, ''))),
  toml: (content) => parseToml(content),
  'front-matter': (content) => {
    const [, head] = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(content) ?? [];
    return head === undefined ? null : parseYaml(head, { maxAliasCount: 100, logLevel: 'silent' });
  },
};

/** Whether brackets outside of texts nest deeper than any real file. Brackets in texts count, which only rejects more. */
function isTooDeep(content: string): boolean {
  let depth = 0;
  for (const letter of content) {
    if (letter === '{' || letter === '[') depth += 1;
    else if (letter === '}' || letter === ']') depth -= 1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

/** The first line that names a server as a key of an object or table. */
function lineOf(lines: readonly string[], name: string): number | null {
  const forms = [`"${name}"`, `'${name}'`, name];
  const index = lines.findIndex((line) => {
    const text = line.trim();
    return (
      forms.some((form) => text.startsWith('[') && text.endsWith(`.${form}]`)) ||
      forms.some((form) => isKey(text, form))
    );
  });
  return index === -1 ? null : index + 1;
}

/** Whether a text is a key in a line: `"name": …` or `name = …`. */
function isKey(line: string, text: string): boolean {
  const at = line.indexOf(text);
  if (at === -1 || (at > 0 && !/[\s{,]/.test(line[at - 1] ?? ''))) return false;
  return /^\s*[:=]/.test(line.slice(at + text.length));
}
