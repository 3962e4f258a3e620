import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeTar } from './tar.ts';

interface VectorArchive {
  root: string;
  /** The top-level folder of the archive. */
  prefix: string;
  createdAt: Date;
  file: string;
}

/** Writes a tar.gz with the test vectors of the format of bundles. The same commit gives the same bytes. */
export function writeVectorArchive({ root, prefix, createdAt, file }: VectorArchive): void {
  const folder = mkdtempSync(join(dirname(file), '.vectors-'));
  try {
    const script = join(root, 'scripts', 'format-vectors.ts');
    execFileSync(process.execPath, [script, join(folder, prefix)], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    writeTar({ folder, prefix, createdAt, file });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
