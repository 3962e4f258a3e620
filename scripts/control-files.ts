import { readdir } from 'node:fs/promises';

const folder = new URL('../evidence/src/controls/', import.meta.url);

/** Families in report order; a new one comes before the last two, which protect the others. */
const families = ['chg', 'scn', 'vul', 'exc', 'tol', 'cov', 'acc', 'ai'];
const lastFamilies = ['log', 'dig'];

const written = '// Written by npm run controls.\n';
const nameOf = (file: string): string => file.replace('-', '');
const idOf = (file: string): string => `'${file.toUpperCase()}'`;

/** Lists the files of controls without `.ts`, in report order. */
async function listControls(): Promise<string[]> {
  const files = (await readdir(folder)).flatMap((file) => /^([a-z]+-\d\d)\.ts$/.exec(file)?.[1] ?? []).toSorted();
  const familyOf = (file: string) => file.split('-')[0] ?? '';
  const others = files.map(familyOf).filter((family) => ![...families, ...lastFamilies].includes(family));
  const order = [...families, ...new Set(others), ...lastFamilies];
  return files.toSorted((a, b) => order.indexOf(familyOf(a)) - order.indexOf(familyOf(b)));
}

/** Returns the lists of controls that `npm run controls` writes, by path. */
export async function controlFiles(): Promise<Record<string, string>> {
  const files = await listControls();
  const imports = (line: (file: string) => string) => files.toSorted().map(line);
  const entries = files.map((file) => `  ${idOf(file)}: ${nameOf(file)},`);
  return {
    'contract/src/core/control-ids.ts': `${written}import { z } from 'zod';

/** The IDs of all controls, in report order. \`evidence/\` defines and evaluates them. */
export const controlIds = [
${files.map((file) => `  ${idOf(file)},`).join('\n')}
] as const;
export const controlId = z.enum(controlIds);
export type ControlId = z.infer<typeof controlId>;
`,
    'evidence/src/controls/control-list.ts': `${written}${imports((file) => `import { ${nameOf(file)} } from './${file}.ts';`).join('\n')}

/** All controls by ID, in report order. LOG-01 and DIG-01 protect the others and are part of every report. */
export const controls = {
${entries.join('\n')}
} as const;
`,
    'server/src/domains/compliance/controls/populations/index.ts': `${written}import type { ControlId, RowOf } from '@sightline/evidence/controls/catalog.ts';
${[
  ...imports((file) => `import { population as ${nameOf(file)} } from './${file}.ts';`),
  "import type { Population } from './population.ts';",
]
  .toSorted((a, b) => ((a.split("'")[1] ?? '') < (b.split("'")[1] ?? '') ? -1 : 1))
  .join('\n')}

/** The populations of all controls. */
export const populations: { readonly [Id in ControlId]: Population<RowOf<Id>> } = {
${entries.join('\n')}
};
`,
  };
}
