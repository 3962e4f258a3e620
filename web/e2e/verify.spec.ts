import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from '@playwright/test';
import { appendChanges, buildTestBundle, createTestLedger, vkey } from '../../evidence/src/bundle/testing/scene.ts';
import { type BundleVector, bundleVectors } from '../../evidence/src/bundle/testing/vectors.ts';
import { expectAccessible } from './accessible.ts';
import { test } from './test.ts';

const page = `file://${fileURLToPath(new URL('../../evidence/verify.html', import.meta.url))}`;
const folder = mkdtempSync(join(tmpdir(), 'sightline-verify-'));

test.use({ offline: true });

test('verifies a bundle from disk offline, and rejects a forged one', async ({ page: tab }) => {
  const requestedUrls: string[] = [];
  tab.on('request', (request) => requestedUrls.push(request.url()));
  const log = createTestLedger();
  const made = await buildTestBundle(log, appendChanges(log, 60));
  await tab.goto(page);
  await expectAccessible(tab, 'the empty page');
  await tab.getByRole('button', { name: 'Verify' }).click();
  await expect(tab.getByRole('alert')).toHaveText('Enter the signing key of the ledger.');
  await tab.getByLabel('Key of the ledger').fill(vkey);
  const verdictOf = async (
    bytes: Uint8Array,
    {
      disclosureKey,
      previous,
      witness = '',
    }: Partial<Pick<BundleVector, 'disclosureKey' | 'previous' | 'witness'>> = {},
  ): Promise<string> => {
    const path = join(folder, 'bundle.zip');
    writeFileSync(path, bytes);
    await tab.getByLabel('Bundle', { exact: true }).setInputFiles(path);
    for (const [label, name, content] of [
      ['The disclosure key of the bundle', 'disclosure-key.json', disclosureKey],
      ['An earlier bundle of the same ledger', 'earlier.zip', previous],
    ] as const) {
      if (content) writeFileSync(join(folder, name), content);
      await tab.getByLabel(label).setInputFiles(content ? join(folder, name) : []);
    }
    await tab.getByLabel('Keys of witnesses').fill(witness);
    await tab.getByRole('button', { name: 'Verify' }).click();
    await expect(tab.locator('#result')).toBeVisible();
    return (await tab.locator('#outcome').textContent()) ?? '';
  };
  expect(await verdictOf(made.bundle)).toBe('Valid');
  await expect(tab.locator('#outcome')).toBeFocused();
  await expect(tab.locator('#sentence')).toContainText(/^VALID: [1-9]\d* items of 6 controls/);
  await expect(tab.getByText('Limits of this verification')).toBeVisible();
  await expectAccessible(tab, 'a valid bundle');
  for await (const { name, bundle, step, ...given } of bundleVectors()) {
    expect.soft(await verdictOf(bundle, given), name).toBe(step === null ? 'Valid' : 'Not valid');
    const sentence = step === null ? /^VALID: / : new RegExp(`^NOT VALID: step ${step} failed`);
    expect.soft(await tab.locator('#sentence').textContent(), name).toMatch(sentence);
  }
  for (let at = 0; at < made.bundle.length; at += Math.ceil(made.bundle.length / 60)) {
    const flipped = made.bundle.slice();
    flipped[at] = (flipped[at] ?? 0) ^ (1 << (at % 8));
    expect.soft(await verdictOf(flipped), `byte ${at}`).toBe('Not valid');
  }
  await expectAccessible(tab, 'a refused bundle');
  expect(requestedUrls.filter((url) => !url.startsWith('file:'))).toEqual([]);
});
