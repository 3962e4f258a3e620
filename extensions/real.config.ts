import { defineConfig } from '@playwright/test';

/** The built extensions in real programs, against the product as `npm start` runs it. */
export default defineConfig({
  testDir: '.',
  testMatch: ['editor/real/*.spec.ts', 'browser/real/*.spec.ts'],
  outputDir: '../test-results/real',
  workers: 1,
  timeout: 300_000,
  expect: { timeout: 30_000 },
  // As for the walks through the pages: what passed only then is named as flaky.
  retries: 1,
  reporter: [['list']],
});
