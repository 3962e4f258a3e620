import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { root } from './install.mjs';
import { explained, lastLines, runStep } from './progress.mjs';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const elsewhere = ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome', '/snap/bin/chromium'];

/** The path of a Chromium or Chrome; installs Debian's when there is none and we may. */
export async function ensureChromium() {
  const chosen = process.env.CHROMIUM_PATH;
  if (chosen) {
    if (existsSync(chosen)) return chosen;
    throw explained(`CHROMIUM_PATH says ${chosen}, where there is no file.`);
  }
  const found = find();
  if (found !== undefined) return found;
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) {
    throw explained(
      'The walks through the pages need Chromium: install it (on Debian or Ubuntu: sudo apt-get install chromium), ' +
        'or set CHROMIUM_PATH to a Chromium or Chrome.',
    );
  }
  await apt('reading the package lists', 'package lists read', ['update']);
  await apt('installing Chromium', 'Chromium installed', ['install', '-y', '--no-install-recommends', 'chromium']);
  return find() ?? fail('Chromium was installed, but it is not in PATH. Set CHROMIUM_PATH to it.');
}

/** Throws when git is missing: tests walk through real repositories. */
export function requireGit() {
  if (spawnSync('git', ['--version']).status === 0) return;
  throw explained('git was not found. The tests work on real repositories: install git and start again.');
}

function find() {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin'];
  return [...names.flatMap((name) => folders.map((folder) => join(folder, name))), ...elsewhere].find(existsSync);
}

function apt(doing, done, args) {
  return runStep({
    doing,
    done,
    program: 'apt-get',
    args,
    cwd: root,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    explain: (output) =>
      `${lastLines(output)}\n\n    apt-get ${args[0]} failed. Install Chromium by hand, or set CHROMIUM_PATH.`,
  });
}

function fail(message) {
  throw explained(message);
}
