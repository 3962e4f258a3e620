import type { McpServer } from '@sightline/contract/tools/describe-mcp-servers.ts';
import { toolCatalog } from './data.ts';
import type { ToolCategory, ToolEntry } from './entry.ts';

/** The owner of `owner/name`, as far as known. */
const owners = new Map(Object.entries(toolCatalog.owners));
const publishers = new Map(Object.entries(toolCatalog.extensionPublishers));
const actionCategories = new Map(Object.entries(toolCatalog.actions));

/** An action or reusable workflow that is not in the catalog, by `owner/name` as in the file. */
export function uncatalogedAction(name: string): ToolEntry {
  const id = name.toLowerCase();
  const category = actionCategories.get(id);
  return {
    ...uncatalogedTool('action', name, 'ci-action', `https://github.com/${name}`),
    categories: [category ?? (/\/setup-/.test(id) ? 'Language runtime' : 'Workflow automation')],
  };
}

/** A container image that the catalog does not contain, by its name without tag and without a public registry. */
export const uncatalogedImage = (name: string): ToolEntry => ({
  ...uncatalogedTool('image', name, 'ci-runner', null),
  categories: ['Containers'],
});

/** An editor extension that the catalog does not contain: `publisher.name`. */
export function uncatalogedExtension(extension: string, name: string): ToolEntry {
  const id = extension.toLowerCase();
  const publisher = id.split('.')[0] ?? '';
  return {
    id: `extension:${id}`,
    name: name || extension,
    vendor: publishers.get(publisher) ?? owners.get(publisher)?.vendor ?? extension.split('.')[0] ?? null,
    kind: 'ide-extension',
    categories: ['Editor'],
    icon: null,
    description: '',
    website: `https://marketplace.visualstudio.com/items?itemName=${encodeURIComponent(extension)}`,
  };
}

/** Base URLs of registries of command-line tools. */
const registries = {
  npm: 'https://www.npmjs.com/package/',
  pypi: 'https://pypi.org/project/',
  go: 'https://pkg.go.dev/',
} as const;
export type PackageRegistry = keyof typeof registries;

/** A command-line tool that the catalog does not contain, by its published name. */
export function uncatalogedPackage(registry: PackageRegistry, name: string): ToolEntry {
  const parts = name.replace(/^@/, '').split('/');
  const owner = registry === 'go' ? parts[1] : parts.length > 1 ? parts[0] : undefined;
  const known = owner === undefined ? undefined : owners.get(owner.toLowerCase());
  return {
    id: `${registry}:${name.toLowerCase()}`,
    name,
    kind: 'cli',
    categories: ['Workflow automation'],
    vendor: known?.vendor ?? owner ?? null,
    icon: known?.icon ?? null,
    description: '',
    website: `${registries[registry]}${name}`,
  };
}

/**
 * An MCP server by what it runs, since its author chooses the name. A local program alone does not identify it, so the
 * name is added.
 */
export function toolOfMcpServer({ source, name }: Pick<McpServer, 'source' | 'name'>): ToolEntry {
  const isShared = source.startsWith('command:') || source === 'unknown';
  return mcpServerEntry(isShared ? `${source}:${name.slice(0, 60)}` : source);
}

function mcpServerEntry(source: string): ToolEntry {
  const [, registry = '', name = source] = /^(npm|pypi|docker|command|unknown):(.+)$/.exec(source) ?? [];
  const shown = name.replace(/^https?:\/\//, '');
  const isPackage = registry === 'npm' || registry === 'pypi';
  return {
    id: `mcp:${source}`.slice(0, 240),
    name: shown,
    vendor: isPackage ? uncatalogedPackage(registry, name).vendor : null,
    kind: 'mcp-server',
    categories: ['AI assistant'],
    icon: 'modelcontextprotocol',
    description: '',
    website: isPackage ? uncatalogedPackage(registry, name).website : null,
  };
}

/** An uncataloged tool by its ID; undefined for an invalid ID. */
export function uncatalogedToolById(id: string): ToolEntry | undefined {
  const [, kind, name = ''] = /^(action|image|extension|npm|pypi|go|mcp):(.+)$/.exec(id) ?? [];
  if (kind === 'npm' || kind === 'pypi' || kind === 'go') return uncatalogedPackage(kind, name);
  if (kind === 'action') return uncatalogedAction(name);
  if (kind === 'image') return uncatalogedImage(name);
  if (kind === 'mcp') return mcpServerEntry(name);
  return kind === 'extension' ? uncatalogedExtension(name, '') : undefined;
}

function uncatalogedTool(
  prefix: string,
  name: string,
  kind: ToolEntry['kind'],
  website: string | null,
): Omit<ToolEntry, 'categories'> & { categories: readonly ToolCategory[] } {
  const [first = name] = name.split('/');
  const owner = owners.get(first.toLowerCase());
  const vendor = owner?.vendor ?? (name.includes('/') ? first : null);
  return {
    id: `${prefix}:${name.toLowerCase()}`,
    name,
    vendor,
    kind,
    categories: [],
    icon: owner?.icon ?? null,
    description: '',
    website,
  };
}
