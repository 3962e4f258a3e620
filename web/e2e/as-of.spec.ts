import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import type { Tenant } from './server.ts';
import { authorizationHeader, createOrganization, signUp } from './steps.ts';
import { test } from './test.ts';

let product: Tenant;
test.beforeAll(async ({ server }) => {
  product = await server.addTenant([]);
});
test.afterAll(() => product.stop());

/** The size of the last checkpoint, once it contains all entries. */
async function signedSize(page: Page): Promise<number> {
  let size = 0;
  await expect(async () => {
    const headers = await authorizationHeader(page);
    const response = await page.request.get(`${product.url}/api/v2/ledger`, { headers });
    const ledger = await response.json();
    expect([ledger.pending.count, ledger.checkpoint?.size]).toEqual([0, ledger.size]);
    size = ledger.size;
  }).toPass({ timeout: 60_000 });
  return size;
}

test('shows members, policies, tools, vulnerabilities and changes at a ledger size, and returns to now', async ({
  page,
}) => {
  await signUp(page, product.url, product.owner);
  await createOrganization(page, 'Kestrel Payments');
  const before = await signedSize(page);
  await page.request.post(`${product.url}/api/v2/policies`, {
    headers: await authorizationHeader(page),
    data: {
      name: 'Exposed secrets',
      kind: 'sla',
      mode: 'observe',
      scope: { repositories: null, branches: [], tools: [] },
      settings: { 'VUL-02': { limit: 2 } },
    },
  });
  const after = await signedSize(page);

  await test.step('by ledger size', async () => {
    await page.goto(`${product.url}/policies`);
    await expect(page.getByRole('link', { name: /Exposed secrets/ })).toBeVisible();
    await page.getByRole('button', { name: 'As of' }).click();
    const form = page.getByRole('dialog', { name: 'As of' });
    await expectAccessible(page, 'as of');
    await form.getByLabel('Ledger size').fill(`${after + 1_000_000}`);
    await form.getByRole('button', { name: 'Show size' }).click();
    await expect(form.getByText(/must be between 1 and/)).toBeVisible();
    await form.getByLabel('Ledger size').fill(`${before}`);
    await form.getByRole('button', { name: 'Show size' }).click();
    await expect(page).toHaveURL(new RegExp(`ledgerSize=1\\.${before}$`));
    await expect(page.getByText(`At ledger size ${before}`)).toBeVisible();
    await expect(page.getByText('No active policies')).toBeVisible();
    await expectAccessible(page, 'policies at a ledger size');
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: /^Download checkpoint/ }).click();
    expect((await saved).suggestedFilename()).toMatch(/^checkpoint-\d+\.txt$/);
    await page.getByRole('link', { name: 'Show the current list' }).click();
    await expect(page.getByRole('link', { name: /Exposed secrets/ })).toBeVisible();
  });

  await test.step('by time, and by a link', async () => {
    await page.goto(`${product.url}/organization/members`);
    await page.getByRole('button', { name: 'As of' }).click();
    await page.getByLabel('Time', { exact: true }).fill('2099-01-01T00:00:00');
    await page.getByRole('button', { name: 'Show time' }).click();
    await expect(page.getByText(/^At ledger size/)).toBeVisible();
    await expect(page.getByRole('row', { name: new RegExp(product.owner.name) })).toContainText('Account Owner');
    await expectAccessible(page, 'members at a ledger size');
    for (const [path, empty] of [
      ['/tools', 'No tools recorded'],
      ['/vulnerabilities', 'No open vulnerabilities recorded'],
      ['/changes', 'No changes recorded'],
    ]) {
      await page.goto(`${product.url}${path}?ledgerSize=1.${after}`);
      await expect(page.getByText(`At ledger size ${after}`)).toBeVisible();
      await expect(page.getByText(empty ?? '')).toBeVisible();
    }
  });
});
