import { defineProject } from 'vitest/config';

export default defineProject({
  test: {
    name: 'web',
    setupFiles: ['../scripts/properties.ts'],
    environment: 'happy-dom',
    include: ['src/**/*.test.{ts,tsx}'],
    testTimeout: 30_000,
  },
});
