import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The SHA-256 of a file's bytes, in hexadecimal. */
export function sha256File(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

/** Writes SHA256SUMS of every file in `folder`, as `sha256sum --check` reads it. */
export function writeChecksums(folder: string): void {
  const lines = readdirSync(folder)
    .sort()
    .map((name) => `${sha256File(join(folder, name))}  ${name}\n`);
  writeFileSync(join(folder, 'SHA256SUMS'), lines.join(''));
}
