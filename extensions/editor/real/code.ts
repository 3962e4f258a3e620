import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@playwright/test';

const program = join(import.meta.dirname, 'node_modules/code-server/out/node/entry.js');
const dist = join(import.meta.dirname, '../dist');
const packed = () => (existsSync(dist) ? readdirSync(dist).find((name) => name.endsWith('.vsix')) : undefined);

export const isCodeServerInstalled = (): boolean => existsSync(program) && packed() !== undefined;

export interface RealCode {
  url: string;
  /** The open folder: a git repository with a remote and one file, `total.ts`. */
  workspace: string;
  start: () => Promise<void>;
  /** Kills it without notification and cleanup, like a crash or power failure. */
  kill: () => Promise<void>;
  git: (...args: string[]) => string;
  /** Returns all stored data of the extension as one text. */
  kept: () => string;
  stop: () => Promise<void>;
}

/** Starts VS Code in a browser with code-server, with the built extension and the URL of our server. */
export async function installCode(serverUrl: string): Promise<RealCode> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-code-'));
  const [data, extensions, workspace] = ['data', 'extensions', 'workspace'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const part of ['User', 'Machine']) {
    mkdirSync(join(data, part), { recursive: true });
    writeFileSync(join(data, part, 'settings.json'), JSON.stringify({ ...quiet, 'sightline.serverUrl': serverUrl }));
  }
  mkdirSync(workspace);
  const port = await freePort();
  const common = ['--config', join(folder, 'config.yaml'), '--user-data-dir', data, '--extensions-dir', extensions];
  writeFileSync(join(folder, 'config.yaml'), 'auth: none\n');
  // Prevents code-server from proxying localhost, which includes the product.
  const env = { ...process.env, VSCODE_PROXY_URI: `${serverUrl}/` };
  execFileSync(process.execPath, [program, ...common, '--install-extension', join(dist, packed() ?? '')], { env });

  const git = (...args: string[]) => execFileSync('git', [...identity, ...args], { cwd: workspace, encoding: 'utf8' });
  git('init', '--quiet', '-b', 'main');
  git('remote', 'add', 'origin', 'https://ada:sesame@github.com/acme/widgets.git');
  writeFileSync(join(workspace, 'total.ts'), 'export const total = (prices: number[]) => prices.length;\n');
  git('add', '.');
  git('commit', '--quiet', '-m', 'Begin');

  const url = `http://127.0.0.1:${port}`;
  let running: ChildProcess | undefined;
  async function kill() {
    const ended = running;
    running = undefined;
    if (ended?.pid === undefined || ended.exitCode !== null) return;
    const exited = new Promise((resolve) => ended.once('exit', resolve));
    // Includes child processes, since extensions run in a separate process.
    process.kill(-ended.pid, 'SIGKILL');
    await exited;
  }
  return {
    url: `${url}/?folder=${encodeURIComponent(workspace)}`,
    workspace,
    git,
    start: async () => {
      const args = [program, ...common, '--auth', 'none', '--bind-addr', `127.0.0.1:${port}`, ...silent];
      running = spawn(process.execPath, args, { env, stdio: 'ignore', detached: true });
      await expect
        .poll(() =>
          fetch(`${url}/healthz`)
            .then((answer) => answer.ok)
            .catch(() => false),
        )
        .toBe(true);
    },
    kill,
    kept: () => textIn(join(data, 'User', 'globalStorage', 'sightline.sightline')),
    stop: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    },
  };
}

const identity = ['-c', 'user.name=Ada Byron', '-c', 'user.email=ada.byron@example.org', '-c', 'commit.gpgsign=false'];
const silent = [
  '--disable-telemetry',
  '--disable-update-check',
  '--disable-workspace-trust',
  '--disable-getting-started-override',
];
const quiet = {
  'workbench.startupEditor': 'none',
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'telemetry.telemetryLevel': 'off',
  'remote.autoForwardPorts': false,
  'chat.disableAIFeatures': true,
};

function textIn(folder: string): string {
  if (!existsSync(folder)) return '';
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
