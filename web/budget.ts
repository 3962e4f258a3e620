import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

// Runs after a build. Sizes are gzipped, in KB of 1024 bytes. The limits are based on measurements. The limit of a
// route includes 12 KB for dialogs, which no first screen needs. Files that most routes share count once: a browser keeps
// them after the first page. User documentation is loaded separately from the page that shows it.
const limits = { shell: 185, css: 16, firstScreen: 260, common: 62, route: 52, docs: 150 };
/** The files that most routes share, see chunks.ts. */
const commonNames = ['common', 'often', 'icons', 'schemas'];

interface Chunk {
  file: string;
  name?: string;
  isEntry?: boolean;
  isDynamicEntry?: boolean;
  imports?: string[];
  css?: string[];
}

const dist = join(import.meta.dirname, 'dist');
const manifest: Record<string, Chunk> = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'));
const entry = Object.keys(manifest).find((key) => manifest[key]?.isEntry);
// The files of every signed-in page, including its first screen: see chunks.ts.
const frame = Object.keys(manifest).find((key) => manifest[key]?.name === 'frame');
if (entry === undefined || frame === undefined) throw new Error('The manifest names no entry, or no frame.');

const shell = withStaticImports(entry);
const first = [...new Set([...shell, ...withStaticImports(frame)])];
const docs = Object.keys(manifest).find((key) => key.includes('virtual:user-docs'));
if (docs === undefined) throw new Error('The manifest names no pages for users.');
const common = Object.keys(manifest).filter((key) => commonNames.includes(manifest[key]?.name ?? ''));
if (common.length !== commonNames.length) throw new Error(`The manifest does not name ${commonNames.join(', ')}.`);
const routes = Object.keys(manifest)
  .filter((key) => manifest[key]?.isDynamicEntry && key !== frame && key !== docs)
  .map((key) => ({
    key,
    js: sizeOf(filesOf(withStaticImports(key).filter((chunk) => ![...first, ...common, docs].includes(chunk)))),
  }));

const failed = [
  line('shell, script', sizeOf(filesOf(shell)), limits.shell, true),
  // Reported only: style sheets block less than scripts, and the shared file grows once for all pages.
  line('shell, styles', sizeOf(stylesOf(shell)), limits.css, false),
  line(
    'first screen: shell, frame and Home, with styles',
    sizeOf([...filesOf(first), ...stylesOf(first)]),
    limits.firstScreen,
    true,
  ),
  line('common to most routes', sizeOf(filesOf(common)), limits.common, true),
  line('pages for users', sizeOf(filesOf([docs])), limits.docs, true),
  ...routes.map(({ key, js }) => line(key, js, limits.route, true)),
].filter(Boolean);
process.exitCode = failed.length > 0 ? 1 : 0;

/** Prints one row; returns true if it exceeds the budget. */
function line(name: string, size: number, limit: number, enforced: boolean): boolean {
  const over = size > limit;
  const verdict = over ? (enforced ? 'OVER' : 'over, reported only') : 'ok';
  console.log(`${name.padEnd(52)} ${size.toFixed(1).padStart(7)} KB of ${String(limit).padStart(3)}  ${verdict}`);
  return over && enforced;
}

function withStaticImports(key: string, seen: string[] = []): string[] {
  if (seen.includes(key)) return seen;
  seen.push(key);
  for (const imported of manifest[key]?.imports ?? []) withStaticImports(imported, seen);
  return seen;
}

function filesOf(keys: string[]): string[] {
  return keys.flatMap((key) => manifest[key]?.file ?? []).filter((file) => file.endsWith('.js'));
}

function stylesOf(keys: string[]): string[] {
  return keys.flatMap((key) => manifest[key]?.css ?? []);
}

function sizeOf(files: string[]): number {
  return [...new Set(files)].reduce((sum, file) => sum + gzipSync(readFileSync(join(dist, file))).length, 0) / 1024;
}
