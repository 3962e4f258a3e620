import { type Browser, type BrowserContext, expect, type Page } from '@playwright/test';
import { expectAccessible, withoutFrame } from './accessible.ts';
import { type Screen, screens, visit } from './screens.ts';
import { type Product, startProduct } from './server.ts';
import {
  connectSandbox,
  createOrganization,
  enableAllRepositories,
  importsCompleted,
  openOutbox,
  openUrl,
  signUp,
} from './steps.ts';
import { test } from './test.ts';

let product: Product;
let context: BrowserContext;
let page: Page;

test.beforeAll(async ({ browser }) => {
  product = await startProduct();
  context = await browser.newContext({ baseURL: product.url, reducedMotion: 'reduce' });
  page = await context.newPage();
  await openOutbox(context);
});
test.afterAll(async () => {
  await context.close();
  await product.stop();
});

// One account visits all screens. The setup steps are checked on the way, since they cannot be visited again.
test('has no accessibility violations on any page, dialog or menu', async ({ browser }) => {
  test.setTimeout(900_000);
  await test.step('sign-in pages', () => checkSignInPages(browser));
  const repository = await pathOfRepository();
  // Two pages share the screens, so that one is checked while the other waits for the server.
  const pages = [page, await context.newPage()];
  await Promise.all(
    pages.map(async (each, turn) => {
      for (const screen of screens(repository).filter((_, index) => index % pages.length === turn)) {
        await test.step(screen.path, () =>
          visit(each, screen, (name, sizes) => expectAccessible(each, name, { sizes, context: frameOf(screen) })),
        );
      }
    }),
  );
  await test.step('the error dialog', checkErrorDialog);
  await test.step('the organization chooser', checkOrganizationChooser);
});

/** The frame is the same on every page, so it is checked on the first one only, with its menus. */
const frameOf = ({ path }: Screen) => (path === '/' ? undefined : withoutFrame);

async function checkSignInPages(browser: Browser): Promise<void> {
  await signUp(page, product.url);
  await expect(page).toHaveURL(/onboarding\/setup\/1/);
  await expectAccessible(page, 'setup 1');
  await createOrganization(page, 'Kestrel Payments');
  await expect(page.getByRole('button', { name: /connect/i })).toBeVisible();
  await expectAccessible(page, 'setup 2');
  await page.goto('/repositories');
  await expect(page.getByText('Github not connected')).toBeVisible();
  await expectAccessible(page, 'repositories, not connected');
  await page.goto('/onboarding/setup/2');
  await connectSandbox(page, product);
  await expect(page.getByRole('button', { name: /^Select all/ })).toBeVisible();
  await expectAccessible(page, 'setup 3');
  await page.goto('/repositories');
  await expect(page.getByText('No repositories enabled for this organization')).toBeVisible();
  await expectAccessible(page, 'repositories, none enabled');
  await page.goto('/onboarding/setup/3');
  await enableAllRepositories(page);
  await importsCompleted(page, product.url);

  const visit = await browser.newContext({ baseURL: product.url, reducedMotion: 'reduce' });
  const signedOutPage = await visit.newPage();
  await openUrl(signedOutPage, '/login');
  await signedOutPage.getByLabel('Email').fill('nobody@example.org');
  await signedOutPage.getByLabel('Password').fill('wrong');
  await expectAccessible(signedOutPage, 'sign in');
  await signedOutPage.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(signedOutPage.getByRole('alert')).toBeVisible();
  await expectAccessible(signedOutPage, 'sign in, refused');
  await openUrl(signedOutPage, '/signup');
  await signedOutPage.getByLabel('Full name').fill(' ');
  await signedOutPage.getByLabel('Email').fill('eve@example.org');
  await signedOutPage.getByLabel('Password').fill('short');
  await signedOutPage.getByRole('button', { name: 'Create account' }).click();
  await expect(signedOutPage.getByText('Use at least 12 characters.')).toBeVisible();
  await expectAccessible(signedOutPage, 'sign up, refused');
  await visit.close();
}

async function pathOfRepository(): Promise<string> {
  await page.goto('/repositories');
  return (await page.getByRole('link', { name: /widgets/ }).getAttribute('href')) ?? '';
}

async function checkErrorDialog(): Promise<void> {
  await page.goto('/repositories');
  await page.route('**/api/v2/auth0mgm/user/organizations*', (route) =>
    route.fulfill({
      status: 500,
      json: { code: 'internal', message: 'Something failed.', cause: 'A cause.', requestId: '1' },
    }),
  );
  await page.goto('/organizations');
  await expect(page.getByRole('dialog', { name: 'Error' })).toBeVisible();
  await expect(page.getByRole('dialog', { name: 'Error' })).toContainText('Something failed.');
  await expectAccessible(page, 'error dialog');
  await page.unroute('**/api/v2/auth0mgm/user/organizations*');
}

async function checkOrganizationChooser(): Promise<void> {
  await page.goto('/organizations');
  await page.getByRole('button', { name: 'Create New Organization' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Heron Logistics');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('button', { name: /^Organization: Heron Logistics/ })).toBeVisible();
  await openUrl(page, '/explore?organization=org_nobody');
  await expect(page.getByRole('heading', { name: 'Welcome' })).toBeVisible();
  await expectAccessible(page, 'chooser');
}
