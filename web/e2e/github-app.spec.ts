import { generateKeyPairSync } from 'node:crypto';
import { expect } from '@playwright/test';
import { type Sandbox, startSandbox } from '../../sandbox/src/server.ts';
import { createStory } from '../../sandbox/src/testing/repository.ts';
import { expectAccessible } from './accessible.ts';
import { type Product, startProduct } from './server.ts';
import { createOrganization, signUp } from './steps.ts';
import { test } from './test.ts';

let story: Awaited<ReturnType<typeof createStory>>;
let github: Sandbox;
let product: Product;

// An Enterprise Server without an app: the product knows only its URL.
test.beforeAll(async () => {
  story = await createStory('widgets');
  const { publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  github = await startSandbox({
    port: 0,
    repositories: [story.path],
    webhookSecret: 'a secret of webhooks',
    publicKeyPem: publicKey,
    appId: 1,
    appSlug: 'nobody',
    clientId: 'nobody',
    clientSecret: 'a secret',
  });
  product = await startProduct([story.path], () => ({ SANDBOX: 'off', GITHUB_URL: github.url }));
});
test.afterAll(async () => {
  await product.stop();
  await github.close();
  await story.remove();
});

test('creates a GitHub App, connects an account with it, and disconnects it', async ({ browser }) => {
  const context = await browser.newContext({ baseURL: product.url, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await signUp(page, product.url);
  await createOrganization(page, 'Kestrel Payments');
  await page.goto('/integrations/source-code-management');
  const card = page.getByRole('listitem', { name: 'GitHub' });
  await expect(card.getByText('No GitHub app is configured on this server.')).toBeVisible();
  const opened = context.waitForEvent('page');
  await card.getByRole('link', { name: /^Set up the GitHub app/ }).click();
  const setup = await opened;

  await test.step('requires a code of the command line', async () => {
    await setup.getByLabel('Setup code').fill('guessed');
    await setup.getByRole('button', { name: 'Continue' }).click();
    await expect(setup.getByText('The code is wrong')).toBeVisible();
    await expectAccessible(setup, 'a code that is not right');
    const { code } = JSON.parse(await product.sightline('github-app', '--json')) as { code: string };
    await setup.getByLabel('Setup code').fill(code);
    await setup.getByRole('button', { name: 'Continue' }).click();
  });

  await test.step('creates the app at GitHub from a manifest and returns', async () => {
    await expectAccessible(setup, 'continuing on GitHub');
    await setup.getByRole('button', { name: 'Create the app on GitHub' }).click();
    await expect(setup).toHaveURL(new RegExp(`^${github.url}/settings/apps/new`));
    await setup.getByRole('button', { name: 'Create GitHub App' }).click();
    await expect(setup.getByRole('heading', { name: 'The GitHub app is set up' })).toBeVisible();
    await setup.getByRole('link', { name: 'Go to integrations' }).click();
  });

  await test.step('installs the app and connects the account', async () => {
    await page.reload();
    await card.getByRole('button', { name: 'Connect GitHub' }).click();
    await page.getByRole('button', { name: /^install/i }).click();
    await expect(page).toHaveURL(`${product.url}/integrations/source-code-management`);
    await expect(card.getByText('Active')).toBeVisible();
  });

  await test.step('disconnects the account and uninstalls the app', async () => {
    expect(github.host.installations.size).toBe(1);
    await card.getByRole('button', { name: 'Manage GitHub' }).click();
    const drawer = page.getByRole('dialog', { name: 'GitHub' });
    await expect(drawer.getByRole('listitem', { name: 'sandbox' })).toContainText('1 repository');
    await expectAccessible(page, 'accounts of GitHub');
    await drawer.getByRole('button', { name: 'Disconnect GitHub, sandbox' }).click();
    const dialog = page.getByRole('dialog', { name: 'Disconnect GitHub, sandbox?' });
    await dialog.getByRole('button', { name: 'Disconnect' }).click();
    await expect(page.getByText('GitHub, sandbox is disconnected.')).toBeVisible();
    await expect(drawer.getByText('No connected accounts.')).toBeVisible();
    await expect(async () => expect(github.host.installations.size).toBe(0)).toPass();
  });
  await context.close();
});
