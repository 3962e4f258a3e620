import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { createStory } from '../../sandbox/src/testing/repository.ts';
import { happensOn } from './host.ts';
import { printed } from './printed.ts';
import { type Product, startProduct } from './server.ts';
import { authorization, everythingReadIn, setUp } from './steps.ts';

test.describe.configure({ mode: 'serial' });

let story: Awaited<ReturnType<typeof createStory>>;
let product: Product;
let context: BrowserContext;
let page: Page;
test.beforeAll(async ({ browser }) => {
  story = await createStory('widgets');
  // As on a host, where no branch is checked out.
  story.git(['checkout', '--quiet', '--detach']);
  product = await startProduct([story.path]);
  context = await browser.newContext({ baseURL: product.url, reducedMotion: 'reduce' });
  page = await context.newPage();
});
test.afterAll(async () => {
  await context?.close();
  await product?.stop();
  await story?.remove();
});

const kept = {
  ...{ requiredReviews: 1, dismissesStale: true, allowsForcePush: false, allowsDeletion: false },
  ...{ includesAdmins: true, requiredChecks: [] },
};

/** What is there under an address of the API. */
const asked = async <Answer>(path: string): Promise<Answer> =>
  (await (
    await page.request.get(`${product.url}/api/v2/${path}`, { headers: await authorization(page) })
  ).json()) as Answer;

test('what developers did is judged, with its gaps', async () => {
  await setUp(page, product.url, 'Kestrel Payments');
  await everythingReadIn(page, product.url);
  const [repository] = await asked<{ fullName: string }[]>('repositories');
  const name = repository?.fullName ?? '';
  const open = await asked<{ number: number }[]>(
    `repositories/github/${encodeURIComponent(name)}/pull-requests?statuses=in-progress`,
  );
  const number = open[0]?.number;

  await test.step('a pull request is reviewed and merged, a commit is pushed past one', async () => {
    const happens = happensOn(product.url);
    await happens('protect', { repository: name, rules: kept });
    await happens('review', { repository: name, number, by: 'ada' });
    await happens('merge', { repository: name, number, by: 'ada' });
    await happens('push', { repository: name, by: 'bob', files: { 'hotfix.txt': 'quick\n' }, message: 'Quick fix' });
    await page.goto('/changes');
    const changes = page.getByRole('table', { name: 'Changes' }).getByRole('row');
    await expect(changes.filter({ hasText: `${name} #${number}` })).toBeVisible({ timeout: 60_000 });
    await expect(changes.filter({ hasText: 'Direct push' })).toBeVisible({ timeout: 60_000 });
  });

  await test.step('the overview says what is met, what is not, and which gaps there are', async () => {
    await page.goto('/evidence');
    await page.getByRole('button', { name: 'Judge now' }).click();
    const controls = page.getByRole('table', { name: 'Controls' }).getByRole('row');
    await expect(controls.filter({ hasText: 'All changes come by pull request' })).toContainText('Not met', {
      timeout: 60_000,
    });
    await expect(controls.filter({ hasText: 'All changes come by pull request' })).toContainText('1 exception');
    await expect(controls.filter({ hasText: 'Scanned around the merge' })).toContainText('Gap');
    await expect(page.getByRole('link', { name: /^Close the gap/ }).first()).toBeVisible();
    await expect(page.getByText('Only this server vouches for it')).toBeVisible();
  });
});

/** What an auditor may print, and something that must stand on its paper. */
const views: [path: string, shows: string][] = [
  ['/evidence', 'All changes come by pull request'],
  ['/evidence/controls/CHG-02', 'It was pushed directly'],
  ['/evidence/controls/CHG-02?tab=sample', 'Seed'],
  ['/evidence/controls/CHG-02?tab=definition', 'Standards that ask for it'],
  ['/evidence/controls/CHG-02?tab=runs', 'ledger entries'],
  ['/changes', 'into main'],
  ['/digests', 'Commit digests'],
  ['/ledger', 'What this proves, and what not'],
  ['/policies', 'Policies'],
  ['/exceptions', 'Exceptions'],
  ['/evidence/access-reviews', 'Access reviews'],
  ['/evidence/snapshots', 'Snapshots'],
  ['/audit', 'Audit log'],
];

test('every audit view can be printed: without what is pressed, and with who vouches for it on every sheet', async () => {
  await page.emulateMedia({ media: 'print', reducedMotion: 'reduce' });
  const [change] = await asked<{ id: string }[]>('changes');
  for (const [path, shows] of [...views, [`/changes/${change?.id}`, 'Chain of custody'] as const]) {
    await page.goto(path);
    await expect(page.getByText(shows).first()).toBeAttached();
    await expect(page.getByRole('main').locator('[aria-busy="true"]')).toHaveCount(0);
    await expect(page.getByText('Only this server vouches for it')).toBeVisible();
    const sheets = await printed(page);
    expect.soft(sheets.join(' '), path).toContain(shows);
    for (const [index, sheet] of sheets.entries()) {
      const of = `${path}, sheet ${index + 1}`;
      expect.soft(sheet, of).toContain('tamper-evident ledger');
      expect.soft(sheet, of).toContain('Only this server vouches for it');
      expect.soft(sheet, of).toContain('It does not prove');
      expect.soft(sheet, of).toContain(`${index + 1} of ${sheets.length}`);
      // Of the sidebar, the header and what is pressed.
      expect.soft(sheet, of).not.toMatch(/Tool Inventory|Judge now|Search changes|Download|Rows per page/);
    }
    expect.soft(sheets[0], path).toContain('Kestrel Payments');
    await page.setViewportSize({ width: 688, height: 900 });
    const aside = await page.locator('html').evaluate((root) => root.scrollWidth - root.clientWidth);
    expect.soft(aside, `${path}, pixels to the side of the sheet`).toBe(0);
  }
});
