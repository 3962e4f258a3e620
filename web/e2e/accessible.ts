import { expect, type Page, test } from '@playwright/test';
import axe, { type ElementContext, type RunOptions } from 'axe-core';

export const wide = { width: 1440, height: 900 };
export const narrow = { width: 390, height: 844 };
const smallest = { width: 320, height: 640 };

const softly = expect.configure({ soft: true });

const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const everything: RunOptions = { runOnly: standards };
const only = (...values: string[]): RunOptions => ({ runOnly: { type: 'rule', values } });
/** A theme changes colors and nothing else: names, roles and structure are the same elements. */
const whatThemesChange = only('color-contrast', 'link-in-text-block');
/**
 * A width changes by CSS alone where things are, how large they are and whether they are shown: no component draws other
 * elements for it. What is shown in narrow windows only is the button of the navigation and its drawer, on which
 * every rule is run.
 */
const whatWidthsChange = only('target-size', 'scrollable-region-focusable');

const sidebar = 'aside[aria-label="Sidebar"]';
/** The page but for the sidebar and the header, for walks that looked at these on another page. */
export const withoutFrame: ElementContext = { exclude: [sidebar, `${sidebar} + div > header`] };

interface Looks {
  sizes?: (typeof wide)[] | undefined;
  /** What of the page to look at; all of it unless something is named. */
  context?: ElementContext | undefined;
}

/**
 * What is on the page breaks no rule, in both sizes and both themes, and needs no scrolling sideways at 320 pixels.
 * Nothing is loaded again: what is open stays open while the window changes its size and the system its theme.
 * Among the core tests those that are about accessibility alone run it.
 */
export async function expectAccessible(page: Page, name: string, looks: Looks = {}): Promise<void> {
  if (!isLeftToOthers()) await lookAt(page, name, looks);
}

const isLeftToOthers = (): boolean => test.info().config.metadata.core === true && !test.info().tags.includes('@a11y');

async function lookAt(page: Page, name: string, { sizes = [wide, narrow], context }: Looks): Promise<void> {
  for (const [place, size] of sizes.entries()) {
    await page.setViewportSize(size);
    if (place > 0) await expectSettled(page);
    const themes = place === 0 ? (['light', 'dark'] as const) : (['light'] as const);
    for (const theme of themes) {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
      const rules = theme === 'dark' ? whatThemesChange : place === 0 ? everything : whatWidthsChange;
      const found = await violations(page, rules, theme, context);
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

/**
 * Rows that measure themselves have found their places: they are where they were at the look before. Frames do not
 * count, as a page that is not painted has none.
 */
async function expectSettled(page: Page): Promise<void> {
  let before: string | undefined;
  const isSettled = async (): Promise<boolean> => {
    const now = await page.locator('html').evaluate((html) => {
      const rows: Iterable<Placed> = html.querySelectorAll('main li, main tr');
      return Array.from(rows, (row) => row.getBoundingClientRect().top).join();
    });
    const still = now === before;
    before = now;
    return still;
  };
  await expect.poll(isSettled, { intervals: [20, 50] }).toBe(true);
}

async function violations(page: Page, rules: RunOptions, theme: string, context?: ElementContext): Promise<string[]> {
  const html = page.locator('html');
  const [loaded, follows] = await html.evaluate((html) => [
    'axe' in html.ownerDocument.defaultView,
    html.dataset.mantineColorScheme !== undefined,
  ]);
  if (!loaded) await page.evaluate(axe.source);
  // The app follows the system a moment later.
  if (follows) await expect(html).toHaveAttribute('data-mantine-color-scheme', theme);
  return html.evaluate(
    async (html, { rules, context }) => {
      const { run } = html.ownerDocument.defaultView.axe as typeof axe;
      // Only what is wrong is told: putting the rest into words takes longer than looking.
      const { violations } = await run(context ?? html, { ...rules, resultTypes: ['violations'], preload: false });
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
    },
    { rules, context },
  );
}
