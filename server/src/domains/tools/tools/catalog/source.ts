import { readdirSync, readFileSync } from 'node:fs';
import { toolKinds } from '@sightline/contract/tools/tools.ts';
import { parse } from 'yaml';
import { z } from 'zod';
import { type CatalogEntry, toolCategories } from './entry.ts';

/** What `catalog.json` contains: the YAML files of this folder in one document. */
export interface CatalogData {
  /** By ID. */
  readonly tools: readonly CatalogEntry[];
  /** Owners of actions, images and packages in lower case, with their vendor. */
  readonly owners: Readonly<Record<string, { readonly vendor: string; readonly icon: string | null }>>;
  /** Vendors of publishers of editor extensions. */
  readonly extensionPublishers: Readonly<Record<string, string>>;
  /** Categories of actions that are not a tool of their own. */
  readonly actions: Readonly<Record<string, CatalogEntry['categories'][number]>>;
}

const names = z.array(z.string().min(1)).min(1).optional();
const tool = z.strictObject({
  id: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
  name: z.string().min(1),
  kind: z.enum(toolKinds),
  categories: z.array(z.enum(toolCategories)).min(1),
  icon: z.string().nullable(),
  website: z.url({ protocol: /^https$/ }),
  description: z.string().regex(/^[\p{Lu}\d].*\.$/u),
  actions: names,
  images: names,
  commands: names,
  packages: names,
  files: names,
  orbs: names,
  tasks: names,
  hooks: names,
  extensions: names,
  hosts: names,
});
const vendorFile = z.strictObject({ vendor: z.string().min(1), tools: z.array(tool).min(1) });
const ownersFile = z.record(
  z.string().regex(/^[a-z0-9._-]+$/),
  z.strictObject({ vendor: z.string().min(1), icon: z.string().nullable() }),
);
const publishersFile = z.record(z.string(), z.string().min(1));
const actionsFile = z.partialRecord(z.enum(toolCategories), z.array(z.string().regex(/^[a-z0-9-]+\/[a-z0-9._-]+$/)));

const folder = new URL('./', import.meta.url);
const read = <Schema extends z.ZodType>(file: string, schema: Schema): z.infer<Schema> => {
  const result = schema.safeParse(parse(readFileSync(new URL(file, folder), 'utf8')));
  if (!result.success) throw new Error(`${file}: ${z.prettifyError(result.error)}`);
  return result.data;
};

/** Reads and checks the YAML files. Throws with file and field if one does not match the schema. */
export function readCatalogSource(): CatalogData {
  const files = readdirSync(new URL('vendors/', folder)).filter((file) => file.endsWith('.yaml'));
  return {
    tools: files
      .flatMap((file) => {
        const { vendor, tools } = read(`vendors/${file}`, vendorFile);
        return tools.map((one) => ({ ...one, vendor }));
      })
      .sort((a, b) => (a.id < b.id ? -1 : 1)),
    owners: read('owners.yaml', ownersFile),
    extensionPublishers: read('extension-publishers.yaml', publishersFile),
    actions: Object.fromEntries(
      Object.entries(read('actions.yaml', actionsFile)).flatMap(([category, actions]) =>
        actions.map((action) => [action, category as CatalogEntry['categories'][number]] as const),
      ),
    ),
  };
}

/** The text of `catalog.json`: one line per tool, so that changes are readable. */
export const serializeCatalog = ({ tools, ...rest }: CatalogData): string =>
  `{"tools":[\n${tools.map((one) => JSON.stringify(one)).join(',\n')}\n],\n${Object.entries(rest)
    .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
    .join(',\n')}}\n`;
