import { chromium, type Page } from '@playwright/test';
import type { BenchServer } from './process.ts';

/** Opens a page of a wide window that is signed in as the owner, and closes its browser after `use`. */
export const inBrowser = <Result>(server: BenchServer, use: (page: Page) => Promise<Result>): Promise<Result> =>
  asStranger(async (page) => {
    await beOwner(page, server);
    return use(page);
  });

/** The same with a page of nobody. */
export async function asStranger<Result>(use: (page: Page) => Promise<Result>): Promise<Result> {
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

/** From the next page that is opened on, it is the owner's. */
export const beOwner = (page: Page, { token, orgId, accountId }: BenchServer): Promise<unknown> =>
  page.addInitScript(
    (session) => {
      for (const [key, value] of Object.entries(session)) localStorage.setItem(key, value);
    },
    { accessToken: token, organization: orgId, accountId },
  );

/** Opens the timeline and answers the milliseconds until its first event stands on the screen. */
export async function openExplore(page: Page, { url }: BenchServer): Promise<number> {
  const started = performance.now();
  await page.goto(`${url}/explore`);
  await page.locator('li[data-event]').first().waitFor();
  return Math.round(performance.now() - started);
}
