import type { Page } from '@playwright/test';

/** How far the row in the middle of the window moves at most, in pixels and in any frame, while `work` goes on. */
export async function shiftDuring(page: Page, work: () => Promise<void>): Promise<number> {
  await page.evaluate(`{
    const row = document.elementFromPoint(innerWidth / 2, innerHeight / 2).closest('li[data-key]');
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
