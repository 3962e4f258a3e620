import type { Page } from '@playwright/test';

/**
 * The cumulative layout shift of what is open, by the browser's own measure, from the beginning of its address until nothing moves
 * for half a second.
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

/** How far the row in the middle of the window moves at most, in pixels and in any frame, while `work` goes on. */
export async function shiftDuring(page: Page, work: () => Promise<void>): Promise<number> {
  // Rows are drawn a frame after the window moved, and between two of them there is none.
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
    // After the page's own observers, which run between a frame's callbacks and its painting: what is painted counts.
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
  // What still settles counts too.
  await page.evaluate(`new Promise((resolve) => {
    let frames = 30;
    const next = () => (frames-- > 0 ? requestAnimationFrame(next) : resolve());
    next();
  })`);
  return page.evaluate<number>('shift.on = false, shift.most');
}
