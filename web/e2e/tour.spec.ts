import { type BrowserContext, expect, type Page } from '@playwright/test';
import { type Product, sandboxOf, startProduct } from './server.ts';
import { openUrl } from './steps.ts';
import { test } from './test.ts';
import { readTour } from './tour.ts';

interface Demo {
  organizationId: string;
  portal: string;
  credentials: { email: string; password: string }[];
}

const tour = readTour();
let product: Product;
let demo: Demo;

test.beforeAll(async () => {
  test.setTimeout(3_600_000);
  product = await startProduct();
  demo = JSON.parse(await product.sightline('demo', '--json')) as Demo;
});
test.afterAll(() => product.stop());

for (const { role, email, steps } of tour.filter((part) => part.email !== undefined)) {
  test(`leads the role ${role} through the demo, without an error on any page it links to`, async ({ browser }) => {
    test.setTimeout(900_000);
    const context = await browser.newContext({ baseURL: product.url, reducedMotion: 'reduce' });
    const page = await context.newPage();
    const problems = collectProblems(page);
    await signInAs(page, email ?? '');
    for (const { path, shows } of steps) {
      await test.step(path, async () => {
        await page.goto(path);
        for (const text of shows) await expect(page.getByText(text).filter({ visible: true }).first()).toBeVisible();
        await expect(page.getByText('Demo data.').first()).toBeVisible();
      });
    }
    await crawl(page);
    expect(problems).toEqual([]);
    await context.close();
  });
}

test('shows the portal to an outside auditor, with its answered request', async ({ browser }) => {
  const context = await browser.newContext({ baseURL: product.url });
  const page = await context.newPage();
  await page.goto(demo.portal);
  for (const { shows } of tour.find(({ email }) => email === undefined)?.steps ?? [])
    for (const text of shows) await expect(page.getByText(text).first()).toBeVisible();
  await expect(page.getByText('Who may merge to the default branch').first()).toBeVisible();
  await expect(page.getByText('Demo data').first()).toBeVisible();
  await context.close();
});

test('removes the demo with one click, and deletes its accounts', async ({ browser }) => {
  test.setTimeout(300_000);
  const context: BrowserContext = await browser.newContext({ baseURL: product.url });
  const page = await context.newPage();
  const [owner] = demo.credentials;
  await signInAs(page, owner?.email ?? '');
  await page.getByRole('button', { name: 'Remove demo data' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove demo data' }).click();
  await expect(page.getByLabel('Password')).toBeVisible();
  await expect(async () => {
    const hosted = await (await fetch(`${sandboxOf(product)}/_sandbox/repositories`)).text();
    expect(hosted).not.toContain('harborline');
  }).toPass({ timeout: 240_000 });
  await page.getByLabel('Email').fill(owner?.email ?? '');
  await page.getByLabel('Password').fill(owner?.password ?? '');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await context.close();
});

async function signInAs(page: Page, email: string): Promise<void> {
  const { password = '' } = demo.credentials.find((one) => one.email === email) ?? {};
  await openUrl(page, '/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByText('Demo data.').first()).toBeVisible({ timeout: 60_000 });
}

/** Collects messages of the console, failed responses and exceptions of a page. */
function collectProblems(page: Page): string[] {
  const problems: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(`${page.url()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => problems.push(`${page.url()}: ${error.message}`));
  page.on('response', (response) => {
    if (response.status() >= 400) problems.push(`${page.url()}: ${response.status()} from ${response.url()}`);
  });
  return problems;
}

const MAX_LINKS_PER_KIND = 2;

/** Opens the pages that this page's frame and each found page link to: of similar ones, two. */
async function crawl(page: Page): Promise<void> {
  const seen = new Set<string>();
  const kinds = new Map<string, number>();
  const pending = ['/'];
  for (let path = pending.shift(); path !== undefined; path = pending.shift()) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
    await expect(page.getByText('404 Not Found')).toHaveCount(0);
    const hrefs = await page
      .locator('a[href^="/"]')
      .evaluateAll((links) => links.map((one) => one.getAttribute('href')));
    for (const href of hrefs) {
      const kind = kindOf(href ?? '');
      if (href === null || seen.has(href) || excluded.test(href) || (kinds.get(kind) ?? 0) >= MAX_LINKS_PER_KIND)
        continue;
      seen.add(href);
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      pending.push(href);
    }
  }
}

/** Pages of the server itself, files, and pages that end the session. */
const excluded =
  /^\/(oidc|logout|login|outbox|testing|api|docs|downloads|terms|privacy|contact|\.well-known)(\/|$|\?)|\.(zip|csv|json)$/;

/** A path with its IDs, numbers and the values of its query replaced. */
const kindOf = (href: string): string =>
  href
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')
    .replaceAll(/\/repository\/[^?]*?(?=\/-|\?|$)/g, '/repository/ID')
    .replaceAll(/=[^&]*/g, '=')
    .replaceAll(/\d+/g, 'N');
