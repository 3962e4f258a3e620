import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { type Product, startProduct } from '../../../web/e2e/server.ts';
import { authorizationHeader, createOrganization, signUp } from '../../../web/e2e/steps.ts';
import { chromiumPath } from '../../browser/real/chromium.ts';
import { skipUnless } from '../../browser/real/required.ts';
import { installCode, isCodeServerInstalled, type RealCode } from './code.ts';

test.use({
  launchOptions: {
    ...(chromiumPath !== undefined && { executablePath: chromiumPath }),
    chromiumSandbox: process.getuid?.() !== 0,
  },
  viewport: { width: 1280, height: 800 },
});
skipUnless(chromiumPath !== undefined && isCodeServerInstalled(), 'Chromium, code-server or the built extension');
test.describe.configure({ mode: 'serial' });

let product: Product;
let code: RealCode;
let context: BrowserContext;
let page: Page;
let editor: Page;

test.beforeAll(async ({ browser }) => {
  test.setTimeout(300_000);
  // The window is at 127.0.0.1 and the product at localhost, where the page may pass on its code.
  product = await startProduct([]);
  code = await installCode(product.url);
  await code.start();
  context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
  page = await context.newPage();
  await signUp(page, product.url);
  await createOrganization(page, 'Acme');
  editor = await openEditor();
});
test.afterAll(async () => {
  await context?.close();
  await code?.stop();
  await product?.stop();
});

async function openEditor(): Promise<Page> {
  const opened = await context.newPage();
  await opened.goto(code.url);
  await expect(status(opened)).toBeVisible({ timeout: 120_000 });
  return opened;
}
const status = (opened: Page) =>
  opened.locator('[id="sightline.sightline.sightline.status"], [id*="sightline.status"]');

async function command(name: string): Promise<void> {
  await editor.keyboard.press('F1');
  await editor
    .getByRole('textbox', { name: 'Type the name of a command' })
    .or(editor.locator('.quick-input-box input'))
    .first()
    .fill(`>${name}`);
  await editor
    .getByRole('option', { name: new RegExp(`^${name}`) })
    .first()
    .click();
}

async function ask<Answer>(path: string, data?: object): Promise<Answer> {
  const options = { headers: await authorizationHeader(page) };
  const address = `${product.url}/api${path}`;
  const answer = data
    ? await page.request.post(address, { ...options, data })
    : await page.request.get(address, options);
  return (await answer.json()) as Answer;
}

const recordedTexts = async (type: string): Promise<string[]> => {
  const { events } = await ask<{ events: { type: string }[] }>('/v2/events/explore/query', {});
  return events.filter((event) => event.type === type).map((event) => JSON.stringify(event));
};

function commit(text: string): string {
  appendFileSync(join(code.workspace, 'total.ts'), `// ${text}\n`);
  code.git('commit', '--quiet', '-am', text);
  return code.git('rev-parse', 'HEAD').trim();
}

async function copyAll(): Promise<void> {
  await editor.keyboard.press('Control+p');
  await editor.locator('.quick-input-box input').first().fill('total.ts');
  await editor
    .getByRole('option', { name: /total\.ts/ })
    .first()
    .click();
  await editor.locator('.monaco-editor .view-lines').first().click();
  await editor.keyboard.press('Control+A');
  await editor.keyboard.press('Control+C');
}

test('signs in through the web app and is present within five seconds', async () => {
  const tab = context.waitForEvent('page');
  await command('Sightline: Sign in');
  const authorize = await tab;
  await expect(status(editor)).toHaveAttribute('aria-label', /connected/, { timeout: 60_000 });
  await authorize.close();
  await expect(async () => {
    expect(await ask('/v2/user/ext-status')).toMatchObject({ ide_status: 'connected', ide_type: 'code-server' });
  }).toPass({ timeout: 5000 });
});

test('reports a commit made outside the editor, and a copy without its text', async () => {
  const sha = commit('Say what it is for');
  await expect.poll(async () => (await recordedTexts('commit')).filter((event) => event.includes(sha))).toHaveLength(1);
  await copyAll();
  await expect.poll(() => recordedTexts('ide_clipboard')).toHaveLength(1);
  const everything = `${await recordedTexts('commit')} ${await recordedTexts('ide_clipboard')} ${code.kept()}`;
  for (const secret of ['sesame', 'Say what it is for', 'prices.length']) expect(everything).not.toContain(secret);
});

test('reports its extensions as developer tools', async () => {
  await expect
    .poll(async () => JSON.stringify(await ask('/v2/tools/inventory', { tab: 'developer' })))
    .toContain('sightline.sightline');
});

test('neither loses nor repeats events if the server is unreachable and the window is killed', async () => {
  await product.halt();
  const sha = commit('While nobody listens');
  await expect.poll(() => code.kept(), { timeout: 60_000 }).toContain(sha);
  await copyAll();
  await expect.poll(() => code.kept().match(/"event_type":"ide_clipboard"/g)?.length ?? 0).toBe(1);
  await code.kill();
  await editor.close();
  await product.resume();
  await code.start();
  editor = await openEditor();
  await expect
    .poll(async () => (await recordedTexts('commit')).filter((event) => event.includes(sha)), { timeout: 60_000 })
    .toHaveLength(1);
  await expect.poll(() => recordedTexts('ide_clipboard')).toHaveLength(2);
  await expect.poll(() => code.kept().includes('"message_id"')).toBe(false);
  expect(await recordedTexts('commit')).toHaveLength(2);
});

test('activates quickly, as VS Code measures it', async () => {
  // The list renders visible rows only, the slowest first.
  await editor.setViewportSize({ width: 1280, height: 2400 });
  await command('Developer: Show Running Extensions');
  const row = editor.locator('.runtime-extensions-editor .extension').filter({ hasText: /sightline/i });
  const time = row.locator('.activation-time');
  await expect(time).toHaveText(/Activation: \d+ms/);
  // The time depends on the machine, so it is printed only.
  console.log(`    the extension in VS Code: ${await time.textContent()}`);
});
