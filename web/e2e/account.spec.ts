import { type Browser, expect, type Page } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import { expectAccessible } from './accessible.ts';
import type { Tenant } from './server.ts';
import { createOrganization, openUrl, password, signIn, signUp } from './steps.ts';
import { test } from './test.ts';

// The tests share one account and depend on their order.
test.describe.configure({ mode: 'serial' });

let product: Tenant;
let page: Page;
let secret: string;
let recoveryCodes: string[];

test.beforeAll(async ({ browser, server }) => {
  product = await server.addTenant([]);
  page = await browser.newPage({ baseURL: product.url, reducedMotion: 'reduce' });
  await signUp(page, product.url, product.owner);
  await createOrganization(page, 'Kestrel Payments');
});
test.afterAll(async () => {
  await page.context().close();
  await product.stop();
});

const section = (id: string) => page.locator(`#${id}`);
const dialog = () => page.getByRole('dialog');

/** The code of the authenticator app, `steps` of 30 seconds from now. Each code is single-use. */
const code = (steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });

/** Signing in ends when the organization was entered, which redirects as well. */
const signInCompleted = (tab: Page) => expect(tab.getByRole('button', { name: /Kestrel Payments/ })).toBeVisible();

/** Opens another browser and signs in up to the second factor. */
async function pastPassword(browser: Browser): Promise<Page> {
  const other = await browser.newPage({ baseURL: product.url });
  await openUrl(other, '/login');
  await signIn(other, product.owner);
  return other;
}

test('opens account settings from the menu and saves a changed name by keyboard alone', async () => {
  await page.goto('/organizations');
  await page.goto('/');
  await page.getByRole('button', { name: /^Account of/ }).press('Enter');
  await page.getByRole('menuitem', { name: 'Account Settings' }).press('Enter');
  await expect(page.getByRole('heading', { name: 'Account settings' })).toBeVisible();
  const save = section('profile').getByRole('button', { name: 'Save' });
  await expect(save).toBeDisabled();
  const name = page.getByLabel('Full name');
  await name.fill('   ');
  await expect(save).toBeDisabled();
  await name.fill('Ada Lovelace');
  await name.press('Enter');
  await expect(page.getByText('Your name is saved.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Account of Ada Lovelace' })).toBeVisible();
  await expect(page.getByLabel('Email', { exact: true })).toHaveAttribute('readonly');
  await expectAccessible(page, 'account');
});

test('has an address for each section', async () => {
  await page.goto('/account#sessions');
  await expect(section('sessions').getByText('This session')).toBeInViewport();
  await page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'Password' }).click();
  await expect(page).toHaveURL(/#password$/);
  await expect(section('password').getByLabel('Current password')).toBeInViewport();
});

test('explains why the login of this session cannot be disconnected', async () => {
  const disconnect = section('identity').getByRole('button', { name: /^Disconnect Email/ });
  await expect(disconnect).toBeDisabled();
  await disconnect.locator('..').hover();
  const tooltip = page.getByRole('tooltip');
  await expect(tooltip).toHaveText("You can't disconnect identity you used for login");
  // The tooltip is 10 px away from its target.
  await expect
    .poll(async () => {
      const [above, below] = [await tooltip.boundingBox(), await disconnect.locator('..').boundingBox()];
      if (!above || !below) return undefined;
      return Math.round(Math.max(below.y - (above.y + above.height), above.y - (below.y + below.height)));
    })
    .toBe(10);
  await expect(section('identity').getByRole('button', { name: 'Connect GitHub' })).toBeEnabled();
});

test('sets up an authenticator app by keyboard alone and shows recovery codes once', { tag: '@core' }, async () => {
  await page.goto('/account');
  await section('second-factor').getByRole('button', { name: 'Set up' }).press('Enter');
  secret = ((await dialog().locator('code').textContent()) ?? '').replaceAll(' ', '');
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  const field = dialog().getByRole('textbox', { name: 'Code' });
  await expect(field).toBeFocused();
  await field.fill('000000');
  await field.press('Enter');
  await expect(dialog().getByRole('alert')).toContainText('is wrong or expired');
  await expectAccessible(page, 'setting up an app');
  await field.fill(code());
  await field.press('Enter');
  await expect(page.getByRole('heading', { name: 'Save your recovery codes' })).toBeVisible();
  recoveryCodes = await dialog().getByRole('listitem').allTextContents();
  expect(recoveryCodes).toHaveLength(10);
  await expectAccessible(page, 'recovery codes');
  await page.getByRole('button', { name: 'I saved them' }).press('Enter');
  await expect(section('second-factor').getByText('10 unused')).toBeVisible();
  await expect(section('second-factor').getByText('On', { exact: true })).toBeVisible();
});

test('requires a code or a recovery code after the password', async ({ browser }) => {
  const other = await pastPassword(browser);
  await expect(other.getByRole('heading', { name: 'Confirm it is you' })).toBeVisible();
  await expectAccessible(other, 'the code');
  await other.getByLabel('Code').fill('123456');
  await other.getByRole('button', { name: 'Continue' }).click();
  await expect(other.getByRole('alert')).toContainText('is wrong');
  await other.getByLabel('Code').fill(code(1));
  await other.getByLabel('Code').press('Enter');
  await signInCompleted(other);
  await other.context().close();

  const third = await pastPassword(browser);
  await third.getByRole('link', { name: 'Use a recovery code' }).click();
  await third.getByLabel('Recovery code').fill(recoveryCodes[0] ?? '');
  await third.getByRole('button', { name: 'Continue' }).click();
  await signInCompleted(third);
  await third.context().close();
  await page.reload();
  await expect(section('second-factor').getByText('9 unused')).toBeVisible();
});

