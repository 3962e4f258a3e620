import { createHash } from 'node:crypto';
import { test as base } from '@playwright/test';
import { type SharedServer, startSharedServer } from './server.ts';

/**
 * `server` is one per worker, for tests that neither restart it nor change what is the whole installation's; others
 * call `startProduct`. Every file takes this `test`, since a worker ends where the next file knows other fixtures.
 */
export const test = base.extend<object, { server: SharedServer }>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from it which fixtures this one needs.
    async ({}, use) => {
      const server = await startSharedServer();
      await use(server);
      await server.stop();
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  // Attempts are limited by address: files that share a server must not use up what others may.
  // biome-ignore lint/correctness/noEmptyPattern: as above
  extraHTTPHeaders: async ({}, use, { file }) => {
    const [one = 0, two = 0, three = 0] = createHash('sha256').update(file).digest();
    await use({ 'x-forwarded-for': `10.${one}.${two}.${three}` });
  },
});
