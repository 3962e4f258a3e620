import { chromium } from '@playwright/test';
import { readFileSync } from 'node:fs';
const axe = readFileSync(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');
const [email, password] = [process.argv[2], process.argv[3]];
const paths = process.argv.slice(4);
const base = 'http://localhost:3722';
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
const page = await context.newPage();
await page.goto(base);
await page.getByLabel('Email').first().fill(email);
const pw = page.getByLabel('Password', { exact: true });
if (!(await pw.isVisible())) await page.getByRole('button', { name: /continue|next/i }).click();
await pw.fill(password);
await page.keyboard.press('Enter');
await page.waitForURL((u) => !/sign-in|login|authorize|interaction/.test(u.href), { timeout: 60000 });
await page.waitForLoadState('networkidle').catch(() => {});
const state = await context.storageState();
await context.close();
for (const theme of ['light', 'dark']) {
  for (const width of [1440, 390, 320]) {
    const c = await browser.newContext({ storageState: state, viewport: { width, height: width === 1440 ? 900 : 800 }, colorScheme: theme });
    const p = await c.newPage();
    const problems = [];
    p.on('console', (m) => m.type() === 'error' && problems.push(m.text().slice(0, 200)));
    p.on('pageerror', (e) => problems.push(`PAGEERROR ${e.message.slice(0, 200)}`));
    for (const path of paths) {
      problems.length = 0;
      await p.goto(base + path, { waitUntil: 'load' });
      await p.waitForFunction(() => document.querySelector('main h1') && !document.querySelector('main [aria-busy="true"]'), undefined, { timeout: 30000 }).catch(() => problems.push('not loaded'));
      await p.waitForTimeout(700);
      const over = await p.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      await p.evaluate(axe);
      const found = await p.evaluate(async () => (await globalThis.axe.run(document, { resultTypes: ['violations'] })).violations.map((v) => `${v.id}: ${v.nodes[0].target} (${v.nodes.length})`));
      const name = `${path.replace(/[^a-z0-9]+/gi, '_').slice(0, 60)}-${theme}-${width}`;
      const h = await p.evaluate(() => Math.min(2600, Math.max(...[...document.querySelectorAll('main, main *')].slice(0, 400).map((e) => e.scrollHeight), 800)));
      await p.screenshot({ path: `/tmp/blook/${name}.png`, fullPage: true });
      console.log(name, over > 0 ? `OVERFLOW ${over}` : '', found.join(' | '), problems.join(' | '));
    }
    await c.close();
  }
}
await browser.close();
