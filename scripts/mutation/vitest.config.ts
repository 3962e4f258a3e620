import { defineConfig } from 'vitest/config';

/** The tests that run for each mutant: those of the code that both the server and an offline verifier execute. */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['evidence/src/{controls,ledger}/**/*.test.ts'],
    setupFiles: ['scripts/properties.ts'],
    isolate: false,
    // Instrumented code is slow; Stryker ends mutants that loop.
    testTimeout: 60_000,
    experimental: { viteModuleRunner: false, nodeLoader: false },
  },
});
