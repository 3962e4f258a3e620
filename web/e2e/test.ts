import { createHash } from 'node:crypto';
import { test as base } from '@playwright/test';
import { type SharedServer, startSharedServer } from './server.ts';

/**
 * `server` is one per worker, for tests that neither restart it nor change installation-wide data; others call
 * `startProduct`. Every file uses this `test`, since a worker restarts for a file with other fixtures.
 */
export const test = base.extend<object, { server: SharedServer }>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright derives the required fixtures from the pattern.
    async ({}, use) => {
      const server = await startSharedServer();
      await use(server);
      await server.stop();
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  // Attempts are limited by address, and files on a shared server must not consume each other's limit.
  // biome-ignore lint/correctness/noEmptyPattern: as above
  extraHTTPHeaders: async ({}, use, { file }) => {
    const [one = 0, two = 0, three = 0] = createHash('sha256').update(file).digest();
    await use({ 'x-forwarded-for': `10.${one}.${two}.${three}` });
  },
});
