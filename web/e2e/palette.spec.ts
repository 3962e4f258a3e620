import { expect } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import type { Tenant } from './server.ts';
import { importsCompleted, setUp, signIn } from './steps.ts';
import { test } from './test.ts';

let product: Tenant;

test.beforeAll(async ({ browser, server }) => {
  product = await server.addTenant();
  const page = await browser.newPage();
  await setUp(page, product, 'Kestrel Payments');
  await importsCompleted(page, product.url);
  await page.close();
});
test.afterAll(() => product.stop());

test('navigates and acts with the palette by keyboard alone', { tag: '@core' }, async ({ page }) => {
  const { keyboard } = page;
  const box = page.getByRole('combobox', { name: 'Search and commands' });
  const open = async () => {
    // The palette does not open over a dialog, even one that is closing.
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await keyboard.press('Control+k');
    await expect(box).toBeFocused();
  };
  const results = page.getByRole('listbox', { name: 'Results' });
  const chosen = () => results.getByRole('option', { selected: true });
  await page.goto(product.url);
  await signIn(page, product.owner);
  await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();

  await test.step('opens with suggestions and returns the focus on closing', async () => {
    const button = page.getByRole('button', { name: 'Search and commands' });
    await button.focus();
    await open();
    await expect(chosen()).toHaveText(/^Home/);
    await expectAccessible(page, 'the palette');
    await keyboard.press('Escape');
    await expect(box).toBeHidden();
    await expect(button).toBeFocused();
  });

  await test.step('opens a screen and focuses its title', async () => {
    await open();
    await keyboard.type('webh');
    await expect(chosen()).toHaveText(/^Webhooks/);
    await keyboard.press('Enter');
    await expect(page).toHaveURL(/organization\/webhooks$/);
    await open();
    await keyboard.type('access keys');
    await expect(chosen()).toHaveText(/^Access keys/);
    await keyboard.press('Enter');
    // Another tab of the same page, with the same title.
    await expect(page).toHaveURL(/organization\/access-keys$/);
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
    await open();
    await keyboard.type('audit');
    await expect(chosen()).toHaveText(/^Audit log/);
    await keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Audit log', level: 1 })).toBeFocused();
  });

  await test.step('opens a repository', async () => {
    await open();
    await keyboard.type('widg');
    await expect(page.getByRole('group', { name: 'Repositories' }).getByRole('option')).toHaveText(/widgets/);
    await expectAccessible(page, 'what is found');
    await keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: /widgets/, level: 1 })).toBeFocused();
  });

  await test.step('opens a member', async () => {
    await open();
    await keyboard.type('byron');
    await expect(chosen()).toContainText(product.owner.email);
    await keyboard.press('Enter');
    await expect(page).toHaveURL(/organization\/members\?search=/);
  });

  await test.step('performs an action', async () => {
    await open();
    await keyboard.type('dark');
    await keyboard.press('Enter');
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
    await open();
    await keyboard.type('system');
    await keyboard.press('Enter');
    await open();
    await keyboard.type('keyboard');
    await keyboard.press('Enter');
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
    await expectAccessible(page, 'keyboard shortcuts');
    await keyboard.press('Escape');
  });

  await test.step('reports no results', async () => {
    await open();
    await keyboard.type('zzzzzz');
    await expect(page.getByRole('status').filter({ hasText: 'No results' })).toBeVisible();
    await keyboard.press('Enter');
    await expect(box).toBeVisible();
    await keyboard.press('Escape');
  });

  await test.step('navigates by single letters until they are turned off', async () => {
    await keyboard.press('g');
    await keyboard.press('e');
    await expect(page.getByRole('heading', { name: 'Explore', level: 1 })).toBeFocused();
    await keyboard.press('/');
    await expect(page.getByRole('combobox', { name: 'Filter events' })).toBeFocused();
    await keyboard.press('Escape');
    await page.getByRole('heading', { name: 'Explore', level: 1 }).focus();
    await keyboard.press('?');
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await expect(sheet.getByRole('heading', { name: 'Timeline' })).toBeVisible();
    await sheet.getByRole('switch', { name: 'Single-key shortcuts' }).click();
    await keyboard.press('Escape');
    await expect(sheet).toBeHidden();
    await keyboard.press('g');
    await keyboard.press('h');
    await expect(page).toHaveURL(/explore/);
    // Mod+K is not a single letter, so it still works.
    await open();
    await keyboard.type('home');
    await keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Home' })).toBeFocused();
  });
});
