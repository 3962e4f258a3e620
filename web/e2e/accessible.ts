import { expect, type Page, test } from '@playwright/test';
import axe, { type ElementContext, type RunOptions } from 'axe-core';

export const wide = { width: 1440, height: 900 };
export const narrow = { width: 390, height: 844 };
const smallest = { width: 320, height: 640 };

const softly = expect.configure({ soft: true });

const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const allRules: RunOptions = { runOnly: standards };
const only = (...values: string[]): RunOptions => ({ runOnly: { type: 'rule', values } });
/** A theme changes colors only; names, roles and structure are unaffected. */
const themeRules = only('color-contrast', 'link-in-text-block');
/**
 * A width changes position, size and visibility by CSS only. Narrow windows additionally have the navigation button and
 * its drawer, on which every rule is run.
 */
const widthRules = only('target-size', 'scrollable-region-focusable');

const sidebar = 'aside[aria-label="Sidebar"]';
/** The page without sidebar and header, which another test checks. */
export const withoutFrame: ElementContext = { exclude: [sidebar, `${sidebar} + div > header`] };

interface Looks {
  sizes?: (typeof wide)[] | undefined;
  /** The part of the page to check; default: all of it. */
  context?: ElementContext | undefined;
}

/**
 * Expects no rule violations in both sizes and themes, and no horizontal scrolling at 320 pixels. The page is not
 * reloaded, so open dialogs remain open. Among the core tests, only accessibility tests run it.
 */
export async function expectAccessible(page: Page, name: string, looks: Looks = {}): Promise<void> {
  if (!isSkipped()) await checkPage(page, name, looks);
}

const isSkipped = (): boolean => test.info().config.metadata.core === true && !test.info().tags.includes('@a11y');

async function checkPage(page: Page, name: string, { sizes = [wide, narrow], context }: Looks): Promise<void> {
  for (const [index, size] of sizes.entries()) {
    await page.setViewportSize(size);
    if (index > 0) await expectSettled(page);
    const themes = index === 0 ? (['light', 'dark'] as const) : (['light'] as const);
    for (const theme of themes) {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
      const rules = theme === 'dark' ? themeRules : index === 0 ? allRules : widthRules;
      const found = await violations(page, rules, theme, context);
      expect.soft(found, `${name} at ${size.width}, ${theme}`).toEqual([]);
    }
  }
  await page.setViewportSize(smallest);
  // Floating elements are repositioned a frame later.
  await softly
    .poll(() => page.locator('html').evaluate((root) => root.scrollWidth - root.clientWidth), {
      message: `${name} at ${smallest.width}, pixels to the side`,
    })
    .toBe(0);
  await page.setViewportSize(sizes[0] ?? wide);
}

interface PositionedElement {
  getBoundingClientRect: () => { top: number };
}

/**
 * Expects that self-measuring rows have settled: their positions are unchanged since the last check. It does not count
 * frames, since hidden pages have none.
 */
async function expectSettled(page: Page): Promise<void> {
  let before: string | undefined;
  const isSettled = async (): Promise<boolean> => {
    const now = await page.locator('html').evaluate((html) => {
      const rows: Iterable<PositionedElement> = html.querySelectorAll('main li, main tr');
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
  // The app follows the system theme with a short delay.
  if (follows) await expect(html).toHaveAttribute('data-mantine-color-scheme', theme);
  return html.evaluate(
    async (html, { rules, context }) => {
      const { run } = html.ownerDocument.defaultView.axe as typeof axe;
      // Only violations are reported, since formatting the other results takes longer than the check.
      const { violations } = await run(context ?? html, { ...rules, resultTypes: ['violations'], preload: false });
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
    },
    { rules, context },
  );
}
