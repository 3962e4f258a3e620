import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { aptInstall, mayInstall } from './apt.mjs';
import { ensureChromeExtensionBuilt, ensureExtensionsBuilt } from './build-extensions.mjs';
import { ensureWebBuilt } from './build-web.mjs';
import { ensureChromium } from './chromium.mjs';
import { ensureInstalled, ensurePackages, pinnedNodeDir, root } from './install.mjs';
import { npmCommand, pinnedEnv } from './npm.mjs';
import { giveUp, lastLines, runStep } from './progress.mjs';

const extensions = join(root, 'extensions');
const codeServer = join(extensions, 'editor', 'real');
const mcpClient = join(extensions, 'mcp', 'real');
// Debian packages for compiling VS Code.
const headers = [
  'build-essential',
  'python3',
  'pkg-config',
  'libsecret-1-dev',
  'libkrb5-dev',
  'libx11-dev',
  'libxkbfile-dev',
];

/**
 * Tests the built extensions in real browsers and a real VS Code, and the MCP server with a real client and the public
 * conformance suite. On Debian as root it installs missing programs, and a skipped test fails the run. Elsewhere it skips
 * a test with one line. --prepare only installs what takes long. --core runs one short walk in Chromium.
 */
try {
  const node = await ensureInstalled();
  if (process.argv.includes('--prepare')) {
    await orSkip('Firefox', ensureFirefox);
    await orSkip('the real VS Code', () => ensureCodeServer(node));
    await orSkip('the MCP client', () => ensureMcpClient(node));
    process.exit();
  }
  const isCore = process.argv.includes('--core');
  const chromium = await ensureChromium();
  await ensureWebBuilt(node);
  if (isCore) {
    await ensureChromeExtensionBuilt(node);
  } else {
    await ensureExtensionsBuilt(node);
    await lint(node);
    await orSkip('Firefox', ensureFirefox);
    await orSkip('the real VS Code', () => ensureCodeServer(node));
    await orSkip('the MCP client', () => ensureMcpClient(node));
    runConformance(node);
  }
  process.exit(runTests(node, chromium, isCore ? ['browser/real/chromium.spec.ts', '--grep', '@core'] : []));
} catch (error) {
  giveUp(error);
}

/** Returns the exit code. */
function runTests(node, chromium, filters) {
  const program = join(root, 'node_modules', '@playwright', 'test', 'cli.js');
  const required = mayInstall() ? { CLIENTS_REQUIRED: '1' } : {};
  const { status } = spawnSync(node, [program, 'test', '--config', join(extensions, 'real.config.ts'), ...filters], {
    cwd: root,
    stdio: 'inherit',
    env: { ...pinnedEnv(root, node), CHROMIUM_PATH: chromium, ...required },
  });
  return status ?? 1;
}

/** Runs the public conformance suite of MCP. Throws if a scenario fails. */
function runConformance(node) {
  const program = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const required = mayInstall() ? { CLIENTS_REQUIRED: '1' } : {};
  const { status } = spawnSync(node, [program, 'run', 'server/src/domains/platform/mcp/conformance.test.ts'], {
    cwd: root,
    stdio: 'inherit',
    env: { ...pinnedEnv(root, node), ...required, TEST_FULL: '1' },
  });
  if (status !== 0) throw new Error('The MCP server fails scenarios of the conformance suite.');
}

/** Lints with the tool of the add-on reviewers. A warning fails. */
async function lint(node) {
  await runStep({
    doing: 'checking the Firefox package as its shop does',
    done: 'Firefox package checked',
    ...npmCommand(['run', 'lint', '--silent', '-w', 'browser'], root),
    cwd: extensions,
    env: pinnedEnv(root, node),
    explain: (output) => `${lastLines(output, 60)}\n\n    web-ext finds fault with the Firefox package.`,
  });
}

async function orSkip(what, prepare) {
  try {
    await prepare();
  } catch (error) {
    if (mayInstall()) throw error;
    const reason = error.explained ? error.message.trim().split('\n').at(-1).trim() : error.message;
    console.log(`  – ${what} is skipped: ${reason}`);
  }
}

async function ensureFirefox() {
  const names = ['firefox-esr', 'firefox'];
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin'];
  if (names.some((name) => folders.some((folder) => existsSync(join(folder, name))))) return;
  if (!mayInstall()) throw new Error('install Firefox to try the extension in it');
  await aptInstall('Firefox', ['firefox-esr'], 'Install Firefox by hand.');
}

async function ensureMcpClient(node) {
  await ensurePackages(mcpClient, {
    doing: 'installing an MCP client and its conformance suite',
    done: 'MCP client installed',
    needs: join(mcpClient, 'node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js'),
    env: pinnedEnv(root, node),
  });
}

/** Compiles native modules of code-server, which takes two minutes and 600 MB, once per version. */
async function ensureCodeServer(node) {
  const needs = join(codeServer, 'node_modules', 'code-server', 'out', 'node', 'entry.js');
  const hint = 'It needs a compiler, Python 3, and the headers of libsecret, krb5, X11 and xkbfile.';
  if (!existsSync(needs) && mayInstall()) await aptInstall('what VS Code is compiled with', headers, hint);
  await ensurePackages(codeServer, {
    doing: 'installing a real VS Code',
    done: 'real VS Code installed',
    needs,
    // The modules are compiled for the Node that installs them.
    npm: (args) => {
      const script = process.env.npm_execpath;
      return script ? { program: node, args: [script, ...args] } : { program: 'npm', args };
    },
    // Without nodedir, npm would download the headers of Node into the home directory, which a network may not permit.
    // Without the removal, the user agent names the Node of the npm that runs this script, and code-server rejects all
    // others.
    env: { ...pinnedEnv(root, node), npm_config_nodedir: pinnedNodeDir(), npm_config_user_agent: undefined },
  });
}
