import { expect, type Page, test } from '@playwright/test';
import { chromiumPath, type RealChromium, startChromium } from './chromium.ts';
import { allowedPackage, isBuilt } from './packages.ts';
import { skipUnless } from './required.ts';

/** Opera, Edge and Brave are Chromium underneath; none of them can be had from a package registry. */
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
      const troubles: string[] = [];
      chromium.context.on('weberror', (error) => troubles.push(error.error().message));
      page.on('console', (message) => message.type() === 'error' && troubles.push(message.text()));
      await collectErrors(page);
      for (const file of ['popup.html', 'options.html']) {
        // Its background ends and starts anew, with somebody to note what goes wrong.
        await chromium.endWorker();
        await page.goto(chromium.page(file));
        await expect(page.getByRole('heading', { name: 'Sightline' })).toBeVisible();
        await expect(page.getByRole('status')).toHaveText('Signed out');
      }
      expect(troubles).toEqual([]);
      // A browser brings some of its own along.
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

/** A browser notes the errors of extensions for their developers only. */
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
