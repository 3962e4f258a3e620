import { expect, type Page } from '@playwright/test';
import { createStory } from '../../sandbox/src/testing/repository.ts';
import { expectAccessible } from './accessible.ts';
import { expectHostConnection } from './hosts.ts';
import { type Product, sandboxOf, startProduct } from './server.ts';
import { connectSandbox, createOrganization, signUp } from './steps.ts';
import { test } from './test.ts';

let story: Awaited<ReturnType<typeof createStory>>;
let product: Product;

test.beforeAll(async () => {
  story = await createStory('widgets');
  product = await startProduct([story.path]);
});
test.afterAll(async () => {
  await product.stop();
  await story.remove();
});

const integrations = '/integrations/source-code-management';

/** Creates an API token on the pages of Bitbucket; returns it with its address. */
async function tokenOf(page: Page, login: string): Promise<{ email: string; token: string }> {
  const pages = await page.context().newPage();
  await pages.goto(`${sandboxOf(product)}/bitbucket/account/api-tokens`);
  await expect(pages.getByText('Sandbox Bitbucket')).toBeVisible();
  await pages.getByRole('button', { name: new RegExp(`^${login}`) }).click();
  const [email = '', token = ''] = await pages.locator('code').allTextContents();
  await pages.close();
  return { email, token };
}

test('connects Bitbucket by token, selects a workspace, and imports what GitHub has of the same repository', async ({
  browser,
}) => {
  const page = await (await browser.newContext({ baseURL: product.url, reducedMotion: 'reduce' })).newPage();
  await signUp(page, product.url);
  await createOrganization(page, 'Kestrel Payments');
  await connectSandbox(page, product);
  const { email, token } = await tokenOf(page, 'ada');

  await page.goto(integrations);
  await page.getByRole('button', { name: 'Connect Bitbucket', exact: true }).click();
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('button', { name: 'Use an access token' }).click();
  await drawer.getByLabel('Access token').fill(token);
  // The token is invalid without its address, and the input is preserved.
  await drawer.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(drawer.getByLabel('Email')).toHaveAttribute('aria-invalid', 'true');
  await expect(drawer.getByLabel('Access token')).toHaveValue(token);
  await expectAccessible(page, 'connecting Bitbucket');
  await drawer.getByLabel('Email').fill(email);
  await drawer.getByRole('button', { name: 'Connect', exact: true }).click();

  await drawer.getByRole('checkbox', { name: 'sandbox' }).check();
  await expectAccessible(page, 'picking workspaces');
  await drawer.getByRole('button', { name: 'Save' }).click();
  await expect(page).toHaveURL(/\/organization\/repositories/);
  await expectHostConnection(page, product, story, {
    provider: 'bitbucket',
    name: 'Bitbucket',
    path: 'sandbox/widgets',
  });
  await page.context().close();
});
