import { cpSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const built = join(import.meta.dirname, '..', '.output');

export const isBuilt = (browser: string): boolean => existsSync(join(built, `${browser}-mv3`, 'manifest.json'));

/**
 * Returns the unpacked package with permission for the server's origin. Only a user can grant that permission at
 * runtime.
 */
export function allowedPackage(browser: string, origin: string): string {
  const folder = mkdtempSync(join(tmpdir(), `sightline-${browser}-`));
  cpSync(join(built, `${browser}-mv3`), folder, { recursive: true });
  const path = join(folder, 'manifest.json');
  const manifest = JSON.parse(readFileSync(path, 'utf8'));
  manifest.host_permissions.push(origin);
  writeFileSync(path, JSON.stringify(manifest));
  return folder;
}

/** Returns the package as users install it, with all permission prompts. */
export const firefoxPackage = (): string =>
  join(
    built,
    `sightline-firefox-${JSON.parse(readFileSync(join(built, 'firefox-mv3', 'manifest.json'), 'utf8')).version}.zip`,
  );
