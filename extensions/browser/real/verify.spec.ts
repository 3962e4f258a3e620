import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { appendChanges, buildTestBundle, createTestLedger, vkey } from '../../../evidence/src/bundle/testing/scene.ts';
import { bundleVectors } from '../../../evidence/src/bundle/testing/vectors.ts';
import { firefoxPath, type RealFirefox, startFirefox } from './firefox.ts';
import { skipUnless } from './required.ts';

// web/e2e/verify.spec.ts runs the same test in Chromium. This one is here because these tests start Firefox.
skipUnless(firefoxPath !== undefined, 'Firefox');

const page = `file://${fileURLToPath(new URL('../../../evidence/verify.html', import.meta.url))}`;
const folder = mkdtempSync(join(tmpdir(), 'sightline-verify-'));
const path = join(folder, 'bundle.zip');
let firefox: RealFirefox;

test.beforeAll(async () => {
  firefox = await startFirefox(undefined, []);
  await firefox.inside('Services.io.offline = true; done(true);');
});
test.afterAll(async () => {
  await firefox?.stop();
  rmSync(folder, { recursive: true });
});

/** Clicks Verify and returns the result of the page. */
async function verdict(): Promise<string> {
  await firefox.click('button[type=submit]');
  return String(
    await firefox.run(`
      const result = document.getElementById('result');
      return new Promise((resolve) => {
        const look = () => (result.hidden ? setTimeout(look, 5) : resolve(document.getElementById('outcome').textContent));
        look();
      });`),
  );
}

async function verdictOf(bytes: Uint8Array): Promise<string> {
  writeFileSync(path, bytes);
  await firefox.choose('#bundle', path);
  return verdict();
}

test('verifies a bundle from disk in Firefox offline, and rejects a forged one', async () => {
  const log = createTestLedger();
  const made = await buildTestBundle(log, appendChanges(log, 60));
  await firefox.go(page);
  expect(await firefox.run('return navigator.onLine')).toBe(false);
  await firefox.fill('#key', vkey);
  expect(await verdictOf(made.bundle)).toBe('Valid');
  expect(await firefox.run("return document.getElementById('sentence').textContent")).toMatch(
    /^VALID: [1-9]\d* items of 6 controls/,
  );
  for await (const { name, bundle, previous, witness, disclosureKey, step } of bundleVectors()) {
    // The command line and the tests of `verifyBundle` try those with another file or key.
    if (previous || disclosureKey || witness !== undefined) continue;
    expect.soft(await verdictOf(bundle), name).toBe(step === null ? 'Valid' : 'Not valid');
  }
  for (let at = 0; at < made.bundle.length; at += Math.ceil(made.bundle.length / 40)) {
    const flipped = made.bundle.slice();
    flipped[at] = (flipped[at] ?? 0) ^ (1 << (at % 8));
    expect.soft(await verdictOf(flipped), `byte ${at}`).toBe('Not valid');
  }
  expect(await firefox.run("return performance.getEntriesByType('resource').map(({ name }) => name)")).toEqual([]);
});

test('verifies a bundle that is chosen in the system dialog', async () => {
  const log = createTestLedger();
  const chosen = join(folder, 'chosen.zip');
  writeFileSync(chosen, (await buildTestBundle(log, appendChanges(log, 10))).bundle);
  await firefox.go(page);
  await firefox.fill('#key', vkey);
  // Tests cannot click in the system dialog. A replacement responds to Firefox as the dialog does.
  await firefox.inside(fileDialogScript(chosen));
  await firefox.click('label[for=bundle]');
  await expect.poll(() => firefox.run("return document.getElementById('bundle').files[0]?.name")).toBe('chosen.zip');
  expect(await verdict()).toBe('Valid');
});

const fileDialogScript = (file: string): string => `
  const dialog = {
    QueryInterface: ChromeUtils.generateQI(['nsIFilePicker']),
    init() {}, appendFilter() {}, appendFilters() {}, appendRawFilter() {},
    get file() {
      const file = Components.classes['@mozilla.org/file/local;1'].createInstance(Components.interfaces.nsIFile);
      file.initWithPath(${JSON.stringify(file)});
      return file;
    },
    open(shown) { Services.tm.dispatchToMainThread(() => shown.done(Components.interfaces.nsIFilePicker.returnOK)); },
  };
  const made = { QueryInterface: ChromeUtils.generateQI(['nsIFactory']), createInstance: (id) => dialog.QueryInterface(id) };
  Components.manager.QueryInterface(Components.interfaces.nsIComponentRegistrar)
    .registerFactory(Components.ID('{0f2e5a0c-9f4e-4a35-8f6c-5a0f5f4b7f11}'), 'dialog', '@mozilla.org/filepicker;1', made);
  done(true);`;
