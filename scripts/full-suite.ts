/** `npm run test:full` sets TEST_FULL. */
export const isFullSuite = process.env.TEST_FULL === '1';

/** The tags that tests of every Vitest project may have. */
export const testTags = [{ name: 'full', description: 'Runs in npm run test:full and not in npm test' }];

/**
 * Milliseconds for hooks, tests and conditions of every Vitest project. Two workers share the machine with a browser and a server:
 * the limits end tests that hang and leave slow ones alone.
 */
export const timeLimits = { hookTimeout: 120_000, testTimeout: 60_000, expect: { poll: { timeout: 20_000 } } };

/**
 * All of `items` in the full suite. Elsewhere `count` of them, other ones for each `turn`, so that a test with many turns
 * takes each item about as often.
 */
export function sampleUnlessFull<Item>(items: readonly Item[], count: number, turn: number): readonly Item[] {
  if (isFullSuite || items.length <= count) return items;
  return Array.from({ length: count }, (_, index) => items[(turn * count + index) % items.length] as Item);
}
