import { defineConfig } from '@playwright/test';
import all from './playwright.config.ts';

/**
 * The tests that `npm test` runs: each feature once. Accessibility has a test of its own here, so that the walks do not
 * run axe; the full suite runs it on every screen they come to.
 */
export default defineConfig(all, { grep: /@core/, retries: 1, metadata: { core: true } });
