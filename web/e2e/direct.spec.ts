import { expect } from '@playwright/test';
import { type Product, startProduct } from './server.ts';
import { openUrl } from './steps.ts';
import { test } from './test.ts';

// The product has a separate server. The issuer on another origin rejects additional request headers.
test.use({ extraHTTPHeaders: {} });

let product: Product;
test.beforeAll(async () => {
  product = await startProduct(undefined, (sandbox) => ({
    OIDC_ISSUER: `${sandbox}/oidc`,
    OIDC_CLIENT_ID: 'sightline-pages',
  }));
});
test.afterAll(() => product.stop());

test('signs in at an outside issuer with organizations of this server', async ({ page }) => {
  await openUrl(page, `${product.url}/onboarding`);
  const form = page.getByRole('group', { name: 'Another person' });
  await form.getByLabel('Login').fill('tess');
  await form.getByLabel('Email', { exact: true }).fill('tess@tenant.example');
  await page.getByRole('button', { name: 'Authorize as another person' }).click();
  await expect(page).toHaveURL(/onboarding\/setup\/1/);
  await page.getByLabel(/name/i).fill('Kestrel Payments');
  await page.getByRole('button', { name: /continue/i }).click();
  // Entering the organization requires another sign-in, for which the issuer prompts again.
  await page.getByRole('button', { name: 'tess' }).click();
  await expect(page).toHaveURL(/onboarding\/setup\/2/);
  const token = await page.evaluate(() => localStorage.getItem('accessToken') ?? '');
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;
  expect(claims).toMatchObject({
    email: 'tess@tenant.example',
    orgID: await page.evaluate(() => localStorage.getItem('organization')),
    authorization: { roles: ['Account Owner'] },
  });
  await page.goto(`${product.url}/account`);
  await expect(page.getByText('You sign in through')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Password' })).toHaveCount(0);
  await openUrl(page, `${product.url}/logout`);
  await expect(page.getByRole('group', { name: 'Another person' })).toBeVisible();
});
