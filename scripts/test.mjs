import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { ensureWebBuilt } from './build-web.mjs';
import { ensureChromium, requireGit } from './chromium.mjs';
import { ensureInstalled, root } from './install.mjs';
import { npmCommand, pinnedEnv } from './npm.mjs';
import { giveUp } from './progress.mjs';

const suites = ['check', 'e2e', 'cluster', 'clients'];
/** What the last suite compiles once is compiled beside this one, which waits for browsers some of its time. */
const preparedBeside = 'e2e';

try {
  const node = await ensureInstalled();
  requireGit();
  const chromium = await ensureChromium();
  await ensureWebBuilt(node);
  process.exit(await runSuites(node, { ...pinnedEnv(root, node), CHROMIUM_PATH: chromium }));
} catch (error) {
  giveUp(error);
}

/** Runs the suites up to the first that fails, sums up, and answers with the exit code. */
async function runSuites(node, env) {
  const results = [];
  let preparation;
  for (const suite of suites) {
    if (suite === preparedBeside) preparation = prepareClients(node, env);
    else await preparation?.ended;
    const started = performance.now();
    const code = await runSuite(suite, env);
    const seconds = Math.round((performance.now() - started) / 1000);
    results.push({ code, text: `${suite} ${code === 0 ? 'passed' : `failed with code ${code}`} (${seconds} s)` });
    if (code !== 0) break;
  }
  preparation?.stop();
  const notRun = suites.slice(results.length).map((suite) => `${suite} not run`);
  const code = results.at(-1).code;
  console.log(`\n  ${code === 0 ? '✓' : '✗'} ${[...results.map((result) => result.text), ...notRun].join(', ')}`);
  return code;
}

/** In the background and silent: the suite itself tells what could not be installed. */
function prepareClients(node, env) {
  const alone = process.platform !== 'win32';
  // A group of its own, so that whatever it started ends with it.
  const child = spawn(node, [join(root, 'scripts', 'clients.mjs'), '--prepare'], {
    cwd: root,
    env,
    stdio: 'ignore',
    detached: alone,
  });
  let running = true;
  const ended = new Promise((resolve) => child.once('error', resolve).once('exit', resolve)).then(() => {
    running = false;
  });
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  return { ended, stop: () => running && child.pid !== undefined && process.kill(alone ? -child.pid : child.pid) };
}

function runSuite(suite, env) {
  const npm = npmCommand(['run', suite], root);
  const child = spawn(npm.program, npm.args, {
    cwd: root,
    env,
    stdio: 'inherit',
    shell: process.platform === 'win32' && npm.program.endsWith('.cmd'),
  });
  // The terminal or npm tells the child as well; we wait for its end to sum up.
  const pass = (signal) => child.kill(signal);
  process.on('SIGINT', () => undefined).on('SIGTERM', pass);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      process.removeAllListeners('SIGINT').off('SIGTERM', pass);
      resolve(signal === null ? (code ?? 1) : 128 + constants.signals[signal]);
    });
  });
}
