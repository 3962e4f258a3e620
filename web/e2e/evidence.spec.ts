import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BrowserContext, expect, type Page } from '@playwright/test';
import { createStory } from '../../sandbox/src/testing/repository.ts';
import { sourceLinks } from '../../server/src/domains/compliance/controls/source-links.ts';
import { expectAccessible } from './accessible.ts';
import { triggerHostActivity } from './host.ts';
import { tabTo } from './keys.ts';
import { printedSheets } from './printedSheets.ts';
import type { Tenant } from './server.ts';
import { layoutShift } from './shift.ts';
import { authorizationHeader, importsCompleted, setUp } from './steps.ts';
import { test } from './test.ts';

test.describe.configure({ mode: 'serial' });

let story: Awaited<ReturnType<typeof createStory>>;
let product: Tenant;
let context: BrowserContext;
let page: Page;
test.beforeAll(async ({ browser, server }) => {
  story = await createStory('widgets');
  // As on a code host, where no branch is checked out.
  story.git(['checkout', '--quiet', '--detach']);
  product = await server.addTenant([story.path]);
  context = await browser.newContext({ baseURL: product.url, reducedMotion: 'reduce' });
  page = await context.newPage();
});
test.afterAll(async () => {
  await context?.close();
  await product?.stop();
  await story?.remove();
});

const protectionRules = {
  requiredReviews: 1,
  dismissesStale: true,
  allowsForcePush: false,
  allowsDeletion: false,
  includesAdmins: true,
  requiredChecks: [],
};

/** Returns the response of an API path. */
const fetchList = async <Answer>(path: string): Promise<Answer> =>
  (await (
    await page.request.get(`${product.url}/api/v2/${path}`, { headers: await authorizationHeader(page) })
  ).json()) as Answer;

test('evaluates developer activity, with missing evidence', { tag: '@core' }, async () => {
  await setUp(page, product, 'Kestrel Payments');
  await importsCompleted(page, product.url);
  const [repository] = await fetchList<{ fullName: string }[]>('repositories');
  const name = repository?.fullName ?? '';
  const open = await fetchList<{ number: number }[]>(
    `repositories/github/${encodeURIComponent(name)}/pull-requests?statuses=in-progress`,
  );
  const number = open[0]?.number;

  await test.step('reviews and merges a pull request, and pushes directly', async () => {
    const triggerActivity = triggerHostActivity(product.url);
    await triggerActivity('protect', { repository: name, rules: protectionRules });
    await triggerActivity('review', { repository: name, number, by: 'ada' });
    await triggerActivity('merge', { repository: name, number, by: 'ada' });
    await triggerActivity('push', {
      repository: name,
      by: 'bob',
      files: { 'hotfix.txt': 'quick\n' },
      message: 'Quick fix',
    });
    await page.goto('/changes');
    const changes = page.getByRole('table', { name: 'Changes' }).getByRole('row');
    await expect(changes.filter({ hasText: `${name} #${number}` })).toBeVisible({ timeout: 60_000 });
    await expect(changes.filter({ hasText: 'Direct push' })).toBeVisible({ timeout: 60_000 });
  });

  await test.step('shows passing and failing controls and missing evidence in the overview', async () => {
    await page.goto('/evidence');
    await page.getByRole('button', { name: 'Evaluate controls' }).click();
    const controls = page.getByRole('table', { name: 'Controls' }).getByRole('row');
    await expect(controls.filter({ hasText: 'Changes made through pull requests' })).toContainText('Failing', {
      timeout: 60_000,
    });
    await expect(controls.filter({ hasText: 'Changes made through pull requests' })).toContainText('1 fail');
    await expect(controls.filter({ hasText: 'Changes scanned at merge' })).toContainText('Missing evidence');
    await expect(page.getByRole('link', { name: /^Connect source/ }).first()).toBeVisible();
    await expect(page.getByText('No external anchor has a checkpoint of it')).toBeVisible();
  });
});

