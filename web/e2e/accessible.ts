import { expect, type Page } from '@playwright/test';
import axe, { type RunOptions } from 'axe-core';

export const wide = { width: 1440, height: 900 };
export const narrow = { width: 390, height: 844 };
const smallest = { width: 320, height: 640 };

const softly = expect.configure({ soft: true });

const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const coloured = ['color-contrast', 'link-in-text-block'];
const everything: RunOptions = { runOnly: standards };
const inColours: RunOptions = { runOnly: { type: 'rule', values: coloured } };
const inPlaces: RunOptions = {
  runOnly: standards,
  rules: Object.fromEntries(coloured.map((rule) => [rule, { enabled: false }])),
};

/**
 * What is on the page breaks no rule, in both sizes and both themes, and needs no scrolling sideways at 320 pixels.
 * Nothing is loaded again: what is open stays open while the window changes its size and the system its theme.
 */
export async function expectAccessible(page: Page, name: string, sizes = [wide, narrow]): Promise<void> {
  for (const [place, size] of sizes.entries()) {
    await page.setViewportSize(size);
    if (place > 0) await standsStill(page);
    // Sizes differ in where things stand, themes in colours: each is looked at for what it changes.
    const themes = place === 0 ? (['light', 'dark'] as const) : (['light'] as const);
    for (const theme of themes) {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
      const rules = theme === 'dark' ? inColours : place === 0 ? everything : inPlaces;
      const found = await violations(page, rules, theme);
      expect.soft(found, `${name} at ${size.width}, ${theme}`).toEqual([]);
    }
  }
  await page.setViewportSize(smallest);
  // What floats finds its new place a frame later.
  await softly
    .poll(() => page.locator('html').evaluate((root) => root.scrollWidth - root.clientWidth), {
      message: `${name} at ${smallest.width}, pixels to the side`,
    })
    .toBe(0);
  await page.setViewportSize(sizes[0] ?? wide);
}

interface Placed {
  getBoundingClientRect: () => { top: number };
}

/** What measures itself has found its place: nothing grew or shrank from one frame to the next, a few times in a row. */
const standsStill = (page: Page): Promise<void> =>
  page.locator('html').evaluate(async (html) => {
    const { requestAnimationFrame } = html.ownerDocument.defaultView;
    const rows = (): Iterable<Placed> => html.querySelectorAll('main li, main tr');
    const sizes = () => Array.from(rows(), (row) => row.getBoundingClientRect().top);
    for (let still = 0, before = ''; still < 3; ) {
      await new Promise(requestAnimationFrame);
      const now = sizes().join();
      still = now === before ? still + 1 : 0;
      before = now;
    }
  });

async function violations(page: Page, rules: RunOptions, theme: string): Promise<string[]> {
  const loaded = await page.locator('html').evaluate((html) => 'axe' in html.ownerDocument.defaultView);
  if (!loaded) await page.evaluate(axe.source);
  return page.locator('html').evaluate(
    async (html, { rules, theme }) => {
      const window = html.ownerDocument.defaultView;
      const { run } = window.axe as typeof axe;
      // The app follows the system a moment later.
      while ((html.dataset.mantineColorScheme ?? theme) !== theme) await new Promise(window.requestAnimationFrame);
      // Only what is wrong is told: putting the rest into words takes longer than looking.
      const { violations } = await run({ ...rules, resultTypes: ['violations'], preload: false });
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
    },
    { rules, theme },
  );
}
