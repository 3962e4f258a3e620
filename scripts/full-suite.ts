/** Tests named `*.full.test.ts` are slow and run only in `npm run test:full`, which sets TEST_FULL. */
export const isFullSuite = process.env.TEST_FULL === '1';

/** What a vitest project excludes. */
export const excludedTests = isFullSuite ? [] : ['**/*.full.test.{ts,tsx}'];