test('links to every remedy, and breaks no word of a heading', async () => {
  await test.step('keeps words of headings unbroken at every width and at 200 % zoom', async () => {
    for (const path of ['/evidence', '/evidence/controls/CHG-02']) {
      await page.goto(path);
      await expect(page.getByText(/at ledger size \d+/)).toBeVisible();
      for (const width of [641, 720, 768, 901]) {
        await page.setViewportSize({ width, height: 900 });
        const heading = await page.getByRole('heading', { level: 1 }).boundingBox();
        // At most two lines.
        expect.soft(heading?.height, `height of the heading of ${path} at ${width} pixels`).toBeLessThanOrEqual(64);
      }
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  await test.step('resolves every remedy link', async () => {
    for (const link of new Set(Object.values(sourceLinks))) {
      if (link === null) continue;
      await page.goto(link);
      await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible();
      await expect.soft(page.getByText('404 Not Found'), link).toHaveCount(0);
      await expect.soft(page, link).toHaveURL(new RegExp(`${link}([/?#]|$)`));
    }
  });
});

test('shifts no part of the page while it loads', async () => {
  const delayed = {
    overview: '**/api/v2/controls/overview*',
    controls: /\/api\/v2\/controls(\?|$)/,
    imports: '**/api/v2/repositories?*',
  };
  for (const [answer, url] of Object.entries(delayed)) {
    await page.route(url, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 700));
      await route.fallback();
    });
    for (const size of [
      { width: 1440, height: 900 },
      { width: 390, height: 844 },
    ]) {
      await page.setViewportSize(size);
      await page.goto('/evidence');
      await expect(page.getByText('Changes made through pull requests')).toBeVisible();
      const name = `layout shift at ${size.width} pixels, with ${answer} last`;
      expect.soft(await layoutShift(page), name).toBeLessThan(0.05);
    }
    await page.unroute(url);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
});

test('gives a failing item an owner, a due date and a ticket, and records a retest beside the failure', {
  tag: '@core',
}, async () => {
  await page.goto('/evidence/controls/CHG-02');
  const failing = page
    .getByRole('table', { name: 'Items of CHG-02' })
    .getByRole('row')
    .filter({ hasText: 'pushed directly' });
  const menu = failing.getByRole('button', { name: /^Actions for/ });
  const choose = async (name: string) => {
    await menu.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name }).click();
    return page.getByRole('dialog');
  };
  await test.step('assigns it', async () => {
    await expect(failing).toContainText('Not assigned');
    const dialog = await choose('Assign remediation');
    await dialog.getByRole('combobox', { name: 'Owner' }).click();
    await page.getByRole('option').first().click();
    await dialog.getByLabel('Due date').fill('2026-01-31');
    await dialog.getByLabel('Ticket').fill('SEC-7');
    await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled();
    await dialog.getByLabel('Ticket').fill('https://tickets.example/browse/SEC-7');
    await expectAccessible(page, 'remediation dialog');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(failing).toContainText(/\d+ days overdue/);
    await expect(failing.getByRole('link', { name: /^SEC-7/ })).toBeVisible();
    await expect(menu).toBeFocused();
  });
  await test.step('lists it as overdue on Home', async () => {
    await page.goto('/');
    await page.getByRole('link', { name: /^Overdue remediation/ }).click();
    await expect(page).toHaveURL(/\/remediations\?view=overdue$/);
    await expect(page.getByRole('table', { name: 'Remediation: overdue' })).toContainText('CHG-02');
    await expectAccessible(page, 'remediations');
  });
  await test.step('records a retest, which leaves the failure', async () => {
    await page.goto('/evidence/controls/CHG-02');
    const dialog = await choose('Record retest');
    await dialog.getByLabel('Pass').check();
    await dialog.getByRole('button', { name: 'Record retest' }).click();
    await expect(failing).toContainText('Retested');
    await expect(failing.getByText('Fail', { exact: true })).toBeVisible();
    await expect(failing.getByRole('list', { name: 'Retests' })).toContainText('Pass');
    await expect(menu).toBeFocused();
    await expectAccessible(page, 'control with a remediation');
  });
});

