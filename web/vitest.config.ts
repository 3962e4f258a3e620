import { defineProject } from 'vitest/config';
import { timeLimits, vitestTags } from '../scripts/full-suite.ts';
import { userDocs } from './docs/plugin.ts';

export default defineProject({
  plugins: [userDocs()],
  test: {
    name: 'web',
    setupFiles: ['../scripts/properties.ts', '../scripts/sleep-recorder.ts', 'src/testing/setup.ts'],
    // Starting a DOM and importing React takes 3 s of CPU: once per worker instead of once per file.
    isolate: false,
    environment: 'happy-dom',
    include: ['src/**/*.test.{ts,tsx}', 'docs/*.test.ts'],
    tags: vitestTags,
    ...timeLimits,
  },
});
