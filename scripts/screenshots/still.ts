import { type BrowserContext, expect, type Page, type Request, type Route } from '@playwright/test';

/** The current time of every screenshot. */
const now = new Date('2026-11-20T10:00:00Z');
const hour = 3_600_000;

/**
 * Fixes the time in all pages of this context: their clock stops, and server times since `began` become the fixed time.
 * Future times stay the same number of hours ahead, and older times are unchanged.
 */
export async function fixTime(context: BrowserContext, began: number): Promise<void> {
  await context.clock.setFixedTime(now);
  const inPicture = (instant: string) => {
    const at = Date.parse(instant);
    if (Number.isNaN(at) || at < began - hour) return instant;
    const ahead = Math.max(0, Math.round((at - Date.now()) / hour)) * hour;
    return new Date(now.getTime() + ahead).toISOString();
  };
  const rewrite = async (route: Route) => {
    // The server closes idle connections, sometimes one that is about to be used.
    const response = await route.fetch({ maxRetries: 3 });
    // The outbox reloads itself, which would interrupt a screenshot.
    const { refresh: _, ...headers } = response.headers();
    const original = await response.text();
    const body = original
      .replace(instants, inPicture)
      .replace(seconds, (_all, day: string, time: string) => {
        const [shown = '', at = ''] = inPicture(`${day}T${time}Z`).split(/[T.Z]/);
        return `${shown} ${at} UTC`;
      })
      // Random values that differ in every run and are not followed.
      .replace(/([?&]token=)[\w-]{20,}/g, '$1invented-for-each-mail')
      .replace(/("proof":")[0-9a-f-]{36}/g, '$100000000-0000-7000-8000-000000000000')
      // The name, keys and root of a ledger.
      .replace(/(\/org\/)[0-9a-f-]{36}(\/\d)/g, '$100000000-0000-7000-8000-000000000000$2')
      .replace(/\+[0-9a-f]{8}\+[\w+/]{44}/g, `+00000000+${'A'.repeat(44)}`)
      .replace(/("root":")[\w+/]{43}=/g, `$1${'A'.repeat(43)}=`);
    await route.fulfill({ response, headers, body });
  };
  // The page may be closed before the response arrives. A pending request must not wait forever.
  await context.route(/\/api\/(v2|account)\/|\/outbox$/, (route) =>
    rewrite(route).catch(() => route.abort().catch(() => undefined)),
  );
}

const instants = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;
/** The format of server-rendered pages. */
const seconds = /(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) UTC/g;

const unanswered = new WeakMap<BrowserContext, Set<Request>>();

/**
 * Tracks the requests of this context for `settled`. The network idle event of the browser does not suffice: it can
 * miss the end of a response that was rewritten.
 */
export function followRequests(context: BrowserContext): void {
  const open = new Set<Request>();
  unanswered.set(context, open);
  context.on('request', (request) => open.add(request));
  context.on('response', (response) => open.delete(response.request()));
  context.on('requestfailed', (request) => open.delete(request));
}

/** Waits until fonts are loaded, no requests are pending, and nothing is loading. */
export async function waitUntilSettled(page: Page): Promise<void> {
  await page.waitForLoadState('load');
  const open = unanswered.get(page.context()) ?? [];
  await expect(async () => {
    // A response often causes another request.
    for (let quiet = 0; quiet < 5; quiet++) {
      expect(Array.from(open, (request) => request.url())).toEqual([]);
      await page.waitForTimeout(100);
    }
  }).toPass({ timeout: 60_000 });
  await page.evaluate('document.fonts.ready.then(() => undefined)');
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
}

/** Takes screenshots until two in a row are equal: floating elements reach their position a few frames later. */
export async function takeStableScreenshot(page: Page): Promise<Buffer> {
  const shoot = () => page.screenshot({ animations: 'disabled', caret: 'hide' });
  let before = await shoot();
  for (let again = 0; again < 10; again++) {
    const after = await shoot();
    if (after.equals(before)) return after;
    before = after;
  }
  throw new Error(`${page.url()} does not come to rest.`);
}
