import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, type BrowserContext, expect, type Page, test } from '@playwright/test';
import { createStory } from '../../sandbox/src/testing/repository.ts';
import { type Product, startProduct } from './server.ts';
import { chooseAll, connectSandbox, createOrganization, everythingReadIn, signUp } from './steps.ts';

const sizes = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];

const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const coloured = ['color-contrast', 'link-in-text-block'];

let story: Awaited<ReturnType<typeof createStory>>;
let product: Product;
let context: BrowserContext;
let page: Page;
let repository: string;

test.beforeAll(async ({ browser }) => {
  story = await createStory('widgets');
  product = await startProduct([story.path]);
  context = await browser.newContext({ baseURL: product.url, reducedMotion: 'reduce' });
  page = await context.newPage();
});
test.afterAll(async () => {
  await context.close();
  await product.stop();
  await story.remove();
});

// One account sees it all: each step of the setup is looked at on the way, as nobody comes back to it.
test('every page and whatever opens on it can be used by everybody', async ({ browser }) => {
  test.setTimeout(480_000);
  await test.step('the way in', () => lookAtTheWayIn(browser));
  await test.step('the pages', lookAtPages);
  await test.step('menus, lists, the drawer, dialogs, an event', lookAtWhatOpens);
  await test.step('a screen of 320 pixels', lookAtTheSmallest);
});

async function lookAtTheWayIn(browser: Browser): Promise<void> {
  await signUp(page, product.url);
  await expect(page).toHaveURL(/onboarding\/setup\/1/);
  await expectAccessible(page, 'setup 1');
  await createOrganization(page, 'Kestrel Payments');
  await expect(page.getByRole('button', { name: /connect/i })).toBeVisible();
  await expectAccessible(page, 'setup 2');
  await connectSandbox(page);
  await expect(page.getByRole('button', { name: /^Select all/ })).toBeVisible();
  await expectAccessible(page, 'setup 3');
  await chooseAll(page);
  await everythingReadIn(page, product.url);

  const visit = await browser.newContext({ baseURL: product.url, reducedMotion: 'reduce' });
  const stranger = await visit.newPage();
  await stranger.goto('/login');
  await stranger.getByLabel('Email').fill('nobody@example.org');
  await stranger.getByLabel('Password').fill('wrong');
  await expectAccessible(stranger, 'sign in');
  await stranger.getByRole('button', { name: 'Sign in' }).click();
  await expect(stranger.getByRole('alert')).toBeVisible();
  await expectAccessible(stranger, 'sign in, refused');
  await stranger.goto('/signup');
  await stranger.getByLabel('Full name').fill(' ');
  await stranger.getByLabel('Email').fill('eve@example.org');
  await stranger.getByLabel('Password').fill('short');
  await stranger.getByRole('button', { name: 'Create account' }).click();
  await expect(stranger.getByText('Use at least 12 characters.')).toBeVisible();
  await expectAccessible(stranger, 'sign up, refused');
  for (const path of ['/auth/verify?user_id=nobody', '/outbox', '/terms', '/nowhere']) {
    await stranger.goto(path);
    await expect(stranger.getByRole('heading', { level: 1 })).toBeVisible();
    await expectAccessible(stranger, path);
  }
  await visit.close();
}

async function lookAtPages(): Promise<void> {
  await page.goto('/repositories');
  repository = (await page.getByRole('link', { name: /widgets/ }).getAttribute('href')) ?? '';
  const pages: [path: string, shows: string | RegExp][] = [
    ['/', 'Release Notes'],
    ['/repositories', /widgets/],
    ['/repositories?search=zzz', 'No repository matches'],
    [`${repository}?statuses=accepted,closed`, 'Let people in'],
    [`${repository}/-/contributors`, /@/],
    [`${repository}/-/settings`, 'Disable Repository'],
    ['/repository/github/nobody/nothing', 'Repository not found'],
    ['/explore', 'Let people in'],
    ['/explore?query=zzz&kind=commit', 'No events match'],
    ['/organizations', 'Your organizations'],
  ];
  for (const [path, shows] of pages) {
    await page.goto(path);
    await expect(page.getByText(shows).first()).toBeVisible();
    await expectAccessible(page, path);
  }
}

async function lookAtWhatOpens(): Promise<void> {
  await opened('user menu', '/', () => page.getByRole('button', { name: /^Account of/ }).click());
  await opened('organizations', '/', () => page.getByRole('button', { name: /Kestrel Payments/ }).click());
  await opened('row menu', '/repositories', () =>
    page
      .getByRole('main')
      .getByRole('button', { name: /^Actions for/ })
      .first()
      .click(),
  );
  await opened('add repositories', '/repositories', () =>
    page.getByRole('button', { name: 'Add repositories' }).click(),
  );
  await opened('authors', repository, () => page.getByRole('combobox', { name: 'Author' }).click());
  await opened('disable', `${repository}/-/settings`, () =>
    page.getByRole('button', { name: 'Disable repository' }).click(),
  );
  await opened('kinds', '/explore', () => page.getByRole('combobox', { name: 'Kind' }).click());
  await opened('people', '/explore', () => page.getByRole('combobox', { name: /^Person/ }).click());
  await opened('timezone', '/explore', () => page.getByRole('combobox', { name: 'Timezone' }).click());
  await opened('event', '/explore', async () => {
    await page.getByRole('button', { name: 'Show details' }).first().click();
    await expect(page.getByText('Received')).toBeVisible();
  });
  await opened('create', '/organizations', async () => {
    await page.getByRole('button', { name: 'Create New Organization' }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
  });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/');
  await page.getByRole('button', { name: /navigation/i }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await inBothThemes(page, 'drawer');
}

async function lookAtTheSmallest(): Promise<void> {
  await page.setViewportSize({ width: 320, height: 640 });
  for (const path of ['/', '/repositories', repository, `${repository}/-/contributors`, '/explore', '/organizations']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.waitForLoadState('networkidle');
    const overhang = await page.locator('html').evaluate((root) => root.scrollWidth - root.clientWidth);
    expect(overhang, path).toBe(0);
  }
}

async function opened(name: string, path: string, open: () => Promise<void>): Promise<void> {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(path);
  await open();
  // What is open stays open while the window changes its size.
  await expectAccessible(page, name);
}

async function expectAccessible(on: Page, name: string): Promise<void> {
  for (const size of sizes) {
    await on.setViewportSize(size);
    await inBothThemes(on, `${name} at ${size.width}`);
  }
}

async function inBothThemes(on: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await on.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // Without frames to look into, the results need no page of their own to be put together: that halves the time.
    const axe = new AxeBuilder({ page: on }).setLegacyMode();
    // The themes differ in colours only.
    const looked = colorScheme === 'light' ? axe.withTags(standards) : axe.withRules(coloured);
    const { violations } = await looked.analyze();
    const found = violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
    );
    expect.soft(found, `${name}, ${colorScheme}`).toEqual([]);
  }
}
