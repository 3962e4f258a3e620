import { type BrowserContext, expect, type Page } from '@playwright/test';
import { createStory } from '../../sandbox/src/testing/repository.ts';
import { expectAccessible } from './accessible.ts';
import { triggerHostActivity } from './host.ts';
import { printedSheets } from './printedSheets.ts';
import type { Tenant } from './server.ts';
import { authorizationHeader, importsCompleted, setUp } from './steps.ts';
import { test } from './test.ts';

test.describe.configure({ mode: 'serial' });

let story: Awaited<ReturnType<typeof createStory>>;
let product: Tenant;
let contexts: BrowserContext[];
let page: Page;
let auditor: Page;
test.beforeAll(async ({ browser, server }) => {
  story = await createStory('widgets');
  // As on a code host, where no branch is checked out.
  story.git(['checkout', '--quiet', '--detach']);
  product = await server.addTenant([story.path]);
  const options = { baseURL: product.url, reducedMotion: 'reduce', acceptDownloads: true } as const;
  contexts = [await browser.newContext(options), await browser.newContext(options)];
  [page, auditor] = (await Promise.all(contexts.map((context) => context.newPage()))) as [Page, Page];
});
test.afterAll(async () => {
  for (const context of contexts ?? []) await context.close();
  await product?.stop();
  await story?.remove();
});

test('shows an auditor the chain of custody of a change with names, and prints it', async () => {
  await setUp(page, product, 'Kestrel Payments');
  await importsCompleted(page, product.url);
  await mergePullRequest();
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

  await page.goto('/evidence/auditor-portals');
  await page.getByRole('button', { name: 'New portal' }).click();
  await dialog.getByLabel('Portal name').fill('SOC 2');
  await dialog.getByLabel('Auditor', { exact: true }).fill('Petra Prüfer');
  await dialog.getByLabel(/^This quarter/).check();
  await dialog.getByLabel('Show names of people').check();
  await dialog.getByRole('button', { name: 'Create portal' }).click();
  await auditor.goto(await page.getByLabel('Portal link').inputValue());
  await auditor.getByRole('link', { name: 'This quarter' }).click();
  await auditor.getByRole('link', { name: /^CHG-01/ }).click();
  await auditor.getByRole('table', { name: 'Items' }).getByRole('link').first().click();
  await expect(auditor.getByRole('heading', { name: 'Chain of custody' })).toBeVisible();
  await expect(auditor.getByRole('table', { name: 'People' })).toContainText('Ada Lovelace');
  await expectAccessible(auditor, 'a change in a portal');
  await auditor.emulateMedia({ media: 'print' });
  const printed = (await printedSheets(auditor)).join(' ');
  for (const text of ['Chain of custody', 'Control results', 'Inclusion proof', 'tamper-evident ledger'])
    expect(printed).toContain(text);
  await auditor.emulateMedia({ media: 'screen' });

  await auditor.getByRole('link', { name: 'This quarter' }).click();
  for (const name of ['Policies', 'Missing evidence', 'Control definitions']) {
    await auditor.getByRole('navigation', { name: 'Snapshot' }).getByRole('link', { name }).click();
    await expect(auditor.getByRole('table', { name })).toBeVisible();
  }
  await expectAccessible(auditor, 'control definitions in a portal');
});

