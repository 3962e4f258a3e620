// npm run tour -- --url URL --data-dir FOLDER --pictures FOLDER: follows docs/tour.md as each role of a running demo, by
// clicks from Home. Prints clicks and seconds per role, and stores a picture of each step at two widths in both themes.
// Also lists pages that are cut off between 320 and 1920 pixels or at 200 % zoom, violations of axe, and console messages.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Browser, chromium, type Page } from '@playwright/test';
import axe from 'axe-core';
import { readTour } from '../web/e2e/tour.ts';

const { values } = parseArgs({
  options: { url: { type: 'string' }, 'data-dir': { type: 'string' }, pictures: { type: 'string' } },
});
const { url = '', pictures, 'data-dir': dataDir } = values;
if (!url || !dataDir || !pictures)
  throw new Error('Usage: npm run tour -- --url URL --data-dir FOLDER --pictures FOLDER');

interface Demo {
  portal: string;
  credentials: { email: string; password: string }[];
}
const demo = JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8')) as Demo;

const wide = { width: 1440, height: 900 };
const sizes = [wide, { width: 390, height: 844 }];
/** 720 pixels is 1440 at a zoom of 200 %, and 320 is 640. */
const widths = [320, 390, 720, 768, 1024, 1280, 1440, 1920];
const themes = ['light', 'dark'] as const;
const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** The number of links that are tried as a way to a page. */
const MAX_HUBS = 24;
const LINK_TIMEOUT_MS = 1_000;

const problems: string[] = [];
async function follow(of: Browser, { role, email, steps }: ReturnType<typeof readTour>[number]): Promise<void> {
  const context = await of.newContext({ baseURL: url, viewport: wide, reducedMotion: 'reduce' });
  const page = await context.newPage();
  watch(page, role);
  if (email === undefined) await page.goto(demo.portal);
  else await signIn(page, email);
  const taken: StepResult[] = [];
  for (const [index, step] of steps.entries()) {
    taken.push(await takeStep(page, step));
    await look(page, `${role.toLowerCase().replaceAll(' ', '-')}-${index + 1}`);
  }
  const seconds = (steps: readonly StepResult[]) => (steps.reduce((sum, { ms }) => sum + ms, 0) / 1000).toFixed(1);
  const clicks = taken.reduce((sum, one) => sum + (one.clicks ?? 0), 0);
  const direct = taken.flatMap((one, index) => (one.clicks === undefined ? [steps[index]?.path] : []));
  console.log(
    `${role}: ${steps.length} steps, ${clicks} clicks, first result after ${seconds(taken.slice(0, 1))} s, all after ${seconds(taken)} s` +
      (direct.length === 0 ? '' : `, by their address only: ${direct.join(', ')}`),
  );
  await context.close();
}

interface StepResult {
  /** Undefined if only the address leads to the page. */
  clicks: number | undefined;
  /** From the first click until the page shows what the tour expects. */
  ms: number;
}

/** Finds the way to a step, returns to where it began, and goes it. */
async function takeStep(page: Page, { path, shows }: { path: string; shows: string[] }): Promise<StepResult> {
  const from = addressOf(page);
  const way = path === '' ? [] : await findWay(page, path);
  if (path !== '') await page.goto(from);
  await settled(page);
  const started = performance.now();
  for (const click of way ?? [async () => void (await page.goto(path))]) await click();
  for (const text of shows) await page.getByText(text).filter({ visible: true }).first().waitFor();
  return { clicks: way?.length, ms: performance.now() - started };
}

async function signIn(page: Page, email: string): Promise<void> {
  const { password = '' } = demo.credentials.find((one) => one.email === email) ?? {};
  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByText('Demo data.').first().waitFor({ timeout: 60_000 });
}

type Click = () => Promise<void>;

/**
 * Finds the clicks that lead from this page to a path; undefined if only the address does. Tries a link to it, then the
 * menus of the frame, then links of the same area. Choosing a filter of a list is two clicks: its menu and the value.
 */
