import { defineConfig } from 'vitest/config';
import { timeLimits, vitestTags } from '../../scripts/full-suite.ts';

export default defineConfig({
  define: { 'import.meta.env.BROWSER': JSON.stringify('chrome') },
  resolve: { alias: { 'wxt/browser': new URL('src/testing/browser.ts', import.meta.url).pathname } },
  oxc: { jsx: { importSource: 'preact' } },
  test: {
    name: 'browser-extension',
    setupFiles: ['../../scripts/sleep-recorder.ts'],
    include: ['src/**/*.test.{ts,tsx}'],
    tags: vitestTags,
    ...timeLimits,
  },
});
