import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, expect, type Page, test } from '@playwright/test';
import { narrow } from '../../web/e2e/accessible.ts';
import { type Screen, screens, visit } from '../../web/e2e/screens.ts';
import { startProduct } from '../../web/e2e/server.ts';
import {
  connectSandbox,
  createOrganization,
  enableAllRepositories,
  importsCompleted,
  openUrl,
  signUp,
} from '../../web/e2e/steps.ts';
import { fixTime, followRequests, takeStableScreenshot, waitUntilSettled } from './still.ts';

const wide = { width: 1440, height: 900 };
const sizes = [wide, narrow];
const schemes = ['light', 'dark'] as const;
// Some screens contain the address, so the port is fixed.
const port = 3900;

const folder = process.env.PICTURES ?? '';

// Takes every screen of the accessibility walk, light and dark, wide and narrow, as PNG files.
test('every screen', async () => {
  const began = Date.now();
  const product = await startProduct(undefined, undefined, port);
  const browser = await chromium.launch({
    ...(process.env.CHROMIUM_PATH !== undefined && { executablePath: process.env.CHROMIUM_PATH }),
    args: ['--disable-lcd-text', '--font-render-hinting=none', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  });
  try {
    const context = await newContext(browser, product.url);
    // A page with a running clock renews the session for the others.
    const keeper = await context.newPage();
    await setupScreens(keeper, product.url);
    await importsCompleted(keeper, product.url);
    const page = await stillPage(context, began);
    const repository = await pathOfRepository(page);
    for (const screen of screens(repository).filter(isReproducible)) {
      await visit(page, screen, (name, of) => picture(page, name, of));
    }
    await finding(page);
    await failed(page);
    await signedOutScreens(await stillPage(await newContext(browser, product.url), began));
  } finally {
    await browser.close();
    await product.stop();
  }
});

const still = { viewport: wide, reducedMotion: 'reduce', locale: 'en-GB', timezoneId: 'UTC' } as const;

/** A page that verifies an entry by its hash detects the changed time. */
const isReproducible = ({ path }: Screen) => !path.startsWith('/ledger?entry=');

async function newContext(browser: Browser, baseURL: string): Promise<BrowserContext> {
  const context = await browser.newContext({ ...still, baseURL });
  followRequests(context);
  return context;
}

async function stillPage(context: BrowserContext, began: number): Promise<Page> {
  await fixTime(context, began);
  return context.newPage();
}

/** Takes the steps of the setup, which run once. */
async function setupScreens(page: Page, url: string): Promise<void> {
  await signUp(page, url);
  await picture(page, 'setup 1');
  await createOrganization(page, 'Kestrel Payments');
  await expect(page.getByRole('button', { name: /connect/i })).toBeVisible();
  await picture(page, 'setup 2');
  await page.goto('/repositories');
  await expect(page.getByText('Github not connected')).toBeVisible();
  await picture(page, 'repositories, not connected');
  await page.goto('/tools');
  await expect(page.getByText('No tools detected')).toBeVisible();
  await picture(page, 'tools, nothing yet');
  await page.goto('/vulnerabilities');
  await expect(page.getByText('No vulnerabilities detected')).toBeVisible();
  await picture(page, 'vulnerabilities, nothing yet');
  await page.goto('/onboarding/setup/2');
  await connectSandbox(page, { account: 'sandbox' });
  await expect(page.getByRole('button', { name: /^Select all/ })).toBeVisible();
  await picture(page, 'setup 3');
  await enableAllRepositories(page);
}

async function pathOfRepository(page: Page): Promise<string> {
  await page.goto('/repositories');
  return (await page.getByRole('link', { name: /widgets/ }).getAttribute('href')) ?? '';
}

async function finding(page: Page): Promise<void> {
  await page.goto('/vulnerabilities');
  await page.getByRole('table', { name: 'Vulnerabilities' }).getByRole('link').first().click();
  await expect(page.getByRole('heading', { name: 'Activity' })).toBeVisible();
  await picture(page, 'a finding');
}

async function failed(page: Page): Promise<void> {
  const json = { code: 'internal', message: 'Something failed.', requestId: '0197-example' };
  await page.route('**/api/v2/repositories?*', (route) => route.fulfill({ status: 500, json }));
  await page.goto('/repositories');
  await expect(page.getByText('Something failed.').first()).toBeVisible();
  await picture(page, 'repositories, failed');
  await page.unroute('**/api/v2/repositories?*');
}

async function signedOutScreens(page: Page): Promise<void> {
  await openUrl(page, '/login');
  await page.getByLabel('Password').waitFor();
  await picture(page, 'sign in');
  await page.getByLabel('Email').fill('nobody@example.org');
  await page.getByLabel('Password').fill('wrong');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await picture(page, 'sign in, refused');
  await openUrl(page, '/signup');
  await page.getByLabel('Full name').waitFor();
  await picture(page, 'sign up');
}

async function picture(page: Page, name: string, of = sizes): Promise<void> {
  await waitUntilSettled(page);
  for (const size of of) {
    await page.setViewportSize(size);
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const file = `${fileName(name)}-${colorScheme}-${size.width}.png`;
      await writeFile(join(folder, file), await takeStableScreenshot(page));
    }
  }
  await page.setViewportSize(of[0] ?? wide);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  console.log(`  ✓ ${name}`);
}

const fileName = (name: string) =>
  name
    .replace(/^\/(?=$|,)/, 'home')
    .replace(/\W+/g, '-')
    .replace(/^-|-$/g, '');
