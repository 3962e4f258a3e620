import { createHash } from 'node:crypto';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureInstalled, isBuilt, root } from './install.mjs';
import { pinnedEnv } from './npm.mjs';
import { giveUp, lastLines, runStep } from './progress.mjs';

const inputs = [
  'web/src',
  'web/public',
  'web/index.html',
  'web/vite.config.ts',
  'web/chunks.ts',
  'web/docs',
  'docs/user',
  'docs/query-language.md',
  'docs/security.md',
  'contract/src',
  'package-lock.json',
];

/** Builds the pages into web/dist unless they are up to date with their sources. */
export async function ensureWebBuilt(node) {
  const stampPath = join(root, 'web', 'dist', '.stamp');
  const stamp = hashSources(inputs);
  if (isBuilt(stampPath, stamp)) return;
  await runStep({
    doing: 'building the pages',
    done: 'pages built',
    program: node,
    args: [join(root, 'node_modules', 'vite', 'bin', 'vite.js'), 'build'],
    cwd: join(root, 'web'),
    // With any other value, the build includes the development build of React, which contains file names of this
    // machine.
    env: { ...pinnedEnv(root, node), NODE_ENV: 'production' },
    explain: explainBuild,
  });
  writeFileSync(stampPath, stamp);
}

/** Names the remedy if npm omitted the native program of a package, which it does silently on an unsupported Node. */
export function explainBuild(output) {
  const remedy = /Cannot find (native binding|module '@[^']+-(darwin|linux|win32)-)/.test(output)
    ? 'Packages with native programs are missing: npm omits them if it runs on a Node older than 20.19 or with --omit=optional. ' +
      'Install a newer Node with its npm (docs/operations/install.md), remove node_modules, and install the packages again.'
    : 'The pages could not be built.';
  return `${lastLines(output)}\n\n    ${remedy}`;
}

/**
 * Returns a hash of the names, sizes and dates of files and folders, without tests: reading every file would take longer
 * than it saves.
 */
export function hashSources(paths) {
  const hash = createHash('sha256');
  for (const path of paths) addTo(hash, path);
  return hash.digest('hex');
}

function addTo(hash, path) {
  const entry = statSync(join(root, path), { throwIfNoEntry: false });
  if (entry?.isDirectory()) {
    for (const name of readdirSync(join(root, path)).sort()) addTo(hash, `${path}/${name}`);
  } else if (entry !== undefined && !/\.test\.tsx?$/.test(path)) {
    hash.update(`${path} ${entry.size} ${entry.mtimeMs}\n`);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    await ensureWebBuilt(await ensureInstalled());
  } catch (error) {
    giveUp(error);
  }
}
