import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { aptInstall, mayInstall } from './apt.mjs';
import { explained } from './progress.mjs';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const elsewhere = ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome', '/snap/bin/chromium'];

/** Returns the path of Chromium or Chrome. Installs that of Debian if there is none and this process may. */
export async function ensureChromium() {
  const chosen = process.env.CHROMIUM_PATH;
  if (chosen) {
    if (existsSync(chosen)) return chosen;
    throw explained(`CHROMIUM_PATH is ${chosen}, which does not exist.`);
  }
  const found = find();
  if (found !== undefined) return found;
  if (!mayInstall()) {
    throw explained(
      'The walks through the pages need Chromium: install it (on Debian or Ubuntu: sudo apt-get install chromium), ' +
        'or set CHROMIUM_PATH to a Chromium or Chrome.',
    );
  }
  await aptInstall('Chromium', ['chromium'], 'Install Chromium by hand, or set CHROMIUM_PATH.');
  return find() ?? fail('Chromium was installed, but it is not in PATH. Set CHROMIUM_PATH to it.');
}

/** Throws if git is missing: tests import real repositories. */
export function requireGit() {
  if (spawnSync('git', ['--version']).status === 0) return;
  throw explained('git was not found. The tests work on real repositories: install git and start again.');
}

function find() {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin'];
  return [...names.flatMap((name) => folders.map((folder) => join(folder, name))), ...elsewhere].find(existsSync);
}

function fail(message) {
  throw explained(message);
}
