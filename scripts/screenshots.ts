// npm run screenshots: takes the screenshots of the README. With --all FOLDER: every screen, light and dark, wide and
// narrow, reproducibly; with --check OTHER as well: lists the screenshots that differ from those in that folder.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { chromium, type Page } from '@playwright/test';
import { freePort } from '../server/src/testing/free-port.ts';
import { differingScreenshots } from './screenshots/compare.ts';
import { followRequests, waitUntilSettled } from './screenshots/still.ts';

const root = join(import.meta.dirname, '..');
const { values } = parseArgs({ options: { all: { type: 'string' }, check: { type: 'string' } } });
const chromiumPath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const target = values.all ?? join(root, 'docs', 'pictures');
const schemes = ['light', 'dark'] as const;
const wide = { width: 1440, height: 900 };

await mkdir(target, { recursive: true });
execFileSync(process.execPath, [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn'], {
  cwd: join(root, 'web'),
  stdio: 'inherit',
});
if (values.all === undefined) await drawReadme();
else drawEveryScreen(values.all);
if (values.all !== undefined && values.check !== undefined) {
  const different = await differingScreenshots(values.all, values.check, chromiumPath);
  for (const one of different) console.log(`  ✗ ${one}`);
  if (different.length > 0) process.exitCode = 1;
  else console.log(`  ✓ the same as in ${values.check}`);
}

/** Uses Playwright's test runner and its time limits. */
function drawEveryScreen(folder: string): void {
  const config = join(root, 'scripts', 'screenshots', 'playwright.config.ts');
  const { status } = spawnSync(
    process.execPath,
    [join(root, 'node_modules/@playwright/test/cli.js'), 'test', '--config', config],
    {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, CHROMIUM_PATH: chromiumPath, PICTURES: resolve(folder) },
    },
  );
  if (status !== 0) process.exit(status ?? 1);
}

async function drawReadme(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-pictures-'));
  // If root runs this, PostgreSQL runs as another user and stores its database elsewhere unless it can access the
  // folder.
  await chmod(folder, 0o711);
  let server: ChildProcess | undefined;
  try {
    // The sandbox uses the next port.
    const port = await freePort(2);
    const environment = environmentOf(port, folder);
    server = spawn(process.execPath, [join(root, 'server', 'src', 'main.ts')], {
      env: environment,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    await waitUntilReady(server);
    await walk(port, environment);
  } finally {
    await stop(server);
    await rm(folder, { recursive: true, force: true });
  }
}

interface Credential {
  email: string;
  password: string;
}

/** Creates the demo organization, and takes a picture of each page as its Account Owner. */
async function walk(port: number, environment: NodeJS.ProcessEnv): Promise<void> {
  const output = execFileSync(process.execPath, [join(root, 'server', 'src', 'cli', 'main.ts'), 'demo', '--json'], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [owner] = (JSON.parse(output.toString()) as { credentials: Credential[] }).credentials;
  if (owner === undefined) throw new Error('The demo has no owner.');
  const browser = await chromium.launch({
    executablePath: chromiumPath,
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  try {
    const baseURL = `http://localhost:${port}`;
    const page = await browser.newPage({ baseURL, viewport: wide, reducedMotion: 'reduce' });
    followRequests(page.context());
    await signIn(page, owner);
    for (const [name, path] of Object.entries(pages)) {
      await page.goto(path);
      await waitUntilSettled(page);
      await picture(page, name);
    }
  } finally {
    await browser.close();
  }
}

const pages = { explore: '/explore?query=kind:pr', evidence: '/evidence' };

async function signIn(page: Page, { email, password }: Credential): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByText('Demo data.').waitFor({ timeout: 60_000 });
}

async function picture(page: Page, name: string): Promise<void> {
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme });
    await waitUntilSettled(page);
    await page.screenshot({ path: join(target, `${name}-${colorScheme}.png`) });
    console.log(`  ✓ ${name}-${colorScheme}`);
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

const environmentOf = (port: number, folder: string): NodeJS.ProcessEnv => ({
  ...process.env,
  NODE_ENV: 'development',
  DATA_DIR: join(folder, 'data'),
  PORT: String(port),
  PUBLIC_URL: `http://localhost:${port}`,
});

/** Waits for the line that reports readiness. Throws with the output otherwise. */
async function waitUntilReady(child: ChildProcess): Promise<void> {
  const lines: string[] = [];
  if (!child.stderr) throw new Error('The server has no output to wait for.');
  for await (const line of createInterface({ input: child.stderr })) {
    lines.push(line);
    if (line.startsWith('Sightline is ready')) return;
  }
  throw new Error(`The server did not start.\n${lines.join('\n')}`);
}

function stop(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGINT');
  });
}
