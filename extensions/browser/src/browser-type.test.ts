import { expect, it } from 'vitest';
import { browserTypeOf } from './browser-type.ts';

it.each([
  [['Chromium', 'Google Chrome', 'Not?A_Brand'], 'chrome', 'chrome'],
  [['Chromium', 'Microsoft Edge'], 'chrome', 'edge'],
  [['Brave', 'Chromium'], 'chrome', 'brave'],
  [['Opera', 'Chromium'], 'chrome', 'opera'],
  [[], 'firefox', 'firefox'],
  [['Chromium'], 'opera', 'opera'],
])('resolves %j with the package for %s to %s', (brands, build, type) => {
  expect(
    browserTypeOf(
      brands.map((brand) => ({ brand })),
      build,
    ),
  ).toBe(type);
});
