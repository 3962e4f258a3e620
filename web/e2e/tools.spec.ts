import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type BrowserContext, expect, type Page } from '@playwright/test';
import { createStory } from '../../sandbox/src/testing/repository.ts';
import { expectAccessible } from './accessible.ts';
import type { Tenant } from './server.ts';
import { authorizationHeader, importsCompleted, setUp } from './steps.ts';
import { test } from './test.ts';

const workflow = `name: build
on: push
jobs:
  build:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - { uses: aquasecurity/trivy-action@0.28.0, with: { version: v0.57.1 } }
      - uses: kestrel-internal/deploy@v2
`;

let story: Awaited<ReturnType<typeof createStory>>;
let product: Tenant;
let context: BrowserContext;
let page: Page;
test.beforeAll(async ({ browser, server }) => {
  story = await createStory('widgets');
  story.git(['checkout', '--quiet', 'main']);
  await story.commit('Build it', { '.github/workflows/build.yml': workflow });
  product = await server.addTenant([story.path]);
  context = await browser.newContext({ baseURL: product.url, reducedMotion: 'reduce' });
  page = await context.newPage();
  await setUp(page, product, 'Kestrel Payments');
});
test.afterAll(async () => {
  await context.close();
  await product.stop();
  await story.remove();
});

const rows = (name: string) => page.getByRole('table', { name }).getByRole('row');
const row = (table: string, words: RegExp) => rows(table).filter({ hasText: words });

// A longer timeout, since the test waits for an import and a scan.
test.setTimeout(240_000);

test('shows build and developer tools, and links a tool to its line', {
  tag: '@core',
}, async () => {
  await test.step('lists tools of workflows after a repository was read', async () => {
    await importsCompleted(page, product.url);
    await page.goto('/');
    await page.getByRole('link', { name: 'Tool Inventory' }).click();
    await expect(row('CI/CD tools', /Trivy/)).toBeVisible({ timeout: 30_000 });
    await expect(row('CI/CD tools', /Trivy/)).toContainText('Aqua Security');
    await expect(row('CI/CD tools', /kestrel-internal\/deploy/)).toContainText('widgets');
    await expectAccessible(page, 'tools of workflows');
  });

  await test.step('approves a tool from its row by a policy', async () => {
    await page.getByRole('button', { name: 'Actions for Trivy' }).click();
    await page.getByRole('menuitem', { name: 'Approve…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Approve Trivy' });
    await dialog.getByLabel('Some versions').check();
    await dialog.getByLabel('Patterns').fill('v0.*');
    await expectAccessible(page, 'approving a tool');
    await dialog.getByRole('button', { name: 'Approve' }).click();
    await expect(page.getByText(/^Trivy is approved in .* after another person approves/)).toBeVisible();
    // No other member can approve in this organization.
    await page.goto('/policies/changes');
    await page.getByRole('button', { name: 'Actions for the change of Approved tools' }).click();
    await page.getByRole('menuitem', { name: 'Approve' }).click();
    await page.getByLabel('Reason').fill('There is no second owner yet.');
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await expect(page.getByRole('heading', { name: 'No pending changes' })).toBeVisible();
    await page.goto('/tools');
    await expect(row('CI/CD tools', /Trivy/)).toContainText('Approved tools v1');
  });

  await test.step('keeps filters in the address and removes them on Back', async () => {
    await page.getByRole('searchbox', { name: 'Search tools' }).fill('trivy');
    await expect(row('CI/CD tools', /checkout/)).toHaveCount(0);
    await page.getByRole('combobox', { name: 'Vendor' }).click();
    await page.getByRole('option', { name: /GitHub/ }).click();
    await expect(page.getByText('No tool matches')).toBeVisible();
    expect(new URL(page.url()).searchParams.get('vendors')).toBe('GitHub');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Clear filters' }).first().click();
    await expect(row('CI/CD tools', /checkout/)).toBeVisible();
    await page.getByRole('button', { name: 'Last 30 days' }).click();
    await page.getByRole('button', { name: 'This year' }).click();
    await expect(page).toHaveURL(/activeRange=year/);
    await expect(row('CI/CD tools', /checkout/)).toBeVisible();
  });

  await test.step('links a tool to the line that names it', async () => {
    await page.getByRole('link', { name: /kestrel-internal\/deploy/ }).click();
    await expect(page.getByRole('heading', { name: 'kestrel-internal/deploy' })).toBeVisible();
    const lineLink = page.getByRole('link', { name: /build\.yml:9/ });
    expect(await lineLink.getAttribute('href')).toMatch(/\/blob\/[0-9a-f]{40}\/\.github\/workflows\/build\.yml#L9$/);
    await expect(page.getByText('uses: kestrel-internal/deploy@v2')).toBeVisible();
    await expectAccessible(page, 'a tool');
    await page.reload();
    await expect(page.getByRole('heading', { name: 'kestrel-internal/deploy' })).toBeVisible();
  });

  await test.step('lists tools of a repository', async () => {
    await page.getByRole('link', { name: 'Projects' }).click();
    await page
      .getByRole('table', { name: 'Projects' })
      .getByRole('link', { name: /widgets/ })
      .click();
    await expect(page.getByRole('link', { name: 'CI/CD Tool Inventory' })).toHaveAttribute('aria-current', 'page');
    await expect(row('CI/CD tools', /Trivy/)).toBeVisible();
  });

  await test.step('shows tools of an editor without a reload, by keyboard alone', async () => {
    await page.goto('/tools?tab=developer');
    await expect(page.getByRole('heading', { name: 'No tools detected' })).toBeVisible();
    await expectAccessible(page, 'no developer tools');
    const answer = await page.request.put(`${product.url}/api/v2/user/tools`, {
      headers: await authorizationHeader(page),
      data: {
        deviceId: randomUUID(),
        type: 'vscode',
        version: '1.105.0',
        tools: [{ id: 'anthropic.claude-code', version: '2.0.1' }],
      },
    });
    expect(answer.status()).toBe(204);
    await expect(row('Developer tools', /Claude Code/)).toContainText('Fresh');
    await page.getByRole('link', { name: /Claude Code/ }).focus();
    await page.keyboard.press('Enter');
    await expect(row('People', /Ada Byron/)).toContainText('VS Code');
    await page.getByRole('button', { name: 'Show in Explore' }).focus();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/explore\?context=/);
    await expect(page.getByText('started using').first()).toBeVisible();
  });

  await test.step('exports the list', async () => {
    await page.goto('/tools?tab=developer');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const text = await readFile(await (await download).path(), 'utf8');
    expect(text).toContain('"Claude Code","Anthropic"');
  });
});
