import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeTar } from './tar.ts';

interface OfflineArchive {
  /** The tar.gz with the files of the release and its builds. */
  release: string;
  /** The top-level folder of the archive. */
  prefix: string;
  /** Becomes the date of every file. */
  createdAt: Date;
  npm: (args: string[]) => { program: string; args: string[] };
  env: NodeJS.ProcessEnv;
  file: string;
}

/** Installs Node, PostgreSQL and the packages of the server, without those that only build or test it. */
const install = ['ci', '--omit=dev', '--workspace=server', '--include-workspace-root', '--no-audit', '--no-fund'];

/**
 * Writes a tar.gz that runs on machines of this platform without a network: the files of the release with every package
 * of the server. The same release gives the same bytes. Needs GNU tar.
 */
export function writeOfflineArchive({ release, prefix, createdAt, npm, env, file }: OfflineArchive): void {
  const folder = mkdtempSync(join(dirname(file), '.offline-'));
  try {
    execFileSync('tar', ['--extract', '--gzip', `--file=${release}`, `--directory=${folder}`]);
    const unpacked = join(folder, prefix);
    const { program, args } = npm(install);
    execFileSync(program, args, { cwd: unpacked, env, stdio: ['ignore', 'ignore', 'inherit'] });
    // With this file, `npm start` installs nothing.
    const lock = readFileSync(join(unpacked, 'package-lock.json'));
    const digest = createHash('sha256').update(lock).digest('hex');
    writeFileSync(join(unpacked, 'node_modules', '.sightline-lock'), digest);
    writeTar({ folder, prefix, createdAt, file });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
