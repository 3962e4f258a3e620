import type { Page } from '@playwright/test';

/**
 * The cumulative layout shift of the page as measured by the browser, from its navigation until half a second without a
 * shift.
 */
export const layoutShift = (page: Page): Promise<number> =>
  page.evaluate<number>(`new Promise((resolve) => {
    let sum = 0;
    let timer;
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(() => resolve(sum), 500);
    };
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) sum += value;
      wait();
    }).observe({ type: 'layout-shift', buffered: true });
    wait();
  })`);

const middle = `[0, 12, 24, 36].map((down) =>
  document.elementFromPoint(innerWidth / 2, innerHeight / 2 + down)?.closest('li[data-key]')).find((row) => row)`;

/** The maximum shift in pixels of the row in the middle of the window, in any frame during `work`. */
export async function shiftDuring(page: Page, work: () => Promise<void>): Promise<number> {
  // Rows are rendered a frame after the scroll. Between two rows there is none.
  await page.waitForFunction(middle);
  await page.evaluate(`{
    const row = ${middle};
    const { key } = row.dataset;
    const start = row.getBoundingClientRect().top;
    const watch = { on: true, most: 0 };
    globalThis.shift = watch;
    const read = () => {
      const now = document.querySelector('li[data-key="' + CSS.escape(key) + '"]');
      const moved = now ? now.getBoundingClientRect().top - start : Infinity;
      watch.most = Math.max(watch.most, Math.abs(moved));
    };
    // Runs after the page's observers, between animation callbacks and painting, so it measures painted positions.
    const look = () => {
      const observer = new ResizeObserver(() => {
        observer.disconnect();
        read();
      });
      observer.observe(document.body);
      if (watch.on) requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  }`);
  await work();
  // Includes late adjustments.
  await page.evaluate(`new Promise((resolve) => {
    let frames = 30;
    const next = () => (frames-- > 0 ? requestAnimationFrame(next) : resolve());
    next();
  })`);
  return page.evaluate<number>('shift.on = false, shift.most');
}
