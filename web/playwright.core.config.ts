import { defineConfig } from '@playwright/test';
import all from './playwright.config.ts';

/**
 * The tests of `npm test`: each feature once. One test covers accessibility, so the others do not run axe; the full
 * suite runs it on all their screens.
 */
export default defineConfig(all, { grep: /@core/, retries: 1, metadata: { core: true } });
