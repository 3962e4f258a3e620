import { existsSync } from 'node:fs';
import { defineConfig, devices } from '@playwright/test';

const browsers = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];
const executablePath = browsers.find((path) => path !== undefined && existsSync(path));

export default defineConfig({
  testDir: './e2e',
  outputDir: '../test-results',
  // Each file has a server of its own; much of a walk is waiting, so two cores carry two.
  workers: 2,
  // A machine with much else to do is slow, not wrong.
  timeout: 300_000,
  expect: { timeout: 30_000 },
  // A file goes again from its beginning, on a server of its own; what passed only then is named as flaky.
  retries: 1,
  reporter: [['list']],
  use: {
    ...devices['Desktop Chrome'],
    viewport: { width: 1440, height: 900 },
    // Recording takes a quarter of the processor time, so only what failed is recorded.
    trace: 'on-first-retry',
    launchOptions: {
      ...(executablePath !== undefined && { executablePath }),
      args: [
        '--disable-background-networking',
        '--disable-gpu',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
      ],
      chromiumSandbox: process.getuid?.() !== 0,
    },
  },
});
