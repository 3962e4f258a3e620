import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, type Page } from '@playwright/test';
import { expectAccessible, narrow, withoutFrame } from './accessible.ts';
import { createOrganization, openUrl, signUp } from './steps.ts';
import { test } from './test.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url));
/** Served from the build without a server. */
const gallery = 'http://gallery.localhost';

const tag = ['@core', '@a11y'];

test('has no accessibility violations in components of the gallery', { tag }, async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const folder = await mkdtemp(join(tmpdir(), 'sightline-gallery-'));
  await buildGallery(folder);
  await page.route(`${gallery}/**`, (route) => {
    const { pathname } = new URL(route.request().url());
    return route.fulfill({ path: join(folder, pathname === '/' ? 'index.html' : pathname) });
  });
  await checkComponents(page);
  await rm(folder, { recursive: true });
});

test('has no accessibility violations in a page of each layout', { tag }, async ({ server, browser }) => {
  const tenant = await server.addTenant([]);
  const context = await browser.newContext({ baseURL: tenant.url, reducedMotion: 'reduce' });
  const other = await context.newPage();
  for (const [path, heading] of publicPages) {
    await openUrl(other, path);
    await expect(other.getByRole('heading', { name: heading, level: 1 })).toBeVisible();
    await expectAccessible(other, path);
  }
  await signUp(other, tenant.url, tenant.owner);
  await expect(other).toHaveURL(/onboarding/);
  await expectAccessible(other, 'the onboarding');
  await createOrganization(other, 'Kestrel Payments');
  await other.goto('/');
  await expect(other.getByRole('heading', { name: 'Home' })).toBeVisible();
  await expectAccessible(other, 'a signed-in page');
  await other.setViewportSize(narrow);
  await other.getByRole('button', { name: /navigation/i }).click();
  await expect(other.getByRole('dialog')).toBeVisible();
  await expectAccessible(other, 'the navigation of narrow windows', { sizes: [narrow] });
  await context.close();
  await tenant.stop();
});

/** Pages without an account, with their headings. */
const publicPages: [path: string, heading: string][] = [
  ['/login', 'Sign in'],
  ['/docs/getting-started', 'Getting started'],
  ['/portal', 'This portal is not available'],
];

async function checkComponents(page: Page): Promise<void> {
  const { keyboard } = page;
  const look = (name: string) => expectAccessible(page, name, { context: withoutFrame });
  const open = (name: string) => page.getByRole('button', { name, exact: true }).click();
  await visit(page, 'none', 'No repositories found');
  await expectAccessible(page, 'a frame with its strips');
  await visit(page, 'loading', 'Repositories');
  await look('a table that loads');
  await visit(page, 'table', 'ledger-api');
  await look('a table');
  await page.getByRole('combobox', { name: /^Author/ }).click();
  await look('a choice of several');
  await visit(page, 'parts', 'Danger Zone');
  await look('parts');
  await visit(page, 'empty', 'Github not connected');
  await look('empty states');
  await visit(page, 'dialogs', 'Dialogs and toasts');
  await open('Confirm');
  await expect(page.getByRole('dialog')).toBeVisible();
  await look('a question');
  await keyboard.press('Escape');
  await open('Error');
  await expect(page.getByRole('dialog', { name: 'Error' })).toBeVisible();
  await look('an error');
  await keyboard.press('Escape');
  await open('Toasts');
  await expect(page.getByText('Signed in to Auditwell.')).toBeVisible();
  await look('toasts');
  await visit(page, 'not-found', '404 Not Found');
  await expectAccessible(page, 'no page');
}

async function visit(page: Page, name: string, shows: string): Promise<void> {
  await page.goto(`${gallery}/?page=${name}`);
  await expect(page.getByText(shows).filter({ visible: true }).first()).toBeVisible();
}

async function buildGallery(folder: string): Promise<void> {
  const vite = join(checkout, 'node_modules/vite/bin/vite.js');
  const options = ['--config', 'vite.gallery.config.ts', '--outDir', folder, '--emptyOutDir', '--minify', 'false'];
  await promisify(execFile)(process.execPath, [vite, 'build', ...options, '--logLevel', 'error'], {
    cwd: join(checkout, 'web'),
  });
}
