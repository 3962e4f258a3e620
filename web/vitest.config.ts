import { defineProject } from 'vitest/config';
import { userDocs } from './docs/plugin.ts';

export default defineProject({
  plugins: [userDocs()],
  test: {
    name: 'web',
    setupFiles: ['../scripts/properties.ts'],
    environment: 'happy-dom',
    include: ['src/**/*.test.{ts,tsx}', 'docs/*.test.ts'],
    testTimeout: 30_000,
  },
});
