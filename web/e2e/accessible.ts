import { expect, type Page } from '@playwright/test';
import axe from 'axe-core';

const wide = { width: 1440, height: 900 };
export const narrow = { width: 390, height: 844 };
const smallest = { width: 320, height: 640 };

const softly = expect.configure({ soft: true });

const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const coloured = ['color-contrast', 'link-in-text-block'];

/**
 * What is on the page breaks no rule, in both sizes and both themes, and needs no scrolling sideways at 320 pixels.
 * Nothing is loaded again: what is open stays open while the window changes its size and the system its theme.
 */
export async function expectAccessible(page: Page, name: string, sizes = [wide, narrow]): Promise<void> {
  for (const size of sizes) {
    await page.setViewportSize(size);
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
      // The themes differ in colours only.
      const found = await violations(page, theme === 'light' ? { tags: standards } : { rules: coloured }, theme);
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

type Rules = { tags: string[] } | { rules: string[] };

async function violations(page: Page, asked: Rules, theme: string): Promise<string[]> {
  const loaded = await page.locator('html').evaluate((html) => 'axe' in html.ownerDocument.defaultView);
  if (!loaded) await page.evaluate(axe.source);
  const runOnly = 'tags' in asked ? asked.tags : { type: 'rule' as const, values: asked.rules };
  return page.locator('html').evaluate(
    async (html, { runOnly, theme }) => {
      const window = html.ownerDocument.defaultView;
      const { run } = window.axe as typeof axe;
      // The app follows the system a moment later.
      while ((html.dataset.mantineColorScheme ?? theme) !== theme) await new Promise(window.requestAnimationFrame);
      // Only what is wrong is told: putting the rest into words takes longer than looking.
      const { violations } = await run({ runOnly, resultTypes: ['violations'], preload: false });
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
    },
    { runOnly, theme },
  );
}
