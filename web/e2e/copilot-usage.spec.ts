import { expect } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { sandboxOf, type Tenant } from './server.ts';
import { connectSandbox, createOrganization, signUp } from './steps.ts';
import { test } from './test.ts';

test.setTimeout(180_000);

let product: Tenant;
test.beforeAll(async ({ server }) => {
  product = await server.addTenant();
});
test.afterAll(() => product.stop());

/** Sets what GitHub reports of the organization. */
const report = async (body: { isOff?: boolean; days?: number }) => {
  const answer = await fetch(`${sandboxOf(product)}/_sandbox/copilot-usage`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ organization: product.account, ...body }),
  });
  expect(answer.status).toBe(200);
};

test('tells what is missing, and shows reports of Copilot as soon as GitHub permits them', async ({ page }) => {
  await signUp(page, product.url, product.owner);
  await createOrganization(page, 'Kestrel Copilot');
  await page.goto(`${product.url}/agent-sessions`);
  await page.getByRole('link', { name: 'GitHub Copilot usage' }).click();
  await expect(page.getByRole('heading', { name: 'No GitHub organization is connected' })).toBeVisible();
  await expectAccessible(page, 'Copilot usage without GitHub');

  await page.goto(`${product.url}/onboarding/setup/2`);
  await connectSandbox(page, product);
  await report({ days: 40, isOff: true });
  await page.goto(`${product.url}/agent-sessions/copilot`);
  await page.getByRole('button', { name: 'Read now' }).click();
  await expect(page.getByText(/GitHub does not permit reading/)).toBeVisible();
  await expectAccessible(page, 'Copilot usage without permission');

  await report({ isOff: false });
  await page.getByRole('button', { name: 'Read now' }).click();
  const models = page.getByRole('table', { name: 'Usage by model and feature' });
  await expect(models.getByText('gpt-5.2').first()).toBeVisible();
  await expect(page.getByText(/GitHub does not permit reading/)).toBeHidden();
  await expectAccessible(page, 'Copilot usage');
  await page.getByRole('button', { name: /Show table of Active users/ }).click();
  await expect(page.getByRole('table', { name: 'Active users' }).getByRole('row')).not.toHaveCount(0);
  await expectAccessible(page, 'Copilot usage as table');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^copilot-usage-.*\.csv$/);
});
