import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Copies the tracked and new files of a checkout, and links its packages, so that the copy can be changed and run. */
export function copyCheckout(root: string, target: string): void {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const files = execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }).split('\0');
  for (const file of files.filter((name) => name !== '' && existsSync(join(root, name)))) {
    mkdirSync(dirname(join(target, file)), { recursive: true });
    cpSync(join(root, file), join(target, file));
  }
  for (const folder of ['node_modules', ...packages.map((name) => `${name}/node_modules`)]) link(root, target, folder);
  link(root, target, 'extensions/node_modules');
}

const packages = ['contract', 'evidence', 'server', 'sandbox', 'web'];
const workspaces: Record<string, string[]> = { node_modules: packages, 'extensions/node_modules': ['telemetry'] };

function link(root: string, target: string, folder: string): void {
  if (!existsSync(join(root, folder))) return;
  mkdirSync(join(target, folder), { recursive: true });
  // Tools have their caches in dot folders. Each copy has its own.
  for (const name of readdirSync(join(root, folder)).filter((entry) => !entry.startsWith('.') || entry === '.bin')) {
    if (name !== '@sightline') symlinkSync(join(root, folder, name), join(target, folder, name));
  }
  const own = workspaces[folder];
  if (!own) return;
  // The workspace packages must be those of the copy.
  mkdirSync(join(target, folder, '@sightline'));
  for (const name of own) symlinkSync(join(target, dirname(folder), name), join(target, folder, '@sightline', name));
}
