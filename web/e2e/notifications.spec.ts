import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import type { Tenant } from './server.ts';
import { linkInMail, password, setUp, signIn } from './steps.ts';
import { test } from './test.ts';

let product: Tenant;

test.describe.configure({ mode: 'serial' });

test.beforeAll(async ({ server }) => {
  product = await server.addTenant();
});
test.afterAll(() => product.stop());

/** Adds a member on the operator's command line, which notifies all owners. */
async function join(page: Page, name: string): Promise<void> {
  const organization = String(await page.evaluate(() => localStorage.getItem('organization')));
  const email = `${name.toLowerCase().replace(' ', '.')}@example.org`;
  await product.sightline('user', 'create', '--email', email, '--name', name, '--password', password, '--verified');
  await product.sightline('member', 'add', '--org', organization, '--email', email, '--role', 'contributor');
}

const rows = (page: Page) => page.getByRole('list', { name: 'Notifications' }).getByRole('listitem');
const bell = (page: Page) => page.getByRole('banner').getByRole('link', { name: /^Notifications/ });

/** Resolves when the server has set notifications to the status. */
async function changedTo(page: Page, status: string): Promise<void> {
  const answer = await page.waitForResponse(
    (one) => one.url().endsWith('/v2/notifications/status') && one.request().postDataJSON().status === status,
  );
  expect(answer.ok()).toBe(true);
}

test('notifies an owner, who works through the inbox by keyboard', {
  tag: '@core',
}, async ({ page }) => {
  test.setTimeout(300_000);
  await setUp(page, product, 'Kestrel Payments');

  await test.step('updates the badge without a reload', async () => {
    await join(page, 'Grace Hopper');
    await expect(bell(page)).toHaveAccessibleName(/\d unread/, { timeout: 30_000 });
    await bell(page).click();
    await expect(page.getByRole('heading', { name: 'Notifications', level: 1 })).toBeFocused();
    await expect(rows(page).filter({ hasText: 'Grace Hopper joined as Code Contributor' })).toBeVisible();
    // Activity appears while the inbox is open.
    await join(page, 'Alan Turing');
    await expect(rows(page).first()).toContainText('Alan Turing joined', { timeout: 30_000 });
    await expectAccessible(page, 'inbox');
  });

  await test.step('moves with j and k, marks with u, saves with s, and archives with e with undo', async () => {
    await page.keyboard.press('j');
    await expect(rows(page).first().getByRole('link').first()).toBeFocused();
    await page.keyboard.press('u');
    await expect(rows(page).first()).not.toContainText('Unread:');
    await page.keyboard.press('s');
    await expect(
      rows(page)
        .first()
        .getByRole('button', { name: /^Unsave/ }),
    ).toBeVisible();
    const archived = changedTo(page, 'archived');
    await page.keyboard.press('e');
    await archived;
    await expect(rows(page).filter({ hasText: 'Alan Turing' })).toHaveCount(0);
    await expect(rows(page).first().getByRole('link').first()).toBeFocused();
    // The row reappears before the server responds. Leaving the page earlier would cancel the request.
    const undone = changedTo(page, 'read');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(rows(page).filter({ hasText: 'Alan Turing' })).toHaveCount(1);
    await undone;
  });
});

test('keeps the view of the inbox in its address, and applies settings', async ({ page }) => {
  await page.goto(`${product.url}/notifications`);
  await signIn(page, product.owner);

  await test.step('keeps views, search and types in the address', async () => {
    await page.getByRole('link', { name: 'Saved' }).click();
    await expect(rows(page)).toHaveCount(1);
    await page.goto(`${product.url}/notifications?view=archived`);
    await expect(page.getByText('No archived notifications')).toBeVisible();
    await expectAccessible(page, 'nothing archived');
    await page.goto(`${product.url}/notifications`);
    await page.getByRole('searchbox', { name: 'Search notifications' }).fill('grace');
    await expect(rows(page)).toHaveCount(1);
    await expect(page).toHaveURL(/search=grace/);
    await page.goto(`${product.url}/notifications?types=exception.expired`);
    await expect(page.getByText('No notification matches')).toBeVisible();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('button', { name: 'Mark all as read' }).click();
    await expect(bell(page)).toHaveAccessibleName('Notifications');
  });

  await test.step('applies settings to e-mails', async () => {
    await page.goto(`${product.url}/notification/settings`);
    await page.getByRole('checkbox', { name: 'Member joined by email' }).check();
    await page.getByLabel('Frequency').selectOption('instant');
    await page.getByRole('switch', { name: 'Quiet hours' }).check();
    await expectAccessible(page, 'settings');
    await page.getByRole('switch', { name: 'Quiet hours' }).uncheck();
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Your settings are saved.')).toBeVisible();
    await page.reload();
    await expect(page.getByRole('checkbox', { name: 'Member joined by email' })).toBeChecked();
    await page.goto(`${product.url}/notifications`);
    await join(page, 'Barbara Liskov');
    await expect(rows(page).first()).toContainText('Barbara Liskov joined');
    // Emails are collected for a minute. The email links to the product.
    await product.sendGatheredMails();
    await linkInMail(product.url, product.owner.email, '/notifications');
    expect(await (await fetch(`${product.url}/outbox`)).text()).toContain('Barbara Liskov joined');
  });

  await test.step('sets the notifications of a role', async () => {
    await page.goto(`${product.url}/notification/settings?of=roles`);
    await page.getByText('Digest Reviewer', { exact: true }).click();
    await page.getByRole('switch', { name: 'Locked' }).check();
    await expectAccessible(page, 'settings of roles');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('The settings of Digest Reviewer are saved.')).toBeVisible();
  });
});