async function findWay(page: Page, path: string): Promise<Click[] | undefined> {
  const from = addressOf(page);
  if (from === path) return [];
  const toLink =
    (href: string): Click =>
    () =>
      clickLink(page, href);
  if (await hasLink(page, path)) return [toLink(path)];
  const [target = path] = path.split('?');
  if (target !== path) {
    const way = await findWay(page, target);
    if (way === undefined) return undefined;
    await page.goto(target);
    if (await hasLink(page, path)) return [...way, toLink(path)];
    return [...way, async () => {}, async () => void (await page.goto(path))];
  }
  const menu = await findInMenu(page, path);
  if (menu) return menu;
  for (const hub of await linksInArea(page, path)) {
    await page.goto(hub);
    await settled(page);
    if (await hasLink(page, path)) return [toLink(hub), toLink(path)];
  }
  return undefined;
}

function addressOf(page: Page): string {
  const { pathname, search } = new URL(page.url());
  return `${pathname}${search}`;
}

const settled = (page: Page): Promise<void> =>
  page.locator('main [aria-busy="true"]').first().waitFor({ state: 'hidden' });

const linkTo = (page: Page, path: string) => page.locator(`a[href="${path}"]`).filter({ visible: true }).first();

const hasLink = (page: Page, path: string): Promise<boolean> =>
  linkTo(page, path)
    .waitFor({ timeout: LINK_TIMEOUT_MS })
    .then(
      () => true,
      () => false,
    );

async function clickLink(page: Page, path: string): Promise<void> {
  await linkTo(page, path).click();
  await page.waitForURL((address) => address.pathname === path.split('?')[0]);
}

/** Links of the page to the area of a path, such as /evidence, the closest first. */
async function linksInArea(page: Page, path: string): Promise<string[]> {
  await settled(page);
  const hrefs = await page.locator('a[href^="/"]').evaluateAll((links) => links.map((one) => one.getAttribute('href')));
  const common = (href: string) => {
    const [one, other] = [href.split('/'), path.split('/')];
    return one.findIndex((part, index) => part !== other[index]);
  };
  return [
    ...new Set(hrefs.flatMap((href) => (href === null || /[?#]|^\/(docs|outbox|testing)/.test(href) ? [] : [href]))),
  ]
    .map((href) => ({ href, depth: common(`${href}/`) }))
    .toSorted((one, other) => other.depth - one.depth)
    .slice(0, MAX_HUBS)
    .map(({ href }) => href);
}

async function findInMenu(page: Page, path: string): Promise<Click[] | undefined> {
  const buttons = page.locator('header button[aria-haspopup="menu"], aside button[aria-haspopup="menu"]');
  for (let index = 0; index < (await buttons.count()); index += 1) {
    const open: Click = async () => {
      await buttons.nth(index).click();
      await page.getByRole('menu').waitFor();
    };
    await open();
    const found = await hasLink(page, path);
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'hidden' });
    if (found) return [open, () => clickLink(page, path)];
  }
  return undefined;
}

/** Takes the pictures of a page, and notes what is cut off and what axe finds. */
async function look(page: Page, name: string): Promise<void> {
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'hidden' });
  // Charts below the window are drawn once the page is used.
  await page.keyboard.press('Shift');
  await page.locator('figure [data-plot]').first().waitFor({ state: 'detached' });
  for (const size of sizes) {
    await page.setViewportSize(size);
    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
      await page.screenshot({ path: join(pictures ?? '', `${name}-${size.width}-${colorScheme}.png`), fullPage: true });
      await page.evaluate(axe.source);
      const found = await page.evaluate(
        async (values) =>
          (await (globalThis as unknown as { axe: typeof axe }).axe.run({ runOnly: values })).violations.map(
            ({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 120)}`,
          ),
        standards,
      );
      problems.push(...found.map((one) => `${name} at ${size.width}, ${colorScheme}: ${one}`));
    }
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    const beyond = await page.locator('html').evaluate((root) => root.scrollWidth - root.clientWidth);
    if (beyond > 0) problems.push(`${name} at ${width}: ${beyond} pixels to the side`);
  }
  await page.setViewportSize(wide);
}

function watch(page: Page, role: string): void {
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(`${role}, ${page.url()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => problems.push(`${role}, ${page.url()}: ${error.message}`));
  page.on('response', (response) => {
    if (response.status() >= 400) problems.push(`${role}, ${page.url()}: ${response.status()} from ${response.url()}`);
  });
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
for (const part of readTour()) await follow(browser, part);
await browser.close();
for (const one of problems) console.log(`  ✗ ${one}`);
if (problems.length > 0) process.exitCode = 1;
else console.log('  ✓ nothing is cut off, no violation of axe, no message in the console, no failed request');
