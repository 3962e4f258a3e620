import { execFileSync } from 'node:child_process';

interface TarArchive {
  /** Contains the top-level folder of the archive. */
  folder: string;
  /** The top-level folder. */
  prefix: string;
  /** Becomes the date of every file. */
  createdAt: Date;
  file: string;
}

/** Writes a tar.gz. The same files give the same bytes. Needs GNU tar. */
export function writeTar({ folder, prefix, createdAt, file }: TarArchive): void {
  const reproducible = [
    '--sort=name',
    `--mtime=${createdAt.toISOString()}`,
    '--owner=0',
    '--group=0',
    '--numeric-owner',
  ];
  const compressed = ['--use-compress-program=gzip --no-name', `--file=${file}`];
  execFileSync('tar', ['--create', ...reproducible, ...compressed, `--directory=${folder}`, prefix]);
}
