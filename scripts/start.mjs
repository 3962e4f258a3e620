import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';
import { ensureServerBuilt } from './build-server.mjs';
import { ensureWebBuilt } from './build-web.mjs';
import { ensureInstalled, root } from './install.mjs';
import { pinnedEnv } from './npm.mjs';
import { giveUp } from './progress.mjs';

/**
 * npm forwards Ctrl-C to this process, which has received it from the terminal already: signals within this time are
 * one.
 */
const sameSignalMs = 500;
const parentPollMs = 500;
/** `npm start -- --demo` also creates the demo organization. */
const isDemo = process.argv.includes('--demo');

let end = () => process.exit(1);
onParentLost(() => end('SIGTERM'));

try {
  const node = await ensureInstalled();
  await ensureWebBuilt(node);
  await ensureServerBuilt(node);
  serve(node);
} catch (error) {
  giveUp(error);
}

/**
 * Runs the server until it exits, and exits with its code. Forwards the first signal; the second one kills the server.
 */
function serve(node) {
  const options = process.argv.slice(2).filter((option) => option !== '--demo');
  // Half of the default: a snapshot of 20,000 items needs 70 MB less, and requests no more CPU time (decision 0164).
  const server = spawn(node, ['--max-semi-space-size=16', join(root, 'server', 'dist', 'main.mjs'), ...options], {
    cwd: root,
    env: pinnedEnv(root, node),
    // The server sends a message when it accepts requests.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    // Separates the server from the process group of the terminal, so that it receives each signal once, from here.
    detached: process.platform !== 'win32',
  });
  let builder;
  let demo;
  server.once('message', () => {
    const build = () => {
      builder = buildExtensions(node);
    };
    if (!isDemo) return build();
    demo = createDemo(node);
    // The demo comes first, since both need every core.
    demo.once('exit', build);
  });
  let signalledAt;
  end = (signal) => {
    const first = signalledAt === undefined;
    if (!first && performance.now() - signalledAt < sameSignalMs) return;
    signalledAt ??= performance.now();
    server.kill(first ? signal : 'SIGKILL');
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, end);
  server.once('error', giveUp);
  server.once('exit', (code, signal) => {
    demo?.removeAllListeners('exit');
    demo?.kill();
    builder?.end();
    process.exit(signal === null ? (code ?? 1) : 128 + constants.signals[signal]);
  });
}

/** Creates the demo organization through the API of the server, or prints how to sign in to an existing one. */
function createDemo(node) {
  const demo = spawn(node, [join(root, 'server', 'dist', 'cli.mjs'), 'demo'], {
    cwd: root,
    env: pinnedEnv(root, node),
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: process.platform !== 'win32',
  });
  demo.once('error', giveUp);
  return demo;
}

/** Builds the downloads of the server, unless the operator provides them. A failure prints one line. */
function buildExtensions(node) {
  if (process.env.DOWNLOADS_DIR) return undefined;
  const isWindows = process.platform === 'win32';
  const builder = spawn(node, [join(root, 'scripts', 'build-extensions.mjs'), '--beside'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'ignore'],
    detached: !isWindows,
  });
  builder.unref();
  const failed = () =>
    console.error('  ✗ the extensions could not be built, so none are offered: npm run build:extensions says why');
  builder.once('error', failed);
  builder.once('exit', (code) => code && failed());
  return {
    end: () => {
      builder.removeAllListeners('exit');
      if (builder.exitCode !== null || builder.pid === undefined) return undefined;
      // Includes the programs that it runs.
      if (isWindows) return builder.kill();
      try {
        process.kill(-builder.pid);
      } catch {
        // The process has ended.
      }
    },
  };
}

/**
 * A SIGTERM to npm ends npm and the shell between, and does not reach this process. It notices the end of its parent.
 */
function onParentLost(listener) {
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event === undefined || process.platform === 'win32') return;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    listener();
  }, parentPollMs);
  watch.unref();
}
