import { expect } from '@playwright/test';
import { arrowTo, expectFocus, tabTo } from './keys.ts';
import type { Tenant } from './server.ts';
import { importsCompleted, password, setUp } from './steps.ts';
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

test('completes the main job by keyboard alone', async ({ page }) => {
  const { keyboard } = page;
  await page.goto(product.url);

  await test.step('signs in', async () => {
    await expect(page.getByLabel('Email')).toBeFocused();
    await keyboard.type(product.owner.email);
    await tabTo(page, page.getByLabel('Password'));
    await keyboard.type(password);
    await keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
  });

  await test.step('skips the sidebar with the skip link', async () => {
    await page.goto(product.url);
    await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
    const skip = page.getByRole('link', { name: 'Skip to content' });
    await tabTo(page, skip);
    await expect(skip).toBeInViewport();
    await keyboard.press('Enter');
    await expect(page.getByRole('main')).toBeFocused();
  });

  await test.step('opens repositories from the sidebar and focuses the title', async () => {
    await tabTo(
      page,
      page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Repositories' }),
      'back',
    );
    await keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Repositories', level: 1 })).toBeFocused();
  });

  await test.step('searches and opens a result', async () => {
    await tabTo(page, page.getByRole('searchbox', { name: 'Search repositories' }));
    await keyboard.type('widg');
    await expect(page).toHaveURL(/search=widg/);
    await tabTo(page, page.getByRole('link', { name: /widgets/ }));
    await keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: /widgets/, level: 1 })).toBeFocused();
  });

  await test.step('keeps the focus on a tab while its page loads', async () => {
    const tabs = page.getByRole('navigation', { name: 'Repository' });
    await tabTo(page, tabs.getByRole('link', { name: /Contributors/ }));
    await keyboard.press('Enter');
    await expect(page.getByRole('columnheader', { name: /Git username/ })).toBeVisible();
    await tabTo(page, tabs.getByRole('link', { name: /Pull Requests/ }), 'back');
    await keyboard.press('Enter');
    await expect(page.getByText('Open PRs')).toBeVisible();
  });

  await test.step('filters closed pull requests by author', async () => {
    await tabTo(page, page.getByRole('radio', { name: 'Open PRs' }));
    await keyboard.press('ArrowRight');
    await expect(page.getByRole('row').filter({ hasText: 'Let people in' })).toBeVisible();
    const authors = page.getByRole('combobox', { name: /^Author/ });
    await tabTo(page, authors);
    await keyboard.press('Enter');
    await expect(page.getByRole('option').first()).toBeVisible();
    await keyboard.press('ArrowDown');
    await keyboard.press('Enter');
    await expect(page).toHaveURL(/authors=/);
    await keyboard.press('Escape');
    await expect(page.getByRole('option').first()).toBeHidden();
    await expectFocus(page);
  });

  await test.step('opens Explore from a pull request', async () => {
    await tabTo(page, page.getByRole('link', { name: /^Explore events of #/ }).first());
    await keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Explore' })).toBeFocused();
  });

  await test.step('expands and collapses an event', async () => {
    const toggle = page.getByRole('button', { name: /^(Show|Hide) details$/ }).first();
    await tabTo(page, toggle);
    await keyboard.press('Enter');
    await expect(page.getByText('Received')).toBeVisible();
    await expect(toggle).toBeFocused();
    await keyboard.press('Enter');
    await expect(page.getByText('Received')).toBeHidden();
  });

  await test.step('removes the context and keeps the focus on the page', async () => {
    await tabTo(page, page.getByRole('button', { name: 'Remove context' }), 'back');
    await keyboard.press('Enter');
    await expect(page.getByRole('region', { name: 'Context' })).toBeHidden();
    await expectFocus(page);
  });

  await test.step('changes the theme and signs out from the user menu', async () => {
    const menu = page.getByRole('button', { name: /^Account of/ });
    await tabTo(page, menu, 'back');
    await keyboard.press('Enter');
    await arrowTo(page, page.getByRole('menuitemradio', { name: 'Dark' }));
    await keyboard.press('Enter');
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
    // The menu remains open, so that themes can be compared.
    await expectFocus(page);
    await page.evaluate(() => {
      localStorage.setItem('left behind', 'here');
      sessionStorage.setItem('left behind', 'here');
    });
    await arrowTo(page, page.getByRole('menuitem', { name: 'Logout' }));
    await keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
    const storedSession = () =>
      page.evaluate(() => [
        localStorage.getItem('accessToken'),
        localStorage.getItem('left behind'),
        sessionStorage.getItem('left behind'),
      ]);
    expect(await storedSession()).toEqual([null, null, null]);
    // The identity provider keeps no session either.
    await page.goto(product.url);
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  });
});
