import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join, posix } from 'node:path';

interface Archive {
  root: string;
  commit: string;
  /** The top-level folder of the archive. */
  prefix: string;
  /** Folders below `root` that git does not track. */
  built: string[];
  /** The content of `.stamp` in each of these folders. `npm start` then builds nothing. */
  stamp: string;
  file: string;
}

/**
 * Writes a tar.gz with the files of a commit and their builds. The same commit and the same builds give the same bytes:
 * `git archive` sorts entries and dates them by the commit.
 */
export function writeSourceArchive({ root, commit, prefix, built, stamp, file }: Archive): void {
  const added = built.flatMap((folder) =>
    filesBelow(root, folder).flatMap((path) => [
      `--prefix=${prefix}/${posix.dirname(path)}/`,
      `--add-file=${join(root, path)}`,
    ]),
  );
  const stamps = built.map((folder) => `--add-virtual-file=${prefix}/${folder}/.stamp:${stamp}`);
  const args = ['archive', '--format=tar.gz', `--output=${file}`, ...added, ...stamps, `--prefix=${prefix}/`, commit];
  execFileSync('git', args, { cwd: root });
}

/** Lists files without the stamps of the build, which contain file dates. */
function filesBelow(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name !== '.stamp')
    .map((entry) => posix.join(entry.parentPath.slice(root.length + 1), entry.name))
    .sort();
}
