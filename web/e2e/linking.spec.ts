import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { type Product, startProduct } from './server.ts';
import { ada, createOrganization, linkInMail, openUrl, password, signIn, signUp } from './steps.ts';
import { test } from './test.ts';

// The tests share one account and depend on their order.
test.describe.configure({ mode: 'serial' });

let product: Product;

test.beforeAll(async ({ browser }) => {
  product = await startProduct();
  const page = await browser.newPage();
  await signUp(page, product.url);
  await createOrganization(page, 'Kestrel Payments');
  await page.close();
});
test.afterAll(() => product.stop());

interface SandboxPerson {
  login: string;
  email: string;
  confirmed?: boolean;
}

/** Selects a person at the sandbox who is unknown to it. */
async function selectNewPerson(page: Page, { login, email, confirmed = true }: SandboxPerson): Promise<void> {
  const form = page.getByRole('group', { name: 'Another person' });
  await form.getByLabel('Login').fill(login);
  await form.getByLabel('Email', { exact: true }).fill(email);
  await form.getByLabel('The email is confirmed').setChecked(confirmed);
  await page.getByRole('button', { name: 'Authorize as another person' }).click();
}

const continueWith = (page: Page, label: string) => page.getByRole('link', { name: `Continue with ${label}` }).click();

for (const label of ['GitHub', 'Google']) {
  test(`signs in a new person with ${label} and asks for an organization`, async ({ page }) => {
    await openUrl(page, `${product.url}/login`);
    await expect(page.getByLabel('Password')).toBeVisible();
    await expectAccessible(page, 'sign in with buttons');
    await continueWith(page, label);
    await selectNewPerson(page, { login: `new-${label.toLowerCase()}`, email: `new.${label}@example.org` });
    await expect(page).toHaveURL(/onboarding\/setup\/1/);
  });
}

test('returns to the sign-in with a message after canceling', async ({ page }) => {
  await openUrl(page, `${product.url}/login`);
  await continueWith(page, 'GitHub');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('alert')).toHaveText('You canceled the sign-in with GitHub.');
});

test('confirms an unconfirmed address by e-mail', async ({ page }) => {
  await openUrl(page, `${product.url}/login`);
  await continueWith(page, 'GitHub');
  await selectNewPerson(page, { login: 'unsure', email: 'unsure@example.org', confirmed: false });
  await expect(page.getByRole('heading', { name: 'Confirm your email' })).toBeVisible();
  await expectAccessible(page, 'confirm address');
  await expect(page.getByLabel('Email')).toHaveValue('unsure@example.org');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/auth\/verify\?.*user_id=/);
  await expect(page.getByRole('heading', { name: 'Confirm your email' })).toBeVisible();
  await expect(page.getByText(/^An email was sent/)).toBeVisible();
  await page.goto(await linkInMail(product.url, 'unsure@example.org', '/oidc/verify'));
  await page.getByRole('button', { name: /confirm/i }).click();
  await expect(page).toHaveURL(/onboarding\/setup\/1/);
});

test('proves the address of an account by signing in to it, and connects the login', async ({ page }) => {
  await openUrl(page, `${product.url}/login`);
  await continueWith(page, 'Google');
  await selectNewPerson(page, { login: 'ada-google', email: ada.email });
  await expect(page.getByRole('heading', { name: 'You already have an account' })).toBeVisible();
  await expectAccessible(page, 'prove the account');
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in and connect Google' }).click();
  await expect(page.getByRole('button', { name: /Kestrel Payments/ })).toBeVisible();
});

test.describe('signed in', () => {
  // Connecting a login requires a recent sign-in.
  test.beforeEach(async ({ page }) => {
    await openUrl(page, `${product.url}/login`);
    await signIn(page);
    await expect(page.getByRole('button', { name: /^Account of/ })).toBeVisible();
  });

  test('connects and disconnects GitHub in account settings by keyboard alone', async ({ page }) => {
    await page.goto(`${product.url}/account`);
    await page.getByRole('button', { name: 'Connect GitHub' }).click();
    await selectNewPerson(page, { login: 'ada-codes', email: 'ada@code.example' });
    await expect(page).toHaveURL(/\/account/);
    const disconnect = page.getByRole('button', { name: /^Disconnect GitHub/ });
    await expect(disconnect).toBeVisible();
    await disconnect.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await expect(dialog).toBeVisible();
    await dialog.getByRole('button', { name: 'Disconnect' }).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: 'Connect GitHub' })).toBeVisible();
  });

  test('reports a cancellation at the other service and changes nothing', async ({ page }) => {
    await page.goto(`${product.url}/account`);
    await page.getByRole('button', { name: 'Connect GitHub' }).click();
    // The previous page has cancel buttons of its own.
    await expect(page).not.toHaveURL(/\/account/);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByRole('heading', { name: 'Accounts not linked' })).toBeVisible();
    await expectAccessible(page, 'link, cancelled');
    await page.getByRole('link', { name: 'Go back' }).click();
    await expect(page).toHaveURL(/\/account/);
    await page.goto(`${product.url}/link?error=other-account&path=//evil.example`);
    await expect(page.getByRole('heading', { name: 'Failed to link identities' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Go back' })).not.toHaveAttribute('href', /evil/);
  });

  test('finds and merges an account of the same person', async ({ page, browser }) => {
    const other = { name: 'Ada at home', email: 'ada.home@example.org' };
    const elsewhere = await browser.newPage();
    await signUp(elsewhere, product.url, other);
    await elsewhere.close();

    await page.goto(`${product.url}/account`);
    await page.getByRole('button', { name: 'Connect GitHub' }).click();
    await selectNewPerson(page, { login: 'ada-home', email: other.email });
    await expect(page).toHaveURL(/\/account/);
    await page.getByRole('button', { name: /^Link a\*\*\*@/ }).click();
    await expect(page.getByRole('heading', { name: 'Sign in to the other account' })).toBeVisible();
    await expectAccessible(page, 'sign in to the other account');
    await signIn(page, other);
    await expect(page.getByRole('heading', { name: 'Link two accounts' })).toBeVisible();
    await expectAccessible(page, 'link two accounts');
    await page.getByRole('button', { name: 'Link the accounts' }).click();
    await expect(page).toHaveURL(/\/account/);
    await expect(page.getByText('No other account shares a confirmed email address')).toBeVisible();

    const mergedAccountPage = await browser.newPage();
    await openUrl(mergedAccountPage, `${product.url}/login`);
    await signIn(mergedAccountPage, other);
    await expect(mergedAccountPage.getByRole('alert')).toContainText('is wrong');
    await mergedAccountPage.close();
  });
});
