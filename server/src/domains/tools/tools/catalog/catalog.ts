import { catalog } from './data.ts';
import type { CatalogEntry, ToolEntry } from './entry.ts';
import { strangerAction, strangerById, strangerExtension, strangerImage } from './uncataloged.ts';

type Marks = {
  [Key in keyof CatalogEntry]-?: CatalogEntry[Key] extends readonly string[] | undefined ? Key : never;
};
type Mark = Exclude<Marks[keyof Marks], 'categories'>;

const index = (mark: Mark, written = (name: string) => name.toLowerCase()) =>
  new Map(catalog.tools.flatMap((entry) => (entry[mark] ?? []).map((name) => [written(name), entry] as const)));

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

/** A tool by its id, whether we know it or it is a stranger; undefined for an id of neither kind. */
export const entryOf = (id: string): ToolEntry | undefined => ids.get(id) ?? strangerById(id);

/** A tool that must be there. */
export function known(id: string): CatalogEntry {
  const entry = ids.get(id);
  if (!entry) throw new Error(`The catalog has no ${id}`);
  return entry;
}

/** By `owner/name` of an action or reusable workflow. */
export const byAction = (name: string): ToolEntry => actions.get(name.toLowerCase()) ?? strangerAction(name);

/** Whether an action is the tool itself, so that its version is the tool's; others only run a tool. */
export const isItselfAction = (tool: ToolEntry): boolean =>
  tool.kind === 'ci-action' && ids.get(tool.id)?.commands === undefined;

/** By an image's name without registry and tag. */
export const knownImage = (name: string): CatalogEntry | undefined => images.get(name.toLowerCase());
export const byImage = (name: string): ToolEntry => knownImage(name) ?? strangerImage(name);

/** By the word that stands at the place of a command. */
export const byCommand = (name: string): CatalogEntry | undefined => commands.get(name);

/** By the name under which an installer knows it. */
export const byPackage = (name: string): CatalogEntry | undefined =>
  packages.get(name.toLowerCase()) ?? commands.get(name);

export const byOrb = (name: string): CatalogEntry | undefined => orbs.get(name.toLowerCase());
export const byTask = (name: string): CatalogEntry | undefined => tasks.get(name.toLowerCase());
export const byHook = (name: string): CatalogEntry | undefined => hooks.get(name.toLowerCase());

/** By the id of an editor extension; `name` is what the editor calls it. */
export const byExtension = (id: string, name = ''): ToolEntry =>
  extensions.get(id.toLowerCase()) ?? strangerExtension(id, name);

/** By a web host or one below it. */
export function byHost(host: string): CatalogEntry | undefined {
  for (let rest = host.toLowerCase(); rest.includes('.'); rest = rest.slice(rest.indexOf('.') + 1)) {
    const entry = hosts.get(rest);
    if (entry) return entry;
  }
  return undefined;
}

/** By a file of a repository: its name anywhere, its whole path, or the folder at the top that it lies in. */
export function byFile(path: string): CatalogEntry | undefined {
  const parts = path.split('/');
  const folders = parts.slice(0, -1).map((_, depth) => `${parts.slice(0, depth + 1).join('/')}/`);
  const folder = folders.map((one) => files.get(one)).find((entry) => entry !== undefined);
  return files.get(path) ?? files.get(parts.at(-1) ?? '') ?? folder;
}
