import { chromium, type Page } from '@playwright/test';
import type { BenchServer } from './process.ts';

/** Opens a page in a wide window, signed in as the owner, and closes the browser after `use`. */
export const inBrowser = <Result>(server: BenchServer, use: (page: Page) => Promise<Result>): Promise<Result> =>
  inSignedOutBrowser(async (page) => {
    await signInOwner(page, server);
    return use(page);
  });

/** Opens a page that is not signed in, and closes the browser after `use`. */
export async function inSignedOutBrowser<Result>(use: (page: Page) => Promise<Result>): Promise<Result> {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--enable-precise-memory-info', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  });
  try {
    return await use(await browser.newPage({ viewport: { width: 1440, height: 900 } }));
  } finally {
    await browser.close();
  }
}

/** Signs in the owner on every page that is opened from now on. */
export const signInOwner = (page: Page, { token, orgId, accountId }: BenchServer): Promise<unknown> =>
  page.addInitScript(
    (session) => {
      for (const [key, value] of Object.entries(session)) localStorage.setItem(key, value);
    },
    { accessToken: token, organization: orgId, accountId },
  );

/** Opens the timeline and returns the milliseconds until its first event is visible. */
export async function measureExploreOpening(page: Page, { url }: BenchServer): Promise<number> {
  const started = performance.now();
  await page.goto(`${url}/explore`);
  await page.locator('li[data-event]').first().waitFor();
  return Math.round(performance.now() - started);
}
