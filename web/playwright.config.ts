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
  // Each file has a separate server. Tests mostly wait, so two workers fit on two cores.
  workers: 2,
  // A busy machine is slow, which is not a failure.
  timeout: 600_000,
  expect: { timeout: 30_000 },
  // A failed file restarts on a new server. Tests that pass only on the retry are reported as flaky.
  retries: 1,
  reporter: [['list']],
  use: {
    ...devices['Desktop Chrome'],
    viewport: { width: 1440, height: 900 },
    // Recording takes a quarter of the processor time, so only retries are recorded.
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
