import { chromium } from '@playwright/test';
import lighthouse, { desktopConfig } from 'lighthouse';
import { mkdtemp, writeFile, mkdir, rm } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
const [base, form, runs, folder, ...paths] = process.argv.slice(2);
const creds = JSON.parse(readFileSync('/tmp/mem-demo.json','utf8')).credentials[0];
const profile = await mkdtemp('/tmp/mem-prof-');
const port = 9333 + Math.floor(Math.random()*500);
const browser = await chromium.launchPersistentContext(profile, { executablePath: '/usr/bin/chromium', viewport:{width:1350,height:940}, args:[`--remote-debugging-port=${port}`], chromiumSandbox:false });
const page = await browser.newPage();
await page.goto(base + '/login');
await page.getByLabel('Email').fill(creds.email);
await page.getByLabel('Password').fill(creds.password);
await page.getByRole('button', { name: 'Sign in', exact: true }).click();
await page.getByText('Demo data.').first().waitFor({ timeout: 60000 });
await page.close();
await mkdir(folder,{recursive:true});
for (const path of paths) for (let r=1;r<=Number(runs);r++) {
  const { lhr } = await lighthouse(base+path, { port, output:'json', onlyCategories:['performance'], logLevel:'error' }, form==='desktop'?desktopConfig:undefined);
  const a = lhr.audits;
  const show = {FCP:'first-contentful-paint',LCP:'largest-contentful-paint',TBT:'total-blocking-time',CLS:'cumulative-layout-shift',SI:'speed-index'};
  console.log(form, path, r, Math.round(lhr.categories.performance.score*100), Object.entries(show).map(([k,v])=>`${k} ${Math.round(a[v].numericValue*1000)/1000}`).join(' '));
  await writeFile(`${folder}/${form}${path.replaceAll('/','-')}-${r}.json`, JSON.stringify(lhr));
}
await browser.close(); await rm(profile,{recursive:true,force:true});
