import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { type Product, startProduct } from './server.ts';
import { ada, authorizationHeader, importsCompleted, openUrl, setUp, signIn } from './steps.ts';
import { test } from './test.ts';

let product: Product;

test.beforeAll(async () => {
  product = await startProduct();
});
test.afterAll(() => product.stop());

const main = (page: Page) => page.getByRole('navigation', { name: 'Main' });
const entry = (page: Page, name: string) => main(page).getByRole('link', { name, exact: true });

const statusOf = async (page: Page, path: string) =>
  (await page.request.get(`${product.url}/api${path}`, { headers: await authorizationHeader(page) })).status();
/** Running servers detect changes within 5 seconds. */
const repositoriesAnswer = (page: Page, status: number) =>
  expect.poll(() => statusOf(page, '/v2/repositories'), { timeout: 15_000 }).toBe(status);

async function openEmployeeSettings(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Employee Settings' }).click();
  await expect(page.getByRole('dialog', { name: 'Employee Settings' })).toBeVisible();
}

test('applies feature flags to pages and API, and overrides of employees to their pages only', async ({ page }) => {
  test.setTimeout(300_000);
  const flagRequests: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/flags/frontend')) flagRequests.push(request.url());
  });
  await openUrl(page, `${product.url}/login`);
  await expect(page.getByLabel('Email')).toBeVisible();
  expect(flagRequests, 'requests no flags without a session').toEqual([]);

  await setUp(page, product, 'Kestrel Payments');
  await importsCompleted(page, product.url);
  await expect(entry(page, 'Explore')).toBeVisible();
  const organization = (await page.evaluate(() => localStorage.getItem('organization'))) ?? '';

  await test.step('hides a disabled feature in sidebar, address and API', async () => {
    await product.sightline('flags', 'set', 'release2', 'off', '--org', organization);
    await repositoriesAnswer(page, 404);
    expect(await statusOf(page, '/v2/auth0mgm/org')).toBe(200);
    await page.goto(`${product.url}/`);
    await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
    await expect(entry(page, 'Home')).toBeVisible();
    await expect(entry(page, 'Repositories')).toBeHidden();
    await expect(entry(page, 'Explore')).toBeHidden();
    for (const path of ['/explore', '/repositories']) {
      await page.goto(`${product.url}${path}`);
      await expect(page.getByRole('heading', { name: '404 Not Found' })).toBeVisible();
      await expect(entry(page, 'Home')).toBeVisible();
    }
    await expect(page.getByRole('dialog')).toBeHidden();
  });

  await test.step('shows 404 for every page behind a disabled flag and for an unknown category', async () => {
    await page.route('**/api/v2/flags/frontend*', async (route) => {
      const response = await route.fetch();
      const { toggles } = (await response.json()) as { toggles: { name: string }[] };
      const on = toggles.filter(({ name }) => !['vulnerabilities', 'notificationSystem'].includes(name));
      const release2 = { ...on[0], name: 'release2' };
      await route.fulfill({ response, json: { toggles: [...on, release2] } });
    });
    for (const path of [
      '/vulnerabilities',
      '/vulnerabilities/018f2a52-0000-7000-8000-000000000001',
      '/organization/access-keys',
      '/notifications',
      '/notification/settings',
      '/integrations/anything',
    ]) {
      await page.goto(`${product.url}${path}`);
      await expect(page.getByRole('heading', { name: '404 Not Found' }), path).toBeVisible();
    }
    await page.goto(`${product.url}/`);
    await expect(entry(page, 'Repositories')).toBeVisible();
    await expect(entry(page, 'Vulnerabilities')).toBeHidden();
    await page.goto(`${product.url}/integrations`);
    const categories = page.getByRole('navigation', { name: 'Categories' });
    await expect(categories.getByRole('link', { name: /^Developer IDE Extensions/ })).toBeVisible();
    await expect(categories.getByRole('link', { name: /^Security Scanners/ })).toHaveCount(0);
    await page.unroute('**/api/v2/flags/frontend*');
  });

  await test.step('shows the page with an override of an employee although the server rejects requests', async () => {
    await page.getByRole('button', { name: /^Account of/ }).click();
    await expect(page.getByRole('menuitem', { name: 'Logout' })).toBeVisible();
    await expect(page.getByRole('menuitem', { name: 'Employee Settings' })).toBeHidden();
    await product.sightline('user', 'employee', ada.email, 'on');
    await page.goto(`${product.url}/`);
    await openEmployeeSettings(page);
    await expectAccessible(page, 'employee settings');
    await page.getByRole('switch', { name: /^Release 2/ }).press('Space');
    await expect(page.getByText('Overridden')).toBeVisible();
    await page.getByRole('button', { name: 'Close and reload' }).click();
    await expect(entry(page, 'Repositories')).toBeVisible();
    expect(await statusOf(page, '/v2/repositories')).toBe(404);
  });

  await test.step('enables a flag for everybody, and hides it in one tab with All Off', async () => {
    await product.sightline('flags', 'unset', 'release2', '--org', organization);
    await repositoriesAnswer(page, 200);
    await page.reload();
    await openEmployeeSettings(page);
    await page.getByRole('button', { name: 'All Off' }).click();
    await page.keyboard.press('Escape');
    await expect(entry(page, 'Home')).toBeVisible();
    await expect(entry(page, 'Repositories')).toBeHidden();
    expect(await statusOf(page, '/v2/repositories')).toBe(200);
    const other = await page.context().newPage();
    await other.goto(`${product.url}/`);
    await expect(entry(other, 'Repositories')).toBeVisible();
    await other.close();
  });

  await test.step('clears overrides manually or with the session', async () => {
    await openEmployeeSettings(page);
    await page.getByRole('button', { name: 'Clear All Overrides' }).click();
    await page.getByRole('button', { name: 'Close and reload' }).click();
    await expect(entry(page, 'Repositories')).toBeVisible();
    await openEmployeeSettings(page);
    await page.getByRole('button', { name: 'All Off' }).click();
    await page.getByRole('button', { name: 'Close and reload' }).click();
    await expect(entry(page, 'Home')).toBeVisible();
    await expect(entry(page, 'Repositories')).toBeHidden();
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Logout' }).click();
    await expect(page.getByLabel('Email')).toBeVisible();
    await signIn(page);
    await expect(entry(page, 'Repositories')).toBeVisible();
  });

  await test.step('waits 1500 ms for flags, shows pages without flags, and the others later', async () => {
    const { promise: late, resolve: answer } = Promise.withResolvers<void>();
    await page.route('**/api/v2/flags/frontend*', async (route) => {
      await late;
      await route.continue();
    });
    await page.goto(`${product.url}/`);
    await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
    await expect(entry(page, 'Repositories')).toBeHidden();
    answer();
    await expect(entry(page, 'Repositories')).toBeVisible();
  });
});
