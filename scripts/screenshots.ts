// npm run screenshots: the pictures of the README. With --all FOLDER: every screen, light and dark, wide and narrow.
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs, promisify } from 'node:util';
import { chromium, type Page } from '@playwright/test';
import { makeDemoRepository } from './demo-repository.ts';

const root = join(import.meta.dirname, '..');
const { values } = parseArgs({ options: { all: { type: 'string' } } });
const target = values.all ?? join(root, 'docs', 'pictures');
const address = 'mira.okafor@example.org';
const schemes = ['light', 'dark'] as const;
const sizes = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];
const [wide = { width: 1440, height: 900 }] = sizes;

await mkdir(target, { recursive: true });
execFileSync(process.execPath, [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn'], {
  cwd: join(root, 'web'),
  stdio: 'inherit',
});
const folder = await mkdtemp(join(tmpdir(), 'sightline-pictures-'));
// Where root takes the pictures, PostgreSQL runs as another user and keeps its database elsewhere unless it can pass.
await chmod(folder, 0o711);
let server: ChildProcess | undefined;
try {
  const port = await freePorts();
  server = startServer(port, makeDemoRepository(folder));
  await ready(server);
  await walk(port);
} finally {
  await stop(server);
  await rm(folder, { recursive: true, force: true });
}

/** From signing up to a filled Explore, with a picture at every station. */
async function walk(port: number): Promise<void> {
  const url = `http://localhost:${port}`;
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  try {
    const page = await browser.newPage({ baseURL: url, viewport: wide, reducedMotion: 'reduce' });
    await page.goto('/login');
    await page.getByLabel('Password').waitFor();
    await picture(page, 'sign-in');
    await signUp(page);
    await setUp(page);
    await everyPage(page);
    if (values.all !== undefined) await vulnerability(page);
    await explore(page);
    if (values.all !== undefined) await employee(page, port);
  } finally {
    await browser.close();
  }
}

async function signUp(page: Page): Promise<void> {
  await page.goto('/signup');
  await page.getByLabel('Full name').fill('Mira Okafor');
  await page.getByLabel('Email').fill(address);
  await picture(page, 'sign-up');
  await page.getByLabel('Password').fill('tulip-harbour-violin');
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('heading', { name: 'Confirm your email' }).waitFor();
  await picture(page, 'confirm');
  await page.goto('/outbox');
  const link = page.locator('a[href*="/oidc/verify"]').first();
  // The mail is sent by a job.
  while ((await link.count()) === 0) await page.reload();
  await picture(page, 'outbox');
  // The page looks for new mails by itself, which a click could meet.
  await page.goto((await link.getAttribute('href')) ?? '');
  await picture(page, 'confirm-address');
  await page.getByRole('button', { name: 'Confirm and continue' }).click();
}

async function setUp(page: Page): Promise<void> {
  await page.getByLabel('Organization name').fill('Example Payments');
  await picture(page, 'setup-1-organization');
  await page.getByRole('button', { name: 'Continue' }).click();
  const connect = page.getByRole('button', { name: 'Connect Sandbox GitHub' });
  await connect.waitFor();
  await picture(page, 'setup-2-version-control');
  await connect.click();
  const install = page.getByRole('button', { name: 'Install', exact: true });
  await install.waitFor();
  await picture(page, 'sandbox-install');
  await install.click();
  const repository = page.getByRole('checkbox', { name: 'example/payments' });
  await repository.check();
  await picture(page, 'setup-3-repositories');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.waitForURL((address) => address.pathname === '/');
}

