import { type BrowserContext, expect, type Locator, type Page } from '@playwright/test';
import type { Tenant } from './server.ts';
import { createOrganization, signUp } from './steps.ts';
import { test } from './test.ts';

const softly = expect.configure({ soft: true });

let tenant: Tenant;
let context: BrowserContext;
let page: Page;

test.beforeAll(async ({ browser, server }) => {
  tenant = await server.addTenant([]);
  context = await browser.newContext({ baseURL: tenant.url });
  page = await context.newPage();
  await signUp(page, tenant.url, tenant.owner);
  await createOrganization(page, 'Kestrel Payments');
});
test.afterAll(async () => {
  await context.close();
  await tenant.stop();
});

const button = (name: string | RegExp) => (): Locator => page.getByRole('button', { name }).first();

/** Pages with a control that opens a dialog. */
const dialogs: [path: string, opener: () => Locator][] = [
  ['/', button('Search and commands')],
  ['/organization/members', button('About roles')],
  ['/organization/webhooks', button(/webhook$/i)],
  ['/audit/streams', button('Add destination')],
  ['/organization/access-keys', button('Create access key')],
  ['/integrations', button(/^Setup with an API key Checkmarx/)],
  ['/evidence/snapshots', button('New snapshot')],
  ['/evidence/auditor-portals', button('New portal')],
  ['/evidence/frameworks/soc2', button(/^Edit/)],
];

test('starts on the first field of a dialog, closes it on Escape and returns the focus', async () => {
  test.setTimeout(240_000);
  for (const [path, opener] of dialogs) {
    await test.step(path, async () => {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
      // An empty list replaces the header button with its own.
      await expect(page.getByRole('main').locator('[aria-busy="true"]')).toHaveCount(0);
      await opener().focus({ timeout: 20_000 });
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog');
      await expect(dialog).toBeVisible();
      if ((await dialog.locator('form :is(input, select, textarea)').count()) > 0) {
        await softly(dialog.locator('form :focus'), path).toHaveCount(1);
      }
      await page.keyboard.press('Escape');
      await expect(dialog).toBeHidden();
      await softly(opener(), path).toBeFocused();
    });
  }
});

test('returns the focus to the button of a menu whose entry loaded a dialog', async () => {
  await page.goto('/explore');
  const views = page.getByRole('button', { name: 'Views', exact: true });
  await views.focus({ timeout: 20_000 });
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Save this view…' }).press('Enter');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(views).toBeFocused();
});

test('closes a dialog that the address opened on Escape and focuses the page', async () => {
  await page.goto('/integrations?setup=checkmarx');
  const dialog = page.getByRole('dialog');
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('heading', { name: 'Integrations', level: 1 })).toBeFocused();
});

test('reports a page opened offline inside the frame and opens it after reconnecting', async () => {
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
  await context.setOffline(true);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Audit log' }).click();
  await expect(page.getByRole('heading', { name: 'You are offline' })).toBeVisible();
  await expect(page.getByText(/may have been updated/)).toHaveCount(0);
  await expect(page.getByRole('link', { name: /^Sightline/ })).toHaveCount(1);
  await context.setOffline(false);
  await expect(page.getByRole('heading', { name: 'Audit log', level: 1 })).toBeVisible();
});
