import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { npmCommand, outsideEnv } from './npm.mjs';
import { explained, lastLines, runStep } from './progress.mjs';

export const root = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..');

const oldestNode = [20, 19];

/** The stamp of a released build. A fingerprint contains file dates, which differ in an archive. */
export const releasedStamp = 'released';

/** Whether a build is up to date with its sources, or was released with them. */
export function isBuilt(stampPath, fingerprint) {
  return existsSync(stampPath) && [fingerprint, releasedStamp].includes(readFileSync(stampPath, 'utf8'));
}

/**
 * Installs the packages of package-lock.json unless they are installed, and returns the path of the pinned Node.
 * Runs on Node 20.19 or later with the standard library only, because it runs before any package is installed.
 */
export async function ensureInstalled() {
  checkNode();
  if (await ensurePackages(root, { doing: 'installing packages', done: 'packages installed', needs: pinnedNode })) {
    checkPinnedNode();
  }
  return pinnedNode;
}

/** Installs the build packages of the extensions, which have their own lock file. A server does not need them. */
export async function ensureExtensionsInstalled({ quiet = false } = {}) {
  await ensurePackages(join(root, 'extensions'), {
    doing: 'installing what extensions are built with',
    done: 'packages of the extensions installed',
    quiet,
  });
}

/** Installs the packages of the lock file in `folder` unless they are installed. Returns whether it installed them. */
export async function ensurePackages(folder, { doing, done, needs, quiet, npm, env = outsideEnv(root) }) {
  const digest = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex');
  if (isInstalled(folder, digest, needs)) return false;
  await runStep({
    doing,
    done,
    quiet,
    ...(npm ?? npmCommand)(['ci', '--include=dev', '--no-audit', '--no-fund'], root),
    cwd: folder,
    env,
    explain: explainInstall,
  });
  writeFileSync(join(folder, stamp), digest);
  return true;
}

const stamp = join('node_modules', '.sightline-lock');
const modules = join(root, 'node_modules');
const pinnedNode = join(modules, 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

/** Returns the folder that contains `include/node`, the headers of the pinned Node, which compiled packages need. */
export function pinnedNodeDir() {
  const name = `${process.platform}-${process.arch}`;
  return [join(modules, 'node', 'node_modules'), modules]
    .flatMap((folder) => [join(folder, `node-${name}`), join(folder, `node-bin-${name}`)])
    .find((folder) => existsSync(join(folder, 'include', 'node', 'node.h')));
}

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [oldestMajor, oldestMinor] = oldestNode;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  throw explained(
    `Sightline needs Node ${oldestNode.join('.')} or newer to begin, this is ${process.versions.node}. ` +
      'Get one at https://nodejs.org; the exact version it runs on is then installed by itself.',
  );
}

/** Compares contents and not dates, which a checkout changes. A newer manual install is accepted too. */
function isInstalled(folder, digest, needs) {
  const stampPath = join(folder, stamp);
  const installed = modified(join(folder, 'node_modules', '.package-lock.json'));
  if (installed === undefined || (needs && !existsSync(needs)) || !hasEveryPackage(folder)) return false;
  const stamped = modified(stampPath);
  if (stamped !== undefined && readFileSync(stampPath, 'utf8') === digest) return true;
  const byHand = installed > (modified(join(folder, 'package-lock.json')) ?? 0) && installed > (stamped ?? 0);
  if (byHand) writeFileSync(stampPath, digest);
  return byHand;
}

/** Whether every package of the npm manifest exists, including those below a workspace, such as web/node_modules. */
function hasEveryPackage(folder) {
  try {
    const { packages } = JSON.parse(readFileSync(join(folder, 'node_modules', '.package-lock.json'), 'utf8'));
    return Object.entries(packages).every(([path, { optional }]) => optional || existsSync(join(folder, path)));
  } catch {
    return false;
  }
}

function modified(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}

function explainInstall(output) {
  const words = lastLines(output.replaceAll(/^npm (warn|notice).*\n?/gm, ''));
  if (/spawn npm|npm(\.cmd)?['"]? is not recognized/.test(output)) {
    return 'npm was not found. It comes with Node: install Node from https://nodejs.org, or the package "npm".';
  }
  if (/EUSAGE/.test(output)) {
    const differences = output.match(/(Missing|Invalid): .*/g) ?? [];
    return `${differences.slice(0, 8).join('\n')}\n\n    package.json and package-lock.json do not fit together. Run "npm install" and start again.`;
  }
  if (/ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNREFUSED|ECONNRESET|ENETUNREACH|ERR_SOCKET_TIMEOUT/.test(output)) {
    return `${words}\n\n    The package registry could not be reached. Check the network, a proxy (npm config get proxy) and the registry (npm config get registry), then start again.`;
  }
  if (/ENOSPC/.test(output)) return `${words}\n\n    The disk is full: the packages need about 1 GB.`;
  if (/EACCES|EPERM/.test(output)) {
    return `${words}\n\n    A folder may not be written. Check who owns this checkout and the npm cache (npm config get cache).`;
  }
  return `${words}\n\n    The packages could not be installed.`;
}

function checkPinnedNode() {
  const { status, stderr, error } = spawnSync(pinnedNode, ['--version'], { encoding: 'utf8' });
  if (status === 0) return;
  throw explained(
    `${(error?.message ?? stderr).trim()}\n\n    The Node this version of Sightline runs on (npm package "node") ` +
      'is not there or does not run here. It is put in place by an install script: allow install scripts ' +
      '(npm config get ignore-scripts should say false), remove node_modules and start again. ' +
      'On Linux it needs glibc 2.28 or newer.',
  );
}
