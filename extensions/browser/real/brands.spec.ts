import { expect, type Page, test } from '@playwright/test';
import { chromiumPath, type RealChromium, startChromium } from './chromium.ts';
import { allowedPackage, isBuilt } from './packages.ts';
import { skipUnless } from './required.ts';

/** Opera, Edge and Brave are based on Chromium. No package registry provides them. */
const brands = { chrome: 'Chrome', edge: 'Edge', opera: 'Opera', brave: 'Brave' };

for (const [browser, name] of Object.entries(brands)) {
  test.describe(`the package for ${name}`, () => {
    skipUnless(chromiumPath !== undefined && isBuilt(browser), 'Chromium or the built extension');

    let chromium: RealChromium;
    test.beforeEach(async () => {
      chromium = await startChromium(allowedPackage(browser, 'http://localhost/*'), 9);
    });
    test.afterEach(async () => chromium?.stop());

    test('loads without an error, opens its pages and responds from its background', async () => {
      const page = await chromium.context.newPage();
      const errors: string[] = [];
      chromium.context.on('weberror', (error) => errors.push(error.error().message));
      page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
      await collectErrors(page);
      for (const file of ['popup.html', 'options.html']) {
        // Restarts the background while its errors are collected.
        await chromium.endWorker();
        await page.goto(chromium.page(file));
        await expect(page.getByRole('heading', { name: 'Sightline' })).toBeVisible();
        await expect(page.getByRole('status')).toHaveText('Signed out');
      }
      expect(errors).toEqual([]);
      // Browsers include extensions of their own.
      const extension = (await installed(page)).find((one) => one.name === 'Sightline');
      expect(extension).toMatchObject({ manifestErrors: [], runtimeErrors: [] });
      expect(extension?.version).toContain(`for ${name}`);
    });
  });
}

interface Installed {
  name: string;
  version: string;
  manifestErrors: unknown[];
  runtimeErrors: unknown[];
}

interface ExtensionsPage {
  chrome: {
    developerPrivate: {
      updateProfileConfiguration: (to: { inDeveloperMode: boolean }) => Promise<void>;
      getExtensionsInfo: () => Promise<Installed[]>;
    };
  };
}

/** Enables developer mode, in which browsers record the errors of extensions. */
async function collectErrors(page: Page): Promise<void> {
  await page.goto('chrome://extensions');
  await page.evaluate(() =>
    (globalThis as unknown as ExtensionsPage).chrome.developerPrivate.updateProfileConfiguration({
      inDeveloperMode: true,
    }),
  );
}

async function installed(page: Page): Promise<Installed[]> {
  await page.goto('chrome://extensions');
  return page.evaluate(() => (globalThis as unknown as ExtensionsPage).chrome.developerPrivate.getExtensionsInfo());
}