async function everyPage(page: Page): Promise<void> {
  await page.goto('/repositories');
  const repository = page.getByRole('link', { name: 'payments' }).first();
  await repository.waitFor();
  await settled(page);
  await picture(page, 'repositories');
  await repository.click();
  await page.waitForURL(/\/repository\//);
  await settled(page);
  const tabs = page.getByRole('navigation', { name: 'Repository' }).getByRole('link');
  await tabs.first().waitFor();
  await picture(page, 'repository-pull-requests');
  for (const [name, shows] of [
    ['Vulnerabilities', 'Date of discovery'],
    ['CI/CD Tool Inventory', 'Last 30 days'],
    ['Contributors', 'Git username'],
    ['Settings', 'Disable Repository'],
  ] as const) {
    await tabs.filter({ hasText: name }).click();
    await page.getByText(shows).first().waitFor();
    await picture(page, `repository-${name.toLowerCase().replace(/\W+/g, '-')}`);
  }
  for (const [name, path] of [
    ['home', '/'],
    ['vulnerabilities', '/vulnerabilities'],
    ['vulnerabilities-none', '/vulnerabilities?search=zzz'],
    ['tools', '/tools'],
    ['tools-developer', '/tools?tab=developer'],
    ['tools-none', '/tools?search=zzz'],
    ['organizations', '/organizations'],
    ['organization-settings', '/organization/settings'],
    ['organization-repositories', '/organization/repositories'],
    ['organization-members', '/organization/members'],
    ['audit-log', '/audit'],
    ['authorize', '/authorize/vscode'],
    ['authorize-refused', '/authorize/vscode?state=short'],
    ['authorize-done', '/authorize/browser/done'],
    ['integrations', '/integrations'],
    ['integrations-scanner-form', '/integrations?setup=checkmarx'],
    ['account', '/account'],
    ['not-found', '/no/such/page'],
  ] as const) {
    await page.goto(path);
    await settled(page);
    await picture(page, name);
  }
}

async function vulnerability(page: Page): Promise<void> {
  await page.goto('/vulnerabilities');
  await page.getByRole('table', { name: 'Vulnerabilities' }).getByRole('link').first().click();
  await page.getByText('How it got here').waitFor();
  await settled(page);
  await picture(page, 'vulnerability');
}

/** What only those see who run Sightline. */
async function employee(page: Page, port: number): Promise<void> {
  const command = [join(root, 'server/src/cli/main.ts'), 'user', 'employee', address, 'on'];
  await promisify(execFile)(process.execPath, command, { env: environment(port) });
  await page.goto('/');
  await settled(page);
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Employee Settings' }).click();
  await page.getByRole('switch', { name: /^Jira/ }).click();
  await picture(page, 'employee-settings');
}

async function explore(page: Page): Promise<void> {
  await page.goto('/explore');
  await page.getByText('Export a month as CSV').first().waitFor({ timeout: 60_000 });
  await settled(page);
  await picture(page, 'explore', 'readme');
}

/** Saves what the page shows. The README takes the wide ones of what is marked for it. */
async function picture(page: Page, name: string, use?: 'readme'): Promise<void> {
  if (values.all === undefined && use === undefined) return;
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme });
    for (const size of values.all === undefined ? [wide] : sizes) {
      await page.setViewportSize(size);
      await settled(page);
      const file = values.all === undefined ? `${name}-${colorScheme}` : `${name}-${colorScheme}-${size.width}`;
      await page.screenshot({ path: join(target, `${file}.png`) });
      console.log(`  ✓ ${file}`);
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(wide);
}

/** Fonts are there, and nothing is asked of the server any more. */
async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page.evaluate('document.fonts.ready.then(() => undefined)');
}

function startServer(port: number, repository: string): ChildProcess {
  return spawn(process.execPath, [join(root, 'server', 'src', 'main.ts')], {
    env: { ...environment(port), SANDBOX_REPOSITORIES: repository },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

function environment(port: number): NodeJS.ProcessEnv {
  return {
    ...process.env,
    NODE_ENV: 'development',
    DATA_DIR: join(folder, 'data'),
    PORT: String(port),
    PUBLIC_URL: `http://localhost:${port}`,
  };
}

/** Waits for the line that says so. Throws with what was said instead. */
async function ready(child: ChildProcess): Promise<void> {
  const said: string[] = [];
  if (!child.stdout) throw new Error('The server has no output to wait for.');
  for await (const line of createInterface({ input: child.stdout })) {
    said.push(line);
    if (line.startsWith('Sightline is ready')) return;
  }
  throw new Error(`The server did not start.\n${said.join('\n')}`);
}

function stop(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGINT');
  });
}

/** A port that is free together with the next one, which the sandbox takes. */
async function freePorts(): Promise<number> {
  for (;;) {
    const port = await listenOn(0);
    if (port !== undefined && (await listenOn(port + 1)) !== undefined) return port;
  }
}

function listenOn(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(undefined));
    probe.listen(port, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' ? address?.port : undefined));
    });
  });
}
