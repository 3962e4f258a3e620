import { defineConfig } from 'vitest/config';

// One walk, on programs of this machine: see scripts/cluster.mjs.
export default defineConfig({
  test: {
    include: ['server/src/cluster/*.spec.ts'],
    hookTimeout: 180_000,
    testTimeout: 120_000,
    fileParallelism: false,
  },
});
