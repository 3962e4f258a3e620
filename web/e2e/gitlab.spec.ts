import { expect } from '@playwright/test';
import { createStory } from '../../sandbox/src/testing/repository.ts';
import { expectAccessible } from './accessible.ts';
import { expectHostConnection } from './hosts.ts';
import { type Product, startProduct } from './server.ts';
import { createOrganization, signUp } from './steps.ts';
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

test('connects GitLab during setup, selects a group, and imports what GitHub has of the same repository', async ({
  browser,
}) => {
  const page = await (await browser.newContext({ baseURL: product.url, reducedMotion: 'reduce' })).newPage();
  await signUp(page, product.url);
  await createOrganization(page, 'Kestrel Payments');
  // Starts in the setup and returns to it.
  await page.getByRole('link', { name: 'Connect GitLab' }).click();
  const drawer = page.getByRole('dialog');
  await expect(drawer.getByRole('heading', { name: 'Connect GitLab' })).toBeVisible();
  await expectAccessible(page, 'connecting GitLab');
  await drawer.getByRole('button', { name: 'Sign in with GitLab' }).click();
  await page.getByRole('button', { name: /^ada/ }).click();

  await expect(page).toHaveURL(/setup=gitlab/);
  await expect(drawer.getByText('by ada, signed in')).toBeVisible();
  await drawer.getByRole('checkbox', { name: 'sandbox', exact: true }).check();
  await expect(drawer.getByRole('checkbox', { name: /^sandbox\/code/ })).toBeDisabled();
  await expectAccessible(page, 'picking groups');
  await drawer.getByRole('button', { name: 'Save' }).click();
  await expect(page).toHaveURL(/\/onboarding\/setup\/3/);
  await expect(page.getByText('sandbox/code').first()).toBeVisible();

  await page.goto('/integrations/source-code-management');
  await page.getByRole('button', { name: 'Connect Sandbox GitHub' }).click();
  await page.getByRole('button', { name: /^install/i }).click();
  await expect(page.getByRole('button', { name: 'Manage GitHub' })).toBeVisible();
  await expectHostConnection(page, product, story, {
    provider: 'gitlab',
    name: 'GitLab',
    path: 'sandbox/code/widgets',
  });
  await page.context().close();
});
