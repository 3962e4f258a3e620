import { type BrowserContext, expect, type Page, type Request, type Route } from '@playwright/test';

/** What every picture shows as now. */
const now = new Date('2026-11-20T10:00:00Z');
const hour = 3_600_000;

/**
 * Pages of this context show one and the same moment in every run: their clock stands still, and what the server says of the time
 * since `began` happened just then. What is to come keeps its distance, in whole hours; what is long past stays as it is.
 */
export async function holdStill(context: BrowserContext, began: number): Promise<void> {
  await context.clock.setFixedTime(now);
  const inPicture = (instant: string) => {
    const at = Date.parse(instant);
    if (Number.isNaN(at) || at < began - hour) return instant;
    const ahead = Math.max(0, Math.round((at - Date.now()) / hour)) * hour;
    return new Date(now.getTime() + ahead).toISOString();
  };
  const rewrite = async (route: Route) => {
    // The server ends connections that were idle for a while, at times the one that is about to be used.
    const response = await route.fetch({ maxRetries: 3 });
    // The outbox loads itself anew, which would take the page away from under the picture.
    const { refresh: _, ...headers } = response.headers();
    const said = await response.text();
    const body = said
      .replace(instants, inPicture)
      .replace(seconds, (_all, day: string, time: string) => {
        const [shown = '', at = ''] = inPicture(`${day}T${time}Z`).split(/[T.Z]/);
        return `${shown} ${at} UTC`;
      })
      // What is invented anew in every run, and leads nowhere from where it is shown.
      .replace(/([?&]token=)[\w-]{20,}/g, '$1invented-for-each-mail')
      .replace(/("proof":")[0-9a-f-]{36}/g, '$100000000-0000-7000-8000-000000000000')
      // The name of a ledger, its keys and its root.
      .replace(/(\/org\/)[0-9a-f-]{36}(\/\d)/g, '$100000000-0000-7000-8000-000000000000$2')
      .replace(/\+[0-9a-f]{8}\+[\w+/]{44}/g, `+00000000+${'A'.repeat(44)}`)
      .replace(/("root":")[\w+/]{43}=/g, `$1${'A'.repeat(43)}=`);
    await route.fulfill({ response, headers, body });
  };
  // The page may have left before the answer came; one that still waits must not wait for ever.
  await context.route(/\/api\/(v2|account)\/|\/outbox$/, (route) =>
    rewrite(route).catch(() => route.abort().catch(() => undefined)),
  );
}

const instants = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;
/** As the pages that the server draws itself say it. */
const seconds = /(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) UTC/g;

const unanswered = new WeakMap<BrowserContext, Set<Request>>();

/**
 * Follows what pages of this context ask, for `settled`. The browser's own word for a network at rest does not do: of an
 * answer that was rewritten on its way it does not always hear the end.
 */
export function followRequests(context: BrowserContext): void {
  const open = new Set<Request>();
  unanswered.set(context, open);
  context.on('request', (request) => open.add(request));
  context.on('response', (response) => open.delete(response.request()));
  context.on('requestfailed', (request) => open.delete(request));
}

/** Fonts are there, nothing is asked of the server any more, and what moved has come to rest. */
export async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('load');
  const open = unanswered.get(page.context()) ?? [];
  await expect(async () => {
    // An answer often leads to the next question.
    for (let quiet = 0; quiet < 5; quiet++) {
      expect(Array.from(open, (request) => request.url())).toEqual([]);
      await page.waitForTimeout(100);
    }
  }).toPass({ timeout: 60_000 });
  await page.evaluate('document.fonts.ready.then(() => undefined)');
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
}

/** What is seen once it looks the same twice in a row: what floats finds its place a few frames later. */
export async function stillPicture(page: Page): Promise<Buffer> {
  const shoot = () => page.screenshot({ animations: 'disabled', caret: 'hide' });
  let before = await shoot();
  for (let again = 0; again < 10; again++) {
    const after = await shoot();
    if (after.equals(before)) return after;
    before = after;
  }
  throw new Error(`${page.url()} does not come to rest.`);
}
