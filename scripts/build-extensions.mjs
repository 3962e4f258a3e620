import { createHash } from 'node:crypto';
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureExtensionsInstalled, ensureInstalled, isBuilt, root } from './install.mjs';
import { pinnedEnv } from './npm.mjs';
import { explained, giveUp, lastLines, runStep } from './progress.mjs';

const folder = join(root, 'extensions');
/** The server offers the files in this folder. */
const built = join(folder, 'dist');
const stampPath = join(built, '.stamp');

const kB = 1000;
const targets = [
  { workspace: 'editor', from: join(folder, 'editor', 'dist'), names: ['vscode'], extension: 'vsix', limit: 150 * kB },
  {
    workspace: 'browser',
    from: join(folder, 'browser', '.output'),
    names: ['chrome', 'firefox', 'edge', 'opera', 'brave'],
    extension: 'zip',
    limit: 120 * kB,
  },
];

/** Builds every extension into extensions/dist unless the builds are up to date. Returns whether it built them. */
export async function ensureExtensionsBuilt(node, { quiet = false } = {}) {
  const stamp = fingerprint();
  if (isBuilt(stampPath, stamp)) return false;
  await ensureExtensionsInstalled({ quiet });
  for (const target of targets) await build(target, node, quiet);
  const files = targets.flatMap(filesOf);
  mkdirSync(built, { recursive: true });
  for (const { from, name } of files) {
    // Writes a hidden file first, because a server may be sending the current one.
    copyFileSync(from, join(built, `.${name}`));
    renameSync(join(built, `.${name}`), join(built, name));
  }
  const current = new Set(files.map(({ name }) => name));
  for (const name of readdirSync(built)) if (!current.has(name)) rmSync(join(built, name), { force: true });
  writeFileSync(stampPath, stamp);
  return true;
}

/** Builds the unpacked Chrome extension, for tests that need no other, unless every extension is built already. */
export async function ensureChromeExtensionBuilt(node) {
  await ensureExtensionsInstalled();
  if (!isBuilt(stampPath, fingerprint())) await build({ workspace: 'browser', options: ['--chrome'] }, node, false);
}

async function build({ workspace, options = [] }, node, quiet) {
  await runStep({
    doing: `building the ${workspace} extension`,
    done: `${workspace} extension built`,
    quiet,
    program: node,
    args: [join(folder, workspace, 'build.mjs'), ...options],
    cwd: join(folder, workspace),
    // The same sources give the same package: vsce dates its files by this time, here 2000-01-01.
    env: { ...pinnedEnv(root, node), NODE_ENV: 'production', SOURCE_DATE_EPOCH: '946684800' },
    explain: (output) => `${lastLines(output)}\n\n    The ${workspace} extension could not be built.`,
  });
}

/**
 * Returns the files of a build with the names under which the server offers them. Fails if one is missing or too large.
 */
function filesOf({ workspace, from, names, extension, limit }) {
  const { version } = JSON.parse(readFileSync(join(folder, workspace, 'package.json'), 'utf8'));
  return names.map((target) => {
    const name = `sightline-${target}-${version}.${extension}`;
    const path = join(from, name);
    const size = statSync(path, { throwIfNoEntry: false })?.size;
    if (size === undefined) throw explained(`The build of the ${workspace} extension left no ${relative(root, path)}.`);
    if (size > limit) throw explained(`${name} has ${size} bytes; it may have ${limit}.`);
    return { name, from: path };
  });
}

const inputs = [
  'extensions',
  'contract/src/timeline/identifiers.ts',
  'contract/src/tools/sites.ts',
  'web/src/app/tokens.css',
  'LICENSE',
];
const notInput = /^(?:node_modules|dist|\.output|\.wxt|real|test|testing)$|\.test\.tsx?$/;

/** Hashes contents: a checkout gives every file a new date, and a build takes far longer than reading them. */
function fingerprint() {
  const hash = createHash('sha256');
  for (const input of inputs) addTo(hash, input);
  return hash.digest('hex');
}

function addTo(hash, path) {
  if (statSync(join(root, path)).isDirectory()) {
    for (const name of readdirSync(join(root, path)).sort()) if (!notInput.test(name)) addTo(hash, `${path}/${name}`);
  } else {
    hash.update(`${path}\n`).update(readFileSync(join(root, path)));
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    await (process.argv.includes('--beside') ? buildBeside() : buildAndPrint());
  } catch (error) {
    giveUp(error);
  }
}

async function buildAndPrint() {
  const fresh = await ensureExtensionsBuilt(await ensureInstalled());
  if (!fresh) console.log('  ✓ extensions are up to date');
  for (const name of readdirSync(built)) {
    if (name.startsWith('.')) continue;
    console.log(`    ${join('extensions', 'dist', name)}  ${(statSync(join(built, name)).size / kB).toFixed(1)} kB`);
  }
}

/** Builds alongside a running server, and prints one line if it built something. */
async function buildBeside() {
  const started = performance.now();
  if (await ensureExtensionsBuilt(process.execPath, { quiet: true })) {
    const seconds = Math.round((performance.now() - started) / 1000);
    console.log(`  ✓ editor and browser extensions built (${seconds} s): Account settings offers them`);
  }
}
