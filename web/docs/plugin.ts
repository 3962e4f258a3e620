import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { docGroups } from './order.ts';
import type { DocPage } from './page.ts';
import { type DocFile, renderPages } from './render.ts';

const folder = join(import.meta.dirname, '../../docs');

/** The files that become pages, in the order of the list of pages. */
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

const asked = 'virtual:user-docs';
const found = `\0${asked}`;

/** Gives `virtual:user-docs`: every page for users, as HTML. A mistake in one of them breaks the build. */
export function userDocs(): Plugin {
  return {
    name: 'user-docs',
    resolveId: (id) => (id === asked ? found : undefined),
    load(id) {
      if (id !== found) return undefined;
      for (const { path } of docFiles()) this.addWatchFile(join(folder, path));
      return `export const pages = ${JSON.stringify(docPages())};`;
    },
  };
}
