import { defineConfig } from 'vitest/config';

// One walk, on programs of this machine: see scripts/cluster.mjs.
export default defineConfig({
  test: {
    include: ['server/src/cluster/*.test.ts'],
    hookTimeout: 300_000,
    testTimeout: 240_000,
    fileParallelism: false,
  },
});
