import { expect, type Locator, type Page } from '@playwright/test';

/** Presses Tab until the target has the focus, and expects a visible focus at each stop. */
export async function tabTo(page: Page, target: Locator, way: 'on' | 'back' = 'on'): Promise<void> {
  for (let stops = 0; stops < 60; stops++) {
    await page.keyboard.press(way === 'on' ? 'Tab' : 'Shift+Tab');
    if (await isFocused(target)) {
      await expectFocus(page);
      return;
    }
  }
  await expect(target).toBeFocused();
}

/** Moves down a menu until the target has the focus. */
export async function arrowTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let stops = 0; stops < 20 && !(await isFocused(target)); stops++) await page.keyboard.press('ArrowDown');
  await expect(target).toBeFocused();
}

const isFocused = async (target: Locator): Promise<boolean> =>
  (await target.count()) > 0 && target.first().evaluate((element) => element.matches(':focus'));

/** Expects an element with a visible focus: an outline, a ring or a border. */
export async function expectFocus(page: Page): Promise<void> {
  const focused = page.locator(':focus');
  await expect(focused).toHaveCount(1);
  await expect(focused).not.toHaveJSProperty('tagName', 'BODY');
  const marks = () =>
    focused.evaluate((element) => {
      // Custom controls show the focus on the adjacent label.
      const drawn = [element, element.nextElementSibling, element.parentElement].filter((one) => one !== null);
      return drawn.some((one) => {
        const { outlineStyle, outlineWidth, boxShadow } = element.ownerDocument.defaultView.getComputedStyle(one);
        return (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0) || boxShadow !== 'none';
      });
    });
  await expect.poll(marks).toBe(true);
}
