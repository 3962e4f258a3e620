import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { docGroups } from './order.ts';
import type { DocPage } from './page.ts';
import { type DocFile, renderPages } from './render.ts';

const folder = join(import.meta.dirname, '../../docs');

/** The documentation files, in the order of the table of contents. */
export function docFiles(): DocFile[] {
  const listed = docGroups.flatMap((group) => group.pages.map((name) => ({ ...group, name })));
  const files = listed.map(({ name, title, folder: within }) => {
    const path = `${within}${name}.md`;
    return { name, group: title, path, markdown: readFileSync(join(folder, path), 'utf8') };
  });
  const unlisted = readdirSync(join(folder, 'user')).filter(
    (file) => !files.some(({ path }) => path === `user/${file}`),
  );
  if (unlisted.length > 0) throw new Error(`No place in web/docs/order.ts: ${unlisted.join(', ')}.`);
  return files;
}

export const docPages = (): DocPage[] => renderPages(docFiles());

const moduleName = 'virtual:user-docs';
const resolvedName = `\0${moduleName}`;

/** Provides `virtual:user-docs`: all user documentation pages as HTML. An error in a page fails the build. */
export function userDocs(): Plugin {
  return {
    name: 'user-docs',
    resolveId: (id) => (id === moduleName ? resolvedName : undefined),
    load(id) {
      if (id !== resolvedName) return undefined;
      for (const { path } of docFiles()) this.addWatchFile(join(folder, path));
      return `export const pages = ${JSON.stringify(docPages())};`;
    },
  };
}
