import { expect } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import type { Tenant } from './server.ts';
import { createOrganization, signUp } from './steps.ts';
import { test } from './test.ts';

let product: Tenant;
test.beforeAll(async ({ server }) => {
  product = await server.addTenant([]);
});
test.afterAll(() => product?.stop());

test('shows background work to an account after its appointment as operator', async ({ page }) => {
  await signUp(page, product.url, product.owner);
  await createOrganization(page, 'Kestrel Payments');

  await test.step('refuses an owner who is no operator', async () => {
    await page.goto(`${product.url}/operator`);
    await expect(page.getByText('Only operators of this installation have access')).toBeVisible();
    await expectAccessible(page, 'the page of operators without access');
  });

  await product.sightline('user', 'operator', product.owner.email, 'on');
  await page.reload();
  await expect(page.getByText('No unfinished jobs')).toBeVisible();
  await expectAccessible(page, 'background jobs');

  await page.getByRole('link', { name: 'Imports and deliveries' }).click();
  await expect(page).toHaveURL(/\/operator\/failures$/);
  await expect(page.getByText('No failed imports or deliveries')).toBeVisible();
  await expectAccessible(page, 'failed imports and deliveries');

  await product.sightline('user', 'operator', product.owner.email, 'off');
  await page.reload();
  await expect(page.getByText('Only operators of this installation have access')).toBeVisible();
});

test('requests the digests of a past week and reports why there are none', async ({ page }) => {
  await signUp(page, product.url, { name: 'Dora Digest', email: 'dora@kestrelpay.example' });
  await createOrganization(page, 'Kestrel Digests');
  await page.goto(`${product.url}/digests`);
  await page.getByRole('button', { name: 'Create digests' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create digests of a past week' });
  await expectAccessible(page, 'the dialog that creates digests');
  await dialog.getByRole('button', { name: 'Create digests' }).click();
  await expect(dialog).toContainText('The organization was created after this week.');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Create digests' })).toBeFocused();
});
