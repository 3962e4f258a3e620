import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'server',
          include: ['server/src/**/*.test.ts'],
          globalSetup: ['server/src/testing/global-setup.ts'],
          hookTimeout: 60_000,
          testTimeout: 30_000,
          // The server is imported once for each worker and not for each file, which would take longer than the tests.
          isolate: false,
        },
      },
      { test: { name: 'contract', include: ['contract/src/**/*.test.ts'], testTimeout: 30_000 } },
      { test: { name: 'sandbox', include: ['sandbox/src/**/*.test.ts'], testTimeout: 30_000 } },
      {
        test: {
          name: 'extensions',
          include: ['extensions/{telemetry,editor}/src/**/*.test.ts'],
          testTimeout: 30_000,
        },
      },
      'extensions/browser',
      'web',
    ],
  },
});
