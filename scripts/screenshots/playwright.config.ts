import { defineConfig } from '@playwright/test';

// Not a test, but it uses the time limits of the walks for busy machines.
export default defineConfig({
  testMatch: 'every-screen.spec.ts',
  outputDir: '../../test-results',
  workers: 1,
  timeout: 3_600_000,
  expect: { timeout: 30_000 },
  use: { actionTimeout: 60_000, navigationTimeout: 60_000 },
  reporter: [['list']],
});
