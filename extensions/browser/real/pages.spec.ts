import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from '../../../web/e2e/accessible.ts';
import { chromiumPath, type RealChromium, startChromium } from './chromium.ts';
import { allowedPackage, isBuilt } from './packages.ts';
import { skipUnless } from './required.ts';
import { endedState, pausedState, populatedState, unreachableServer } from './states.ts';

skipUnless(chromiumPath !== undefined && isBuilt('chrome'), 'Chromium or the built extension');

let chromium: RealChromium;
let page: Page;

test.beforeAll(async () => {
  chromium = await startChromium(allowedPackage('chrome', 'http://localhost/*'), 9);
  page = await chromium.context.newPage();
});
test.afterAll(async () => {
  await chromium?.stop();
});

/** Opens a page of the extension with this stored state. */
async function open(name: 'popup' | 'options', state: object = {}): Promise<void> {
  await page.goto(chromium.page('manifest.json'));
  await page.evaluate(async (stored) => {
    const { chrome } = globalThis as unknown as {
      chrome: { storage: { local: { clear: () => Promise<void>; set: (values: object) => Promise<void> } } };
    };
    await chrome.storage.local.clear();
    await chrome.storage.local.set(stored);
  }, state);
  // Clears the in-memory state of the background.
  await chromium.endWorker();
  await page.goto(chromium.page(`${name}.html`));
  await expect(page.getByRole('heading', { name: 'Sightline' })).toBeVisible();
}

for (const [what, state, words] of [
  ['signed out', {}, 'Signed out'],
  ['signed in', populatedState(), 'Connected'],
  ['paused', pausedState(), 'Paused'],
  ['ended by the server', endedState(), 'Sign in again'],
] as const) {
  test(`has an accessible popup and options page: ${what}`, async () => {
    for (const name of ['popup', 'options'] as const) {
      await open(name, state);
      await expect(page.getByRole('status')).toHaveText(words);
      await expectAccessible(page, `${name}, ${what}`);
    }
  });
}

test('reports an invalid address beside the field and keeps the input', async () => {
  await open('options');
  await page.getByLabel('Server address').fill('http://sightline.example');
  await page.getByLabel('Server address').press('Enter');
  await expect(page.getByRole('alert')).toContainText('https://');
  await expect(page.getByLabel('Server address')).toHaveValue('http://sightline.example');
  await expectAccessible(page, 'options, bad address');
});

test('adds, removes and resets sites by keyboard alone', async () => {
  await open('options', populatedState());
  await page.getByLabel('Add a site').fill('no site');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Enter a site such as')).toBeVisible();
  await page.getByRole('button', { name: 'Remove github.com', exact: true }).press('Enter');
  await expect(page.getByRole('button', { name: 'Remove github.com', exact: true })).toBeHidden();
  await page.getByRole('button', { name: 'Reset to defaults' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Remove github.com', exact: true })).toBeVisible();
});

test('pauses and resumes recording, and lists what was sent', async () => {
  await open('popup', populatedState());
  await page.getByRole('button', { name: 'Pause for 1 hour' }).press('Enter');
  await expect(page.getByRole('status')).toHaveText('Paused');
  await page.getByRole('button', { name: 'Resume', exact: true }).press('Enter');
  await expect(page.getByRole('status')).not.toHaveText('Paused');
  await expect(page.getByText('Recording resumed')).toBeVisible();
});

test('pauses and ends recording after the server ended a sign-in', async () => {
  await open('popup', endedState());
  await page.getByRole('button', { name: 'Until I resume' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Resume', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Sign out' }).press('Enter');
  await expect(page.getByRole('status')).toHaveText('Signed out');
});

test('counts queued events while the server is unreachable, with the reason', async () => {
  await open('popup', populatedState({ server: unreachableServer }));
  await page.getByRole('button', { name: 'Pause for 1 hour' }).press('Enter');
  await page.getByRole('button', { name: 'Resume', exact: true }).press('Enter');
  await page.getByRole('button', { name: 'Send now' }).press('Enter');
  await expect(page.getByText('The server could not be reached')).toBeVisible();
  await expect(page.getByRole('status')).toHaveText('Offline');
});
