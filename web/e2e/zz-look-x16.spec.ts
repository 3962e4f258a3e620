import { expect } from '@playwright/test';
import { createStory } from '../../sandbox/src/testing/repository.ts';
import { triggerHostActivity } from './host.ts';
import { importsCompleted, setUp } from './steps.ts';
import { test } from './test.ts';

test('look', async ({ browser, server }) => {
  test.setTimeout(280_000);
  const story = await createStory('widgets');
  story.git(['checkout', '--quiet', '--detach']);
  const product = await server.addTenant([story.path]);
  const context = await browser.newContext({ baseURL: product.url, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await setUp(page, product, 'Kestrel Payments');
  await importsCompleted(page, product.url);
  const name = 'kestrel/widgets';
  const trigger = triggerHostActivity(product.url);
  await page.goto('/changes');
  const repository = await page.evaluate(() => document.title).then(() => undefined);
  void repository;
  void name;
  void trigger;
  await page.goto('/evidence');
  await page.getByRole('button', { name: 'Evaluate controls' }).click();
  await page.waitForTimeout(8000);
  const failing = await page
    .getByRole('table', { name: 'Controls' })
    .getByRole('row')
    .filter({ hasText: 'Failing' })
    .allInnerTexts();
  console.log(failing.join('\n'));
  await expect(
    page.getByRole('table', { name: 'Controls' }).getByRole('row').filter({ hasText: 'Failing' }).first(),
  ).toBeVisible();
  await page
    .getByRole('table', { name: 'Controls' })
    .getByRole('row')
    .filter({ hasText: 'Failing' })
    .first()
    .getByRole('link')
    .first()
    .click();
  const table = page.getByRole('table', { name: /^Items of/ });
  await expect(table.getByRole('row').nth(1)).toBeVisible();
  const menu = table.getByRole('button', { name: /^Actions for/ }).first();
  await menu.click();
  await page.screenshot({ path: '/tmp/x16/menu.png' });
  await page.getByRole('menuitem', { name: 'Assign remediation' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Owner' }).click();
  await page.getByRole('option').first().click();
  await dialog.getByLabel('Due date').fill('2026-01-31');
  await dialog.getByLabel('Ticket').fill('https://tickets.example/browse/SEC-7');
  await page.screenshot({ path: '/tmp/x16/dialog.png' });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(table).toContainText('overdue');
  await menu.click();
  await page.getByRole('menuitem', { name: 'Record retest' }).click();
  await dialog.getByLabel('Fail').check();
  await page.screenshot({ path: '/tmp/x16/retest.png' });
  await dialog.getByRole('button', { name: 'Record retest' }).click();
  await expect(table).toContainText('Retest on');
  await page.waitForTimeout(500);
  for (const scheme of ['light', 'dark'] as const) {
    await page.evaluate((one) => localStorage.setItem('mantine-color-scheme-value', one), scheme);
    await page.emulateMedia({ colorScheme: scheme });
    for (const width of [320, 390, 768, 1024, 1440, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      await page.waitForTimeout(300);
      await page.screenshot({ path: `/tmp/x16/control-${scheme}-${width}.png` });
      console.log(width, await page.evaluate(() => document.documentElement.scrollWidth));
    }
  }
  await page.goto('/remediations');
  for (const width of [320, 768, 1440]) {
    await page.setViewportSize({ width, height: 700 });
    await page.waitForTimeout(500);
    await page.screenshot({ path: `/tmp/x16/list-${width}.png` });
  }
  await page.goto('/');
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.waitForTimeout(1500);
  await page.screenshot({ path: '/tmp/x16/home.png' });
  await context.close();
  await product.stop();
  await story.remove();
});
