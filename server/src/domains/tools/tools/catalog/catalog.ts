import { catalog } from './data.ts';
import type { CatalogEntry, ToolEntry } from './entry.ts';
import { strangerAction, strangerById, strangerExtension, strangerImage } from './uncataloged.ts';

type RuleKeys = {
  [Key in keyof CatalogEntry]-?: CatalogEntry[Key] extends readonly string[] | undefined ? Key : never;
};
type RuleKey = Exclude<RuleKeys[keyof RuleKeys], 'categories'>;

const index = (ruleKey: RuleKey, normalize = (name: string) => name.toLowerCase()) =>
  new Map(catalog.tools.flatMap((entry) => (entry[ruleKey] ?? []).map((name) => [normalize(name), entry] as const)));

const ids = new Map(catalog.tools.map((entry) => [entry.id, entry]));
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
export const entryOf = (id: string): ToolEntry | undefined => ids.get(id) ?? strangerById(id);

/** Returns a cataloged tool. Throws if the catalog does not contain it. */
export function known(id: string): CatalogEntry {
  const entry = ids.get(id);
  if (!entry) throw new Error(`The catalog has no ${id}`);
  return entry;
}

/** Finds the tool of an action or reusable workflow by `owner/name`. */
export const byAction = (name: string): ToolEntry => actions.get(name.toLowerCase()) ?? strangerAction(name);

/** Whether an action is the tool itself, so that their versions are equal; other actions only run a tool. */
export const isItselfAction = (tool: ToolEntry): boolean =>
  tool.kind === 'ci-action' && ids.get(tool.id)?.commands === undefined;

/** Finds the tool of an image by its name without registry and tag. */
export const knownImage = (name: string): CatalogEntry | undefined => images.get(name.toLowerCase());
export const byImage = (name: string): ToolEntry => knownImage(name) ?? strangerImage(name);

/** Finds a tool by its command in a shell. */
export const byCommand = (name: string): CatalogEntry | undefined => commands.get(name);

/** Finds a tool by its package name. */
export const byPackage = (name: string): CatalogEntry | undefined =>
  packages.get(name.toLowerCase()) ?? commands.get(name);

export const byOrb = (name: string): CatalogEntry | undefined => orbs.get(name.toLowerCase());
export const byTask = (name: string): CatalogEntry | undefined => tasks.get(name.toLowerCase());
export const byHook = (name: string): CatalogEntry | undefined => hooks.get(name.toLowerCase());

/** Finds a tool by the ID of an editor extension; `name` is its display name. */
export const byExtension = (id: string, name = ''): ToolEntry =>
  extensions.get(id.toLowerCase()) ?? strangerExtension(id, name);

/** Finds a tool by its web host or one of its subdomains. */
export function byHost(host: string): CatalogEntry | undefined {
  for (let domain = host.toLowerCase(); domain.includes('.'); domain = domain.slice(domain.indexOf('.') + 1)) {
    const entry = hosts.get(domain);
    if (entry) return entry;
  }
  return undefined;
}

/** Finds a tool by a file of a repository: its name, its entire path, or a top-level folder. */
export function byFile(path: string): CatalogEntry | undefined {
  const parts = path.split('/');
  const folders = parts.slice(0, -1).map((_, depth) => `${parts.slice(0, depth + 1).join('/')}/`);
  const folder = folders.map((one) => files.get(one)).find((entry) => entry !== undefined);
  return files.get(path) ?? files.get(parts.at(-1) ?? '') ?? folder;
}