test('adds a passkey, signs in with it alone, and accepts it as a second factor', async () => {
  const protocol = await page.context().newCDPSession(page);
  await protocol.send('WebAuthn.enable');
  await protocol.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await section('second-factor').getByRole('button', { name: 'Add a passkey' }).click();
  await dialog().getByLabel('Name').fill('My laptop');
  await expectAccessible(page, 'adding a passkey');
  await dialog().getByRole('button', { name: 'Continue' }).click();
  await expect(section('second-factor').getByText('My laptop')).toBeVisible();

  await openUrl(page, '/logout');
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await expectAccessible(page, 'sign in with a passkey');
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await signInCompleted(page);
  await page.goto('/account');
  await expect(section('second-factor').getByText('last used')).toBeVisible();

  await openUrl(page, '/logout');
  await signIn(page, product.owner);
  await expect(page.getByRole('heading', { name: 'Confirm it is you' })).toBeVisible();
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await signInCompleted(page);
});

test('lists and ends a session elsewhere', async ({ browser }) => {
  const other = await pastPassword(browser);
  await other.getByRole('link', { name: 'Use a recovery code' }).click();
  await other.getByLabel('Recovery code').fill(recoveryCodes[1] ?? '');
  await other.getByRole('button', { name: 'Continue' }).click();
  await signInCompleted(other);
  await other.goto('/account');
  await expect(other.getByRole('heading', { name: 'Account settings' })).toBeVisible();

  await page.goto('/account');
  const rows = section('sessions').getByRole('listitem');
  await expect(rows.nth(1)).toBeVisible();
  await section('sessions').getByRole('button', { name: 'Sign out all others' }).press('Enter');
  await expectAccessible(page, 'ending sessions');
  await dialog().getByRole('button', { name: 'Sign out' }).click();
  await expect(rows).toHaveCount(1);
  await openUrl(other, '/account');
  await expect(other.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await other.context().close();
});

test('changes the password with the current one', async () => {
  const form = section('password');
  await form.getByLabel('Current password').fill('not the password');
  await form.getByLabel('New password').fill('short');
  await expect(form.getByText('Use at least 12 characters.')).toBeVisible();
  await form.getByLabel('New password').fill(`${password}, a new one`);
  await form.getByRole('button', { name: 'Change password' }).click();
  await expect(form.getByRole('alert')).toContainText('is not your current password');
  await expect(form.getByLabel('New password')).toHaveValue(`${password}, a new one`);
  await form.getByLabel('Current password').fill(password);
  await form.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText('Your password is changed.')).toBeVisible();
});

test('requires a member to set up a second factor if the organization requires it', async ({ browser }) => {
  await page.goto('/organization/settings');
  await page.getByRole('button', { name: 'Require it' }).click();
  await dialog().getByRole('button', { name: 'Require it' }).click();
  await expect(page.getByText('A second factor is now required.')).toBeVisible();
  await page.goto('/account');
  await expect(section('second-factor').getByText('Kestrel Payments requires one')).toBeVisible();

  const eve = { name: 'Eve Example', email: 'eve@example.org' };
  await page.goto('/organization/members');
  await page.getByRole('textbox', { name: /email/i }).first().fill(eve.email);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /^Invite/ }).click();
  await expect(page.getByText(eve.email).first()).toBeVisible();

  const other = await browser.newPage({ baseURL: product.url, reducedMotion: 'reduce' });
  await signUp(other, product.url, eve);
  await other.goto('/organizations');
  await other.getByRole('link', { name: /^Accept invitation/ }).click();
  await expect(other.getByRole('heading', { name: 'Set up a second factor' })).toBeVisible();
  await expectAccessible(other, 'setting up a required factor');
  secret = ((await other.locator('.key').textContent()) ?? '').replaceAll(' ', '');
  await other.getByRole('textbox', { name: 'Code' }).fill(code());
  await other.getByRole('button', { name: 'Continue' }).click();
  await expect(other.getByRole('heading', { name: 'Save your recovery codes' })).toBeVisible();
  await expectAccessible(other, 'codes of a required factor');
  await other.getByRole('button', { name: /continue/ }).click();
  await signInCompleted(other);
  await other.context().close();
});

test('shows account settings without an organization', async ({ browser }) => {
  const other = await browser.newPage({ baseURL: product.url });
  await signUp(other, product.url, { name: 'Sam Single', email: 'sam@example.org' });
  await expect(other).toHaveURL(/onboarding/);
  await expect(other.getByRole('button', { name: /Organization/ })).toHaveCount(0);
  await other.goto('/onboarding');
  await expect(other).toHaveURL(/\/onboarding\/setup\/1$/);
  await other.goto('/account');
  await expect(other.getByRole('heading', { name: 'Account settings' })).toBeVisible();
  await expect(other.getByText('This session')).toBeVisible();
  await other.context().close();
});
