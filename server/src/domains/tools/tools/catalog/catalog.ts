import { toolCatalog } from './data.ts';
import type { CatalogEntry, ToolEntry } from './entry.ts';
import { uncatalogedAction, uncatalogedExtension, uncatalogedImage, uncatalogedToolById } from './uncataloged-tools.ts';

type RuleKeys = {
  [Key in keyof CatalogEntry]-?: CatalogEntry[Key] extends readonly string[] | undefined ? Key : never;
};
type RuleKey = Exclude<RuleKeys[keyof RuleKeys], 'categories'>;

const index = (ruleKey: RuleKey, normalize = (name: string) => name.toLowerCase()) =>
  new Map(
    toolCatalog.tools.flatMap((entry) => (entry[ruleKey] ?? []).map((name) => [normalize(name), entry] as const)),
  );

const ids = new Map(toolCatalog.tools.map((entry) => [entry.id, entry]));
const actions = index('actions');
const images = index('images');
const commands = index('commands', (name) => name);
const packages = index('packages');
const orbs = index('orbs');
const tasks = index('tasks');
const hooks = index('hooks');
const extensions = index('extensions');
const hosts = index('hosts');
const files = index('files', (name) => name);

/** Returns a tool by its ID, cataloged or not; undefined for an invalid ID. */
export const findToolEntry = (id: string): ToolEntry | undefined => ids.get(id) ?? uncatalogedToolById(id);

/** Returns a cataloged tool. Throws if the catalog does not contain it. */
export function requireCatalogEntry(id: string): CatalogEntry {
  const entry = ids.get(id);
  if (!entry) throw new Error(`The catalog has no ${id}`);
  return entry;
}

/** Finds the tool of an action or reusable workflow by `owner/name`. */
export const toolOfAction = (name: string): ToolEntry => actions.get(name.toLowerCase()) ?? uncatalogedAction(name);

/** Whether an action is the tool itself, so that their versions are equal; other actions only run a tool. */
export const isActionTheTool = (tool: ToolEntry): boolean =>
  tool.kind === 'ci-action' && ids.get(tool.id)?.commands === undefined;

/** Finds the tool of an image by its name without registry and tag. */
export const catalogedToolOfImage = (name: string): CatalogEntry | undefined => images.get(name.toLowerCase());
export const toolOfImage = (name: string): ToolEntry => catalogedToolOfImage(name) ?? uncatalogedImage(name);

/** Finds a tool by its command in a shell. */
export const toolOfCommand = (name: string): CatalogEntry | undefined => commands.get(name);

/** Finds a tool by its package name. */
export const toolOfPackage = (name: string): CatalogEntry | undefined =>
  packages.get(name.toLowerCase()) ?? commands.get(name);

export const toolOfOrb = (name: string): CatalogEntry | undefined => orbs.get(name.toLowerCase());
export const toolOfTask = (name: string): CatalogEntry | undefined => tasks.get(name.toLowerCase());
export const toolOfHook = (name: string): CatalogEntry | undefined => hooks.get(name.toLowerCase());

/** Finds a tool by the ID of an editor extension; `name` is its display name. */
export const toolOfExtension = (id: string, name = ''): ToolEntry =>
  extensions.get(id.toLowerCase()) ?? uncatalogedExtension(id, name);

/** Finds a tool by its web host or one of its subdomains. */
export function toolOfHost(host: string): CatalogEntry | undefined {
  for (let domain = host.toLowerCase(); domain.includes('.'); domain = domain.slice(domain.indexOf('.') + 1)) {
    const entry = hosts.get(domain);
    if (entry) return entry;
  }
  return undefined;
}

/** Finds a tool by a file of a repository: its name, its entire path, or a top-level folder. */
export function toolOfFile(path: string): CatalogEntry | undefined {
  const parts = path.split('/');
  const folders = parts.slice(0, -1).map((_, depth) => `${parts.slice(0, depth + 1).join('/')}/`);
  const folder = folders.map((one) => files.get(one)).find((entry) => entry !== undefined);
  return files.get(path) ?? files.get(parts.at(-1) ?? '') ?? folder;
}
