import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const declared = (css: string): [name: string, value: string][] =>
  [...css.matchAll(/^ {2}--([\w-]+):\s*([^;]+);/gm)].map(([, name = '', value = '']) => [name, value]);

test('the pages without script wear the colours of the web app', () => {
  const tokens = new Map(declared(read('../../../web/src/app/tokens.css')));
  const colours = declared(read('../core/pages/files/pages.css')).filter(([, value]) => value.includes('light-dark('));
  expect(colours.length).toBeGreaterThan(10);
  for (const [name, value] of colours) expect([name, value]).toEqual([name, tokens.get(`ui-${name}`)]);
});
