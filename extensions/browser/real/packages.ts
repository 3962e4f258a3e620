import { cpSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const built = join(import.meta.dirname, '..', '.output');

export const isBuilt = (browser: string): boolean => existsSync(join(built, `${browser}-mv3`, 'manifest.json'));

/**
 * The built package, unpacked, with the one thing a person does that no program can do for them: to allow the server's
 * address when the browser asks.
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

/** As people install it: what their browser has to ask, it asks. */
export const firefoxPackage = (): string =>
  join(
    built,
    `sightline-firefox-${JSON.parse(readFileSync(join(built, 'firefox-mv3', 'manifest.json'), 'utf8')).version}.zip`,
  );
