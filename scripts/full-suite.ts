/** Tests named `*.full.test.ts` are slow and run only in `npm run test:full`, which sets TEST_FULL. */
export const isFullSuite = process.env.TEST_FULL === '1';

/** What a vitest project excludes. */
export const excludedTests = isFullSuite ? [] : ['**/*.full.test.{ts,tsx}'];

/**
 * All of `items` in the full suite. Elsewhere `count` of them, other ones for each `turn`, so that a test with many turns
 * takes each item about as often.
 */
export function sampleUnlessFull<Item>(items: readonly Item[], count: number, turn: number): readonly Item[] {
  if (isFullSuite || items.length <= count) return items;
  return Array.from({ length: count }, (_, index) => items[(turn * count + index) % items.length] as Item);
}
