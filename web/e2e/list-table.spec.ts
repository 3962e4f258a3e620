import { readFile } from 'node:fs/promises';
import { expect } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { type Product, startProduct } from './server.ts';
import { createOrganization, signUp } from './steps.ts';
import { test } from './test.ts';

let product: Product;
test.beforeAll(async () => {
  product = await startProduct();
});
test.afterAll(() => product?.stop());

test('hides a column, saves it as a view with a filter, and exports the rows of the filter', async ({ page }) => {
  await signUp(page, product.url, { name: 'Ada Byron', email: 'ada.byron@example.org' });
  await createOrganization(page, 'Kestrel Payments');
  await page.goto(`${product.url}/organization/members?role=rol_owner`);
  const table = page.getByRole('table', { name: 'Members' });
  await expect(table.getByRole('columnheader', { name: /Status/ })).toBeVisible();

  await test.step('hides a column', async () => {
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Status' }).click();
    await expect(table.getByRole('columnheader', { name: /Status/ })).toBeHidden();
    await expectAccessible(page, 'the columns of a list');
    await page.keyboard.press('Escape');
  });
  await test.step('saves the view and opens it again', async () => {
    await page.getByRole('button', { name: 'Views', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Save this view…' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Owners');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByRole('button', { name: 'Owners', exact: true })).toBeVisible();
    await page.goto(`${product.url}/organization/members`);
    await expect(table.getByRole('columnheader', { name: /Status/ })).toBeVisible();
    await page.getByRole('button', { name: 'Views', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Owners', exact: true }).click();
    await expect(table.getByRole('columnheader', { name: /Status/ })).toBeHidden();
    expect(page.url()).toContain('role=rol_owner');
  });
  await test.step('exports the rows', async () => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^members-kestrel-payments-.*\.csv$/);
    const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain('"Ada Byron","ada.byron@example.org","Account Owner","active"');
    await expect(page.getByText('The members were exported.')).toBeVisible();
  });
});
