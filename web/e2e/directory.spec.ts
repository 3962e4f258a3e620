import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { type Product, sandboxOf, startProduct } from './server.ts';
import { createOrganization, signUp } from './steps.ts';
import { test } from './test.ts';

let product: Product;
test.beforeAll(async () => {
  product = await startProduct();
});
test.afterAll(() => product?.stop());

/** The row of a user on the page of the directory. */
const rowOf = (page: Page, address: string) => page.getByRole('row').filter({ hasText: address });

test('connects the directory of the sandbox, follows its changes, and catches up after a revoked token', async ({
  browser,
  page,
  context,
}) => {
  test.setTimeout(240_000);
  const grace = 'grace.hopper@sandbox.example';
  const directory = await context.newPage();
  let visited = page;
  await signUp(page, product.url, { name: 'Ada Byron', email: 'ada.byron@example.org' });
  await createOrganization(page, 'Kestrel Payments');

  await test.step('shows address and token once', async () => {
    await page.goto(`${product.url}/integrations/directories`);
    await expectAccessible(page, 'no directory');
    await page.getByRole('button', { name: 'Connect Directory' }).click();
    await page.getByRole('combobox', { name: 'Product' }).click();
    await page.getByRole('option', { name: 'Microsoft Entra ID' }).click();
    await expectAccessible(page, 'the form of the directory');
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await expect(page.getByRole('dialog', { name: 'The directory is connected' })).toBeVisible();
    await expectAccessible(page, 'the token of the directory');
  });
  await test.step('receives the users of the sandbox, without access until the domain is verified', async () => {
    await enterToken(page, directory);
    await page.getByRole('button', { name: 'Done' }).click();
    await expect(rowOf(page, grace)).toContainText('The domain of the address is not verified');
    await page.getByRole('button', { name: 'Test connection' }).click();
    await expect(page.getByText(/No domain of the organization is verified/)).toBeVisible();
    await product.sightline('org', 'verify-domain', 'kestrel-payments', 'sandbox.example');
    await expect(rowOf(page, grace)).toContainText('Code Contributor', { timeout: 90_000 });
    await expectAccessible(page, 'users of the directory');
  });
  await test.step('gives the role of a group', async () => {
    await page.getByRole('button', { name: 'Add a group' }).click();
    await page.getByRole('combobox', { name: 'Group', exact: true }).fill('Security');
    await page.getByRole('combobox', { name: 'Role', exact: true }).click();
    await page.getByRole('option', { name: 'Digest Reviewer' }).click();
    await page.getByRole('button', { name: 'Save roles' }).click();
    await expect(rowOf(page, grace)).toContainText('Digest Reviewer', { timeout: 60_000 });
  });
  await test.step('signs a provisioned person in with the SAML identity provider of the sandbox', async () => {
    await page.goto(`${product.url}/organization/settings`);
    await page.getByRole('button', { name: 'Connect SAML' }).click();
    const dialog = page.getByRole('dialog');
    await expectAccessible(page, 'the form of the SAML login');
    const reply = await dialog.getByRole('textbox', { name: 'Reply URL (ACS)' }).inputValue();
    await dialog.getByLabel('Name', { exact: true }).fill('Sandbox Corp');
    await dialog.getByRole('textbox', { name: 'Metadata URL' }).fill(`${sandboxOf(product)}/saml/metadata`);
    await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
    await expect(page.getByText(/Sandbox Corp \(/)).toBeVisible();
    await expectAccessible(page, 'a connected SAML login');
    const organization = /saml-([0-9a-f-]{36})/.exec(reply)?.[1] ?? '';
    const visitor = await (await browser.newContext()).newPage();
    await visitor.goto(`${product.url}/login?organization=${organization}`);
    await visitor.getByRole('link', { name: 'Continue with Sandbox Corp' }).click();
    await visitor.getByRole('button', { name: /Grace Hopper/ }).click();
    await visitor.getByRole('button', { name: 'Continue' }).click();
    await expect(visitor.getByRole('navigation', { name: 'Main' })).toBeVisible({ timeout: 30_000 });
    await visitor.goto(`${product.url}/organization/members`);
    await expect(rowOf(visitor, grace)).toContainText('Digest Reviewer');
    visited = visitor;
    await page.goto(`${product.url}/integrations/directories/directory`);
  });
  await test.step('ends the access of a person who leaves', async () => {
    await directory.getByRole('button', { name: 'Deactivate Grace' }).click();
    await expect(rowOf(page, grace)).toContainText('No access');
    await expect(rowOf(page, grace)).toContainText('Inactive');
    // The open page of the person shows that the access ended.
    await expect(visited.getByRole('navigation', { name: 'Main' })).toHaveCount(0, { timeout: 30_000 });
    await visited.context().close();
  });
  await test.step('receives nothing with a revoked token, and everything with the new one', async () => {
    await page.getByRole('button', { name: 'Rotate token' }).click();
    await page.getByLabel('Revoke the previous token at once').check();
    await page.getByRole('button', { name: 'Rotate', exact: true }).click();
    await expect(page.getByRole('dialog', { name: 'The token is rotated' })).toBeVisible();
    await directory.getByRole('button', { name: 'Activate Grace' }).click();
    await expect(directory.getByText(/: 401 /).first()).toBeVisible();
    await expect(rowOf(page, grace)).toContainText('Inactive');
    await enterToken(page, directory);
    await page.getByRole('button', { name: 'Done' }).click();
    await expect(rowOf(page, grace)).toContainText('Digest Reviewer');
    await expect(page.getByRole('row')).toHaveCount(5);
  });
  await test.step('disconnects, and members keep their access', async () => {
    await page.getByRole('button', { name: 'Disconnect' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
    await expect(page.getByText('No directory is connected')).toBeVisible();
    await page.goto(`${product.url}/organization/members`);
    await expect(rowOf(page, grace)).toContainText('Digest Reviewer');
  });
});

/** Copies address and token of the dialog into the sandbox, which sends its content at once. */
async function enterToken(page: Page, directory: Page): Promise<void> {
  const dialog = page.getByRole('dialog');
  await directory.goto(`${sandboxOf(product)}/directory`);
  await directory
    .getByLabel('Address')
    .first()
    .fill(await dialog.getByLabel('Address').inputValue());
  await directory.getByLabel('Token').fill(await dialog.getByLabel('Token').inputValue());
  await directory.getByRole('button', { name: 'Save and synchronize' }).click();
  await expect(directory.getByText('Last synchronization')).toBeVisible();
}
