import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createVSIX } from '@vscode/vsce';
import { build } from 'esbuild';

const here = import.meta.dirname;
const manifest = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'));

// The packed folder is created from scratch, so that it contains named files only.
const packed = join(here, 'dist', 'packed');
const files = [
  'README.md',
  'CHANGELOG.md',
  'media/icon.png',
  'media/sign-in.md',
  'media/sent.md',
  ['../../LICENSE', 'LICENSE.txt'],
];

rmSync(join(here, 'dist'), { recursive: true, force: true });
mkdirSync(join(packed, 'media'), { recursive: true });
for (const file of files) {
  const [from, to] = Array.isArray(file) ? file : [file, file];
  copyFileSync(join(here, from), join(packed, to));
}
const { type, private: isPrivate, scripts, dependencies, devDependencies, ...published } = manifest;
const names = ['package.json', 'extension.js', ...files.map((file) => (Array.isArray(file) ? file[1] : file))];
writeFileSync(join(packed, 'package.json'), `${JSON.stringify({ ...published, files: names }, null, 2)}\n`);
await build({
  entryPoints: [join(here, 'src', 'extension.ts')],
  outfile: join(packed, 'extension.js'),
  bundle: true,
  minify: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  // Optional dependencies of ws.
  external: ['vscode', 'bufferutil', 'utf-8-validate'],
  legalComments: 'none',
});
const packagePath = join(here, 'dist', `sightline-vscode-${manifest.version}.vsix`);
await createVSIX({ cwd: packed, packagePath, dependencies: false, allowMissingRepository: true });
