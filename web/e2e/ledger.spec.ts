import { type BrowserContext, expect, type Page } from '@playwright/test';
import { startGitServer } from '../../server/src/testing/git-server.ts';
import { expectAccessible } from './accessible.ts';
import type { Tenant } from './server.ts';
import { createOrganization, signUp } from './steps.ts';
import { test } from './test.ts';

let product: Tenant;
let remote: Awaited<ReturnType<typeof startGitServer>>;
let context: BrowserContext;
let page: Page;

test.beforeAll(async ({ browser, server }) => {
  remote = await startGitServer();
  product = await server.addTenant([]);
  context = await browser.newContext({ baseURL: product.url, reducedMotion: 'reduce' });
  page = await context.newPage();
});
test.afterAll(async () => {
  await context.close();
  await product.stop();
  await remote.close();
});

test('shows cosigners of the ledger, anchors a checkpoint, and verifies an entry in the browser', {
  tag: '@core',
}, async () => {
  await signUp(page, product.url, product.owner);
  await createOrganization(page, 'Kestrel Payments');
  await page.goto('/ledger');
  await expect(page.getByText('No external anchor configured.')).toBeVisible();
  await expectAccessible(page, 'ledger, nobody else vouches');

  await test.step('adds an anchor', async () => {
    await page.getByRole('button', { name: 'Add anchor' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Add anchor' });
    await dialog.getByRole('combobox', { name: 'Kind' }).click();
    await page.getByRole('option', { name: 'Git repository' }).click();
    await dialog.getByLabel('Name', { exact: true }).fill('Auditors');
    await dialog.getByLabel('Repository URL').fill(remote.url);
    await dialog.getByLabel('Token').fill('wrong');
    await expectAccessible(page, 'add anchor');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    const row = page.getByRole('row', { name: /Auditors/ });
    await expect(row.getByText('Failing')).toBeVisible();
    await expect(row.getByText(/rejects the token/)).toBeVisible();
    await page.getByRole('button', { name: 'Actions for Auditors' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    const change = page.getByRole('dialog', { name: 'Edit Auditors' });
    await change.getByLabel('New token').fill(remote.token);
    await change.getByRole('button', { name: 'Save' }).click();
    await expect(row.getByText('Active')).toBeVisible();
    await expect(page.getByText('No external anchor configured.')).toBeHidden();
    await expect.poll(() => remote.git('ls-tree', '-r', '--name-only', 'main')).toMatch(/epoch-1\/\d+\.checkpoint/);
  });

  await test.step('lists the signing keys to print, as the public address returns them', async () => {
    await page.getByRole('link', { name: 'signing keys' }).click();
    await expect(page.getByRole('heading', { name: 'Signing keys', level: 1 })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Print' })).toBeVisible();
    const address = await page.getByText(/\/\.well-known\/sightline\/ledger-keys\/[0-9a-f-]+$/).textContent();
    const keys = await (await fetch(address ?? '')).text();
    await expect(page.getByText(keys.trim())).toBeVisible();
    const pemAddress = await page.getByText(/\/ledger-keys\/[0-9a-f-]+\/pem$/).textContent();
    const pem = await (await fetch(pemAddress ?? '')).text();
    expect(pem).toContain(await page.getByText('BEGIN PUBLIC KEY').textContent());
    await expectAccessible(page, 'signing keys');
    await page.getByRole('link', { name: 'Ledger', exact: true }).first().click();
  });

  await test.step('shows its result and response', async () => {
    await page.getByRole('button', { name: 'Actions for Auditors' }).click();
    await page.getByRole('menuitem', { name: 'Show attempts' }).click();
    const dialog = page.getByRole('dialog', { name: 'Attempts for Auditors' });
    await expect(dialog.getByText(/rejects the token/)).toBeVisible();
    await expectAccessible(page, 'attempts');
    const saved = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Download receipt' }).first().click();
    expect((await saved).suggestedFilename()).toMatch(/^checkpoint-\d+\.txt$/);
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
    await expect(dialog).toBeHidden();
  });

  await test.step('verifies an entry in the browser', async () => {
    await page.getByLabel('Entry', { exact: true }).fill('0');
    await page.getByRole('button', { name: 'Find entry' }).click();
    await expect(page.getByText('Checked in this browser.')).toBeVisible();
    await expect(page).toHaveURL(/entry=0/);
    await expectAccessible(page, 'an entry of the ledger');
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download proof' }).click();
    expect((await saved).suggestedFilename()).toMatch(/\.tlog-proof$/);
  });

  await test.step('compares the checkpoint of auditors', async () => {
    const [name = ''] = (await remote.git('ls-tree', '-r', '--name-only', 'main')).split('\n');
    const anchored = await remote.git('show', `main:${name}`);
    await page.getByLabel('An earlier checkpoint').fill(anchored);
    await page.getByRole('button', { name: 'Check consistency' }).click();
    await expect(page.getByText(/are identical to those of the earlier log/)).toBeVisible();
    // The root with one changed byte, which was never signed.
    const [origin, size, root = '', ...rest] = anchored.split('\n');
    const forged = [origin, size, `${root.startsWith('A') ? 'B' : 'A'}${root.slice(1)}`, ...rest].join('\n');
    await page.getByLabel('An earlier checkpoint').fill(forged);
    await page.getByRole('button', { name: 'Check consistency' }).click();
    await expect(page.getByText('Verification failed.')).toBeVisible();
    await expectAccessible(page, 'a checkpoint that does not verify');
  });
});
