import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const declared = (css: string): [name: string, value: string][] =>
  [...css.matchAll(/^ {2}--([\w-]+):\s*([^;]+);/gm)].map(([, name = '', value = '']) => [name, value]);

test('uses the colors of the web app on pages without script', () => {
  const tokens = new Map(declared(read('../../../web/src/app/tokens.css')));
  const colors = declared(read('../core/pages/files/pages.css')).filter(([, value]) => value.includes('light-dark('));
  expect(colors.length).toBeGreaterThan(10);
  for (const [name, value] of colors) expect([name, value]).toEqual([name, tokens.get(`ui-${name}`)]);
});

test.each(['accent', 'accent-hover', 'danger-fill'])(
  'keeps white text on %s readable in light and dark mode',
  (name) => {
    const tokens = new Map(declared(read('../../../web/src/app/tokens.css')));
    const colors = [...(tokens.get(`ui-${name}`) ?? '').matchAll(/#([0-9a-f]{6})/g)].map(([, hex = '']) => hex);
    expect(colors).toHaveLength(2);
    // WCAG 2.2, 1.4.3
    for (const color of colors) expect((luminance('ffffff') + 0.05) / (luminance(color) + 0.05)).toBeGreaterThan(4.5);
  },
);

/** Returns the relative luminance (WCAG) of a hexadecimal color. */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [0, 2, 4]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
