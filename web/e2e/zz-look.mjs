import { chromium } from 'playwright-core';
import { readFileSync, mkdirSync } from 'node:fs';
const [,, who, paths, tag='x', widths='390,1440', themes='light,dark'] = process.argv;
const log = readFileSync('/tmp/ddm-demo.log','utf8');
const row = log.split('\n').find((l)=>l.includes(who));
const [, email, password] = row ? row.match(/(\S+@\S+)\s+(\S+)/) : [0, ...who.split('|')];
const base = process.env.BASE ?? 'http://localhost:3790';
mkdirSync('/tmp/look', { recursive: true });
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox','--disable-gpu'] });
const ctx = await browser.newContext({ viewport: { width: 1440, height: 900 } });
const page = await ctx.newPage();
page.on('console', (m) => { if (m.type()==='error') console.log('console', m.text().slice(0,200)); });
page.on('pageerror', (e) => console.log('pageerror', e.message.slice(0,200)));
await page.goto(base);
await page.getByLabel('Email').fill(email);
await page.getByLabel('Password', { exact: true }).fill(password);
await page.getByRole('button', { name: 'Sign in', exact: true }).click();
await page.waitForURL((u)=>!/sign-in|login|authorize/.test(u.pathname), {timeout: 60000});
await page.waitForTimeout(3000);
for (const theme of themes.split(',')) {
  await page.emulateMedia({ colorScheme: theme });
  for (const width of widths.split(',').map(Number)) {
    await page.setViewportSize({ width, height: 900 });
    for (const p of paths.split(',')) {
      await page.goto(base + p);
      await page.waitForLoadState('networkidle').catch(()=>{});
      await page.waitForTimeout(500);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (wide > 0) console.log('overflow', p, width, wide);
      await page.screenshot({ path: `/tmp/look/${tag}-${p.replaceAll('/','_').replaceAll('?','-')}-${theme}-${width}.png`, fullPage: true });
    }
  }
}
await browser.close();
