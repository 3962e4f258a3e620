import { expect } from '@playwright/test';
import { importsCompleted, setUp } from './steps.ts';
import { test } from './test.ts';

test('look', async ({ browser, server }) => {
  test.setTimeout(400_000);
  const product = await server.addTenant();
  const context = await browser.newContext({ baseURL: product.url, reducedMotion: 'reduce', viewport: { width: 1440, height: 1100 } });
  const page = await context.newPage();
  await setUp(page, product, 'Kestrel Payments');
  await importsCompleted(page, product.url);
  const urls: Record<string, string> = {
    start: '/explore',
    bars: '/explore?query=after:-300d&chart=bars&by=repo&compare=true',
    actors: '/explore?query=kind:commit&chart=bars&by=actor&top=10',
    lines: '/explore?query=after:-300d&chart=lines&by=kind&compare=true',
    hours: '/explore?query=after:-300d&chart=hours&compare=true',
  };
  for (const scheme of ['light', 'dark'] as const) {
    for (const width of [1440, 390, 320]) {
      await page.setViewportSize({ width, height: 1000 });
      await page.emulateMedia({ colorScheme: scheme });
      for (const [name, url] of Object.entries(urls)) {
        if (scheme === 'dark' && width === 390) continue;
        await page.goto(url);
        await page.locator('li[data-event]').first().waitFor();
        if (name !== 'start') await page.getByRole('region', { name: 'Chart' }).locator('svg').first().waitFor();
        await page.waitForTimeout(400);
        await page.screenshot({ path: `/tmp/e4/look/${name}-${width}-${scheme}.png` });
        const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
        if (overflow !== 0) console.log('OVERFLOW', name, width, overflow);
      }
    }
  }
  await page.emulateMedia({ media: 'print', colorScheme: 'light' });
  await page.setViewportSize({ width: 760, height: 1000 });
  for (const name of ['bars', 'lines', 'hours']) {
    await page.goto(urls[name] ?? '');
    await page.getByRole('region', { name: 'Chart' }).locator('svg').first().waitFor();
    await page.waitForTimeout(400);
    await page.screenshot({ path: `/tmp/e4/look/${name}-print.png` });
  }
  await page.emulateMedia({ media: 'screen' });
  await page.setViewportSize({ width: 1440, height: 1000 });
  await page.goto(urls.bars ?? '');
  await page.getByRole('combobox', { name: 'Filter events' }).fill('after:-300d sevrity:high');
  await expect(page.getByText(/did you mean/)).toBeVisible();
  await page.waitForTimeout(300);
  await page.screenshot({ path: '/tmp/e4/look/invalid.png' });
  await context.close();
  await product.stop();
});
