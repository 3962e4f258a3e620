import { test } from '@playwright/test';

/**
 * Skips the tests of this file or group unless `isThere`. Fails if `npm run clients` could install the missing program.
 */
export function skipUnless(isThere: boolean, needs: string): void {
  if (!isThere && process.env.CLIENTS_REQUIRED === '1') throw new Error(`Missing on this machine: ${needs}`);
  test.skip(!isThere, `Missing on this machine: ${needs}`);
}
