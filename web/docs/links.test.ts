import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectableHosts } from '@sightline/contract/core/providers.ts';
import { expect, test } from 'vitest';
import { docPages } from './plugin.ts';

const src = join(import.meta.dirname, '../src');
const pages = new Map(docPages().map((page) => [page.name, page]));
const sources = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
  .map((file) => ({ file, text: readFileSync(join(src, file), 'utf8') }));

/** The pages of code hosts without an app, which integrations and the type of names derive. */
const hostPages = connectableHosts.map((host) => `integrations-${host}`);

const links = sources.flatMap(({ file, text }) =>
  [...text.matchAll(/docsHref\(\s*'([^']+)'(?:,\s*'([^']+)')?,?\s*\)/g)].map(([, page = '', anchor]) => ({
    file,
    page,
    anchor,
  })),
);

test('resolves every documentation link of a screen to a page and heading', () => {
  const broken = links.filter(({ page, anchor }) => {
    const headings = pages.get(page)?.headings;
    return !headings || (anchor !== undefined && !headings.some(({ id }) => id === anchor));
  });
  expect(broken).toEqual([]);
});

test('makes every page available as a link target', () => {
  const names = readFileSync(join(src, 'lib/docs.ts'), 'utf8').matchAll(/\| '([^']+)'/g);
  expect([...[...names].map(([, name]) => name), ...hostPages].sort()).toEqual([...pages.keys()].sort());
});

test('links to every user documentation page from a screen', () => {
  const reached = new Set([...links.map(({ page }) => page), ...hostPages]);
  const alone = [...pages.values()].filter(
    ({ name, group }) => group !== 'In depth' && name !== 'api' && !reached.has(name),
  );
  expect(alone.map(({ name }) => name)).toEqual([]);
});

test('starts every user documentation page with one sentence about its purpose', () => {
  for (const { name, group, purpose } of pages.values()) {
    if (group === 'In depth') continue;
    expect(purpose, name).toMatch(/^This page (?:(?!\. [A-Z]).)*\.$/);
  }
});
