import { expect } from '@playwright/test';
import { test } from './test.ts';

test('shows documentation without an account while the server is down, without other requests', {
  tag: '@core',
}, async ({ page, context, server }) => {
  const elsewhere: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(server.url) && !request.url().startsWith('data:')) elsewhere.push(request.url());
  });
  await page.goto(`${server.url}/privacy`);
  await expect(page).toHaveURL(`${server.url}/docs/privacy`);
  await expect(page.getByRole('heading', { name: 'Privacy', level: 1 })).toBeVisible();
  await page.waitForLoadState('networkidle');

  const written = await page.evaluate(`
    ['<img src="/nothing" onerror="document.title = 1">', '* { color: inherit }'].map((text) => {
      try {
        document.createElement('div').innerHTML = text;
        return true;
      } catch {
        return false;
      }
    })`);
  // Trusted Types reject elements from text, but permit style sheets of libraries.
  expect(written).toEqual([false, true]);

  await context.setOffline(true);
  await page
    .getByRole('navigation', { name: 'Documentation' })
    .getByRole('link', { name: 'Explore', exact: true })
    .click();
  await expect(page.getByRole('heading', { name: 'Explore', level: 1 })).toBeFocused();
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Privacy', level: 1 })).toBeVisible();

  await page.keyboard.press('/');
  await page.keyboard.type('quiet hours');
  await expect(page.getByRole('option').first()).toContainText('Notifications › Your settings');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/docs\/notifications#your-settings$/);
  await expect(page.getByRole('heading', { name: 'Your settings' })).toBeFocused();
  await expect(page.getByRole('heading', { name: 'Your settings' })).toBeInViewport();
  await context.setOffline(false);
  expect(elsewhere).toEqual([]);
});

test('opens links to headings, /docs and unknown pages', async ({ page, server }) => {
  await page.goto(`${server.url}/docs/explore#qualifiers`);
  await expect(page.getByRole('heading', { name: 'Qualifiers' })).toBeInViewport();
  const contents = page.getByRole('navigation', { name: 'On this page' });
  await expect(contents.getByRole('link', { name: 'Qualifiers' })).toHaveAttribute('aria-current', 'true');

  await page.goto(`${server.url}/docs`);
  await expect(page).toHaveURL(/\/docs\/getting-started$/);

  await page.goto(`${server.url}/docs/nothing`);
  await expect(page.getByRole('heading', { name: '404 Not Found' })).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Search the documentation' })).toBeFocused();
});
