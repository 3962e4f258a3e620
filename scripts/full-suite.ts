/** `npm run test:full` sets TEST_FULL. */
export const isFullSuite = process.env.TEST_FULL === '1';

/** The tags that tests of every Vitest project may have. */
export const vitestTags = [{ name: 'full', description: 'Runs in npm run test:full and not in npm test' }];

/**
 * Time limits in milliseconds for hooks, tests and conditions of every Vitest project. Two workers share the machine
 * with a browser and a server: the limits end tests that hang, and slow ones pass. `npm run fuzz` runs each property ten
 * times as often.
 */
export const timeLimits = {
  hookTimeout: 120_000,
  testTimeout: process.env.FUZZ_SEED ? 600_000 : 60_000,
  expect: { poll: { timeout: 20_000 } },
};

/**
 * Returns all of `items` in the full suite. Otherwise it returns `count` of them, different ones for each `turn`, so
 * that a test with many turns uses each item about equally often.
 */
export function sampleUnlessFull<Item>(items: readonly Item[], count: number, turn: number): readonly Item[] {
  if (isFullSuite || items.length <= count) return items;
  return Array.from({ length: count }, (_, index) => items[(turn * count + index) % items.length] as Item);
}
