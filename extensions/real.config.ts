import { defineConfig } from '@playwright/test';

/** Tests the built extensions in real programs, against the product as started by `npm start`. */
export default defineConfig({
  testDir: '.',
  testMatch: ['editor/real/*.spec.ts', 'browser/real/*.spec.ts', 'mcp/real/*.spec.ts'],
  outputDir: '../test-results/real',
  workers: 1,
  timeout: 300_000,
  expect: { timeout: 30_000 },
  // As in the end-to-end tests: a test that passes only on a retry is reported as flaky.
  retries: 1,
  reporter: [['list']],
});
