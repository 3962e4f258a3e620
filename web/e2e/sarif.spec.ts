import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import type { Tenant } from './server.ts';
import { importsCompleted, setUp } from './steps.ts';
import { test } from './test.ts';

let product: Tenant;

test.beforeAll(async ({ server }) => {
  product = await server.addTenant();
});
test.afterAll(() => product.stop());

const result = (number: number, more: object = {}) => ({
  ruleId: 'js/eval',
  level: 'error',
  message: { text: `Text number ${number} is evaluated` },
  locations: [{ physicalLocation: { artifactLocation: { uri: `src/${number}.js` }, region: { startLine: number } } }],
  partialFingerprints: { primaryLocationLineHash: `hash ${number}` },
  ...more,
});
const fileOf = (name: string, ...results: unknown[]) => ({
  name,
  mimeType: 'application/json',
  buffer: Buffer.from(
    JSON.stringify({
      version: '2.1.0',
      runs: [{ tool: { driver: { name: 'Semgrep', version: '1.2.3' } }, results }],
    }),
  ),
});

/** Drops a file on the drop zone. */
async function drop(page: Page, { name, buffer }: ReturnType<typeof fileOf>): Promise<void> {
  const [text, called] = [JSON.stringify(buffer.toString()), JSON.stringify(name)];
  const dataTransfer = await page.evaluateHandle(`(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([${text}], ${called}, { type: 'application/json' }));
    return transfer;
  })()`);
  await page.getByText('Drop a SARIF file here').dispatchEvent('drop', { dataTransfer });
}

test('imports a dropped file, shows changes, and accepts the next one from a build', { tag: '@core' }, async ({
  page,
  request,
}) => {
  await setUp(page, product, 'Kestrel Payments');
  await importsCompleted(page, product.url);
  await page.goto(`${product.url}/repositories`);
  await page.getByRole('link', { name: /widgets/ }).click();
  await page.getByRole('link', { name: 'Scans' }).click();
  const files = page.getByRole('list', { name: 'Files' });
  const scans = page.getByRole('table', { name: 'Scans' });

  await test.step('lists findings of the code host beside uploads', async () => {
    await expect(scans.getByRole('row').nth(1)).toContainText('GitHub');
    await expectAccessible(page, 'scans of the code host');
  });

  await test.step('turns a dropped file into a scan', async () => {
    await drop(page, fileOf('first.sarif', result(1), result(2), { level: 'fatal' }));
    await expect(files.getByText('2 new')).toBeVisible();
    await expect(scans.getByRole('row').filter({ hasText: 'Semgrep' })).toContainText('2 new');
    await files.getByRole('button', { name: '1 skipped: view reasons' }).click();
    await expect(page.getByRole('dialog')).toContainText('runs[0].results[2]');
    await expectAccessible(page, 'what was left out');
    await page.keyboard.press('Escape');
  });

  await test.step('shows its findings', async () => {
    await files.getByRole('link', { name: 'View vulnerabilities' }).click();
    await expect(page.getByText('Text number 1 is evaluated').first()).toBeVisible();
    await page.goBack();
    // The previous page has a button with the same name, which must disappear first.
    await expect(scans.getByRole('row').filter({ hasText: 'Semgrep' })).toBeVisible();
  });

  await test.step('uploads by keyboard, and shows what a second scan fixed', async () => {
    const button = page.getByRole('button', { name: 'Choose a file' });
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), button.press('Enter')]);
    await chooser.setFiles([fileOf('second.sarif', result(2), result(3))]);
    await expect(files.getByText('1 fixed')).toBeVisible();
    await expectAccessible(page, 'scans');
  });

  await test.step('rejects invalid SARIF with position and reason, which can be dismissed', async () => {
    await drop(page, { ...fileOf('broken.sarif'), buffer: Buffer.from('{"version":"2.1.0","runs":[{"results":') });
    await expect(page.getByRole('alert')).toContainText('is truncated');
    await page.getByRole('button', { name: 'Dismiss broken.sarif' }).click();
    await expect(page.getByText('broken.sarif')).toBeHidden();
  });

  const address = new URL(page.url()).pathname;
  await test.step('accepts the next one from a build with an access key and shows it without a reload', async () => {
    await page.getByRole('link', { name: 'Create an access key' }).click();
    await expect(page.getByText('No access keys yet')).toBeVisible();
    await expectAccessible(page, 'no access keys');
    await page.getByRole('button', { name: 'Create access key' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Nightly build');
    await expectAccessible(page, 'create an access key');
    await dialog.getByRole('button', { name: 'Create' }).click();
    const key = await dialog.getByRole('textbox', { name: 'Access key' }).inputValue();
    expect(key).toMatch(/^sightline_/);
    await expectAccessible(page, 'the new key');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await expect(page.getByRole('row').filter({ hasText: 'Nightly build' })).toContainText('Active');

    await page.goto(`${product.url}${address}`);
    const [, , provider, ...path] = address.split('/');
    const repository = path.slice(0, path.indexOf('-')).join('/');
    const send = () =>
      request.post(`${product.url}/api/v2/repositories/${provider}/${repository}/sarif?ref=main`, {
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/sarif+json' },
        data: fileOf('', result(2), result(3), result(4)).buffer,
      });
    expect((await send()).status()).toBe(202);
    await expect(scans.getByRole('row').filter({ hasText: 'Access key Nightly build' })).toContainText('1 new');

    await page.goto(`${product.url}/organization/access-keys`);
    await page.getByRole('button', { name: 'Actions for Nightly build' }).click();
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await expect(page.getByRole('row').filter({ hasText: 'Nightly build' })).toContainText('Revoked');
    expect((await send()).status()).toBe(401);
    await expectAccessible(page, 'access keys');
  });
});