test('creates a snapshot that an auditor downloads from a portal and verifies offline', {
  tag: '@core',
}, async ({ browser }) => {
  const key = await test.step('creates the snapshot', async () => {
    await page.goto('/evidence/snapshots');
    await page.getByRole('button', { name: 'New snapshot' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Period' }).click();
    const now = new Date();
    const quarter = `Q${Math.floor(now.getUTCMonth() / 3) + 1} ${now.getUTCFullYear()}`;
    await page.getByRole('option', { name: quarter }).click();
    await dialog.getByLabel('Name').fill('This quarter');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Ready', { exact: true })).toBeVisible({ timeout: 120_000 });
    return (await page.getByText(/\+[0-9a-f]{8}\+/).textContent()) ?? '';
  });

  const link = await test.step('opens a portal for an auditor', async () => {
    await page.goto('/evidence/auditor-portals');
    await page.getByRole('button', { name: 'New portal' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Portal name').fill('SOC 2');
    await dialog.getByLabel('Auditor', { exact: true }).fill('Petra Prüfer');
    await dialog.getByLabel(/^This quarter/).check();
    await dialog.getByRole('button', { name: 'Create portal' }).click();
    return page.getByLabel('Portal link').inputValue();
  });

  const elsewhere = await browser.newContext({ acceptDownloads: true, reducedMotion: 'reduce' });
  const auditor = await elsewhere.newPage();
  const path = join(mkdtempSync(join(tmpdir(), 'sightline-portal-')), 'bundle.zip');
  await test.step('lets the auditor in without an account to redraw the sample and download the bundle', async () => {
    await auditor.goto(link);
    await auditor.getByRole('link', { name: 'This quarter' }).click();
    await expect(auditor.getByText('Files of the bundle').first()).toBeVisible();
    const waiting = auditor.waitForEvent('download');
    await auditor.getByRole('button', { name: /^Download/ }).click();
    await (await waiting).saveAs(path);
    await auditor.getByRole('link', { name: /^CHG-02/ }).click();
    await expect(auditor.getByText(/selected by the root hash of the checkpoint/i)).toBeVisible();
    await expect(auditor.getByText('The change was pushed directly').first()).toBeVisible();
    await auditor.getByLabel('Custom seed').fill('dice of the auditor');
    await auditor.getByRole('button', { name: 'Resample' }).click();
    await expect(auditor.getByText(/selected by a custom seed/)).toBeVisible();
  });

  await test.step('verifies it on a local page without requests', async () => {
    await elsewhere.setOffline(true);
    const verifier = await elsewhere.newPage();
    await verifier.goto(`file://${fileURLToPath(new URL('../../evidence/verify.html', import.meta.url))}`);
    await verifier.getByLabel('Key of the ledger').fill(key);
    await verifier.getByLabel('Bundle', { exact: true }).setInputFiles(path);
    await verifier.getByRole('button', { name: 'Verify' }).click();
    await expect(verifier.getByRole('heading', { name: 'Valid', exact: true })).toBeVisible();
    await elsewhere.close();
  });
});

/** Printable audit views, each with a text that must appear in print. */
const views: [path: string, shows: string][] = [
  ['/evidence', 'Changes made through pull requests'],
  ['/evidence/controls/CHG-02', 'The change was pushed directly'],
  ['/evidence/controls/CHG-02?tab=sample', 'Seed'],
  ['/evidence/controls/CHG-02?tab=definition', 'Framework mappings'],
  ['/evidence/controls/CHG-02?tab=runs', 'Ledger size'],
  ['/changes', 'into main'],
  ['/digests', 'Commit digests'],
  ['/ledger', 'Scope of the evidence'],
  ['/policies', 'Policies'],
  ['/policies/changes', 'Policy changes'],
  ['/waivers', 'Waivers'],
  ['/remediations', 'Remediation'],
  ['/evidence/access-reviews', 'Access reviews'],
  ['/evidence/host-access', 'Access on code hosts'],
  ['/evidence/host-access/duties', 'Bypass protection'],
  ['/evidence/snapshots', 'This quarter'],
  ['/evidence/auditor-portals', 'SOC 2'],
  ['/audit', 'Audit log'],
];

/** Creates a policy as the form does. */
async function createPolicy(): Promise<void> {
  const answer = await page.request.post(`${product.url}/api/v2/policies`, {
    headers: await authorizationHeader(page),
    data: {
      name: 'Independent review',
      kind: 'merge',
      settings: { 'CHG-01': { approvals: 1 } },
      scope: { repositories: null, branches: [], tools: [] },
    },
  });
  expect(answer.status(), await answer.text()).toBe(201);
}

test('prints every audit view without controls and with the issuer on every page', async () => {
  await page.emulateMedia({ media: 'print', reducedMotion: 'reduce' });
  await createPolicy();
  await product.periodsOver();
  const first = async (list: string) => (await fetchList<{ id: string }[]>(list))[0]?.id;
  const details = [
    [`/changes/${await first('changes')}`, 'Chain of custody'],
    [`/policies/${await first('policies')}`, 'Compliance'],
    [`/evidence/snapshots/${await first('snapshots')}`, '01.jsonl'],
    [`/evidence/auditor-portals/${await first('auditor-portals')}`, 'Petra Prüfer'],
    [`/digests/${await first('digests')}`, 'Direct push'],
    [`/evidence/access-reviews/${await first('access-reviews')}`, product.owner.email],
  ] as const;
  for (const [path, shows] of [...views, ...details]) {
    await page.goto(path);
    await expect(page.getByText(shows).first()).toBeAttached();
    await expect(page.getByRole('main').locator('[aria-busy="true"]')).toHaveCount(0);
    await expect(page.getByText('No external anchor has a checkpoint of it')).toBeVisible();
    const sheets = await printedSheets(page);
    expect.soft(sheets.join(' '), path).toContain(shows);
    for (const [index, sheet] of sheets.entries()) {
      const of = `${path}, sheet ${index + 1}`;
      expect.soft(sheet, of).toContain('tamper-evident ledger');
      expect.soft(sheet, of).toContain('No external anchor has a checkpoint of it');
      expect.soft(sheet, of).toContain('It does not prove');
      expect.soft(sheet, of).toContain(`${index + 1} of ${sheets.length}`);
      // Texts of the sidebar, the header and buttons.
      expect.soft(sheet, of).not.toMatch(/Tool Inventory|Evaluate controls|Search changes|Download|Rows per page/);
    }
    expect.soft(sheets[0], path).toContain('Kestrel Payments');
    // Column headers contain sort buttons with their names.
    for (const head of await page.locator('th button').allTextContents()) {
      expect.soft(sheets.join(' '), path).toContain(head);
    }
    await page.setViewportSize({ width: 688, height: 900 });
    const aside = await page.locator('html').evaluate((root) => root.scrollWidth - root.clientWidth);
    expect.soft(aside, `${path}, pixels to the side of the sheet`).toBe(0);
  }
});

test('has no accessibility violations in a digest and an access review, and signs a digest by keyboard alone', async () => {
  const { keyboard } = page;
  await page.emulateMedia({ media: 'screen', reducedMotion: 'reduce' });
  const [review] = await fetchList<{ id: string }[]>('access-reviews');
  await page.goto(`/evidence/access-reviews/${review?.id}`);
  await expect(page.getByText('Another reviewer decides')).toBeVisible();
  await expectAccessible(page, 'an access review');

  await page.goto('/digests');
  await tabTo(page, page.getByRole('main').getByRole('link', { name: /widgets/ }));
  await keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: /widgets/, level: 1 })).toBeFocused();
  const items = page.getByRole('button', { name: /To decide/ });
  await expect(items.first()).toBeVisible();
  for (let left = await items.count(); left > 0; left -= 1) {
    await tabTo(page, items.first());
    await keyboard.press('Enter');
    if (left === 1) await expectAccessible(page, 'a digest with an item to decide');
    await tabTo(page, page.getByRole('radio', { name: 'Accepted' }).last());
    await keyboard.press('Space');
    await expect(items).toHaveCount(left - 1);
  }
  await tabTo(page, page.getByRole('button', { name: 'Mark reviewed' }));
  await keyboard.press('Enter');
  await expect(
    page.getByText(/The digest is signed off|Another reviewer decides on the remaining items/),
  ).toBeVisible();
  await expectAccessible(page, 'a digest that was reviewed');
});