test('keeps a sample with workpapers, files in both directions and a request with a due date', async () => {
  await auditor.getByRole('link', { name: 'Controls' }).click();
  await auditor.getByRole('link', { name: /^CHG-02/ }).click();
  await auditor.getByRole('button', { name: 'Keep sample' }).click();
  const dialog = auditor.getByRole('dialog');
  await expect(dialog.getByText(/^Suggested for \d+ items/)).toBeVisible();
  await expectAccessible(auditor, 'keeping a sample');
  await dialog.getByRole('button', { name: 'Keep sample' }).click();
  await expect(auditor.getByRole('heading', { name: 'Sample of CHG-02', level: 1 })).toBeVisible();
  await auditor
    .getByRole('button', { name: /^Conclude: item/ })
    .first()
    .click();
  await auditor.getByRole('combobox', { name: 'Conclusion' }).click();
  await auditor.getByRole('option', { name: 'Exception' }).click();
  await dialog.getByLabel('Note').fill('Pushed without a review.');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(auditor.getByRole('table', { name: 'Items' }).getByText('Pushed without a review.')).toBeVisible();
  await auditor
    .getByLabel('File of the sample')
    .setInputFiles({ name: 'plan.pdf', mimeType: 'application/pdf', buffer: Buffer.from('plan') });
  await expect(auditor.getByRole('list', { name: 'Files of the sample' })).toContainText('plan.pdf');
  await expectAccessible(auditor, 'a sample in a portal');

  await auditor.getByRole('link', { name: 'Portal' }).click();
  await auditor.getByRole('button', { name: 'Request evidence' }).click();
  await auditor.getByLabel('What you need').fill('Who approved the hotfix?');
  await auditor.getByLabel('Due on').fill(new Date().toISOString().slice(0, 10));
  await auditor.getByRole('button', { name: 'Send request', exact: true }).click();
  await expect(auditor.getByRole('list', { name: 'Requests' })).toContainText('Due on');

  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('link', { name: /SOC 2/ }).click();
  await page.getByLabel('Answer').fill('Ada, afterwards.');
  await page.getByRole('button', { name: 'Send answer' }).click();
  await expect(page.getByText('Ada, afterwards.')).toBeVisible();
  await page.getByRole('link', { name: /Sample of CHG-02/ }).click();
  await expect(page.getByText('Pushed without a review.')).toHaveCount(0);
  await page
    .getByLabel(/^File of item/)
    .first()
    .setInputFiles({ name: 'approval.txt', mimeType: 'text/plain', buffer: Buffer.from('approved') });
  await expect(page.getByRole('button', { name: 'approval.txt' })).toBeVisible();
  await expectAccessible(page, 'a sample of an auditor');

  await expect(auditor.getByText('Ada, afterwards.')).toBeVisible({ timeout: 15_000 });
  await auditor.getByLabel('Reply').fill('Please attach it.');
  await auditor.getByRole('button', { name: 'Send reply' }).click();
  await expect(auditor.getByText('Please attach it.')).toBeVisible();
  await auditor.getByRole('button', { name: 'Close request' }).click();
  await expect(auditor.getByText('Closed', { exact: true })).toBeVisible();
  await auditor.getByRole('link', { name: /Sample of CHG-02/ }).click();
  const waiting = auditor.waitForEvent('download');
  await auditor.getByRole('button', { name: 'approval.txt' }).click();
  expect((await waiting).suggestedFilename()).toBe('approval.txt');
});

test('returns the conclusions of the auditor, signed with a key that stays in the browser', async () => {
  await auditor.getByRole('button', { name: /Conclusion of the sample/ }).click();
  const dialog = auditor.getByRole('dialog');
  await auditor.getByRole('combobox', { name: 'Conclusion' }).click();
  await auditor.getByRole('option', { name: 'Exception' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toHaveCount(0);
  await auditor.getByRole('link', { name: 'Portal' }).click();
  await auditor.getByRole('button', { name: 'Sign result' }).click();
  const key = auditor.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Create a key and save it' }).click();
  expect((await key).suggestedFilename()).toBe('auditor-key.pem');
  await expectAccessible(auditor, 'signing a result');
  const sent: string[] = [];
  auditor.on('request', (request) => sent.push(request.postData() ?? ''));
  const result = auditor.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Sign and return' }).click();
  expect((await result).suggestedFilename()).toBe('auditor-result.json');
  await expect(auditor.getByRole('table', { name: 'Results' })).toContainText('Sample of CHG-02');
  expect(sent.filter((body) => body.includes('PRIVATE KEY'))).toEqual([]);
  await page.getByRole('link', { name: 'Auditor portal' }).click();
  await expect(page.getByRole('table', { name: 'Results' })).toContainText('exception');
  await expectAccessible(page, 'a portal with a result');
});

/** Merges a reviewed pull request, pushes directly, and creates a policy. */
async function mergePullRequest(): Promise<void> {
  const headers = await authorizationHeader(page);
  const read = async <Answer>(path: string): Promise<Answer> =>
    (await (await page.request.get(`${product.url}/api/v2/${path}`, { headers })).json()) as Answer;
  const [repository] = await read<{ fullName: string }[]>('repositories');
  const name = repository?.fullName ?? '';
  const [open] = await read<{ number: number }[]>(
    `repositories/github/${encodeURIComponent(name)}/pull-requests?statuses=in-progress`,
  );
  const triggerActivity = triggerHostActivity(product.url);
  await triggerActivity('review', { repository: name, number: open?.number, by: 'ada' });
  await triggerActivity('merge', { repository: name, number: open?.number, by: 'ada' });
  const files = { 'hotfix.txt': 'quick\n' };
  await triggerActivity('push', { repository: name, by: 'bob', files, message: 'Quick fix' });
  const created = await page.request.post(`${product.url}/api/v2/policies`, {
    headers,
    data: {
      name: 'Independent review',
      kind: 'merge',
      settings: { 'CHG-01': { approvals: 1 } },
      scope: { repositories: null, branches: [], tools: [] },
    },
  });
  expect(created.status(), await created.text()).toBe(201);
  await page.goto('/changes');
  const changes = page.getByRole('table', { name: 'Changes' }).getByRole('row');
  await expect(changes.filter({ hasText: `${name} #${open?.number}` })).toBeVisible({ timeout: 60_000 });
  await expect(
    changes
      .filter({ hasText: 'Quick fix' })
      .or(changes.filter({ hasText: 'bob' }))
      .first(),
  ).toBeVisible({
    timeout: 60_000,
  });
}
