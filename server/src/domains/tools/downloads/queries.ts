import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import {
  architectures,
  type Download,
  downloadTargets,
  operatingSystems,
} from '@sightline/contract/tools/downloads.ts';
import type { Config } from '#config.ts';

const fileNamePattern = new RegExp(
  `^sightline-(${downloadTargets.join('|')})-(\\d+\\.\\d+\\.\\d+)(?:-(${operatingSystems.join('|')})(?:-(${architectures.join('|')}))?)?\\.(?:vsix|zip|xpi|crx)$`,
);

// The output of `npm run build:extensions` in this checkout.
const buildFolder = join(import.meta.dirname, '..', '..', '..', '..', '..', 'extensions', 'dist');

/** Returns the folders of extension files: the operator's folder, or the default folder and the build output. */
export const downloadFolders = ({ DOWNLOADS_DIR, dataDir }: Config): string[] =>
  DOWNLOADS_DIR === undefined ? [join(dataDir, 'downloads'), buildFolder] : [DOWNLOADS_DIR];

/**
 * Lists the extension files of the folders, by target, newest version first. For a name in several folders, the first
 * folder takes precedence. A missing folder counts as empty.
 */
export async function listDownloadFiles(folders: readonly string[]): Promise<Download[]> {
  const names = new Set((await Promise.all(folders.map(namesIn))).flat());
  const found = await Promise.all(Array.from(names, (fileName) => findDownloadFile(folders, fileName)));
  return found.flatMap((file) => (file ? [file.download] : [])).toSorted(newestFirst);
}

const namesIn = (folder: string): Promise<string[]> =>
  readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });

/** Returns a downloadable file with its path; undefined for any other file name. */
export async function findDownloadFile(
  folders: readonly string[],
  fileName: string,
): Promise<{ path: string; download: Download } | undefined> {
  for (const folder of folders) {
    const download = await maybeDownload(folder, fileName);
    if (download) return { path: join(folder, fileName), download };
  }
  return undefined;
}

async function maybeDownload(folder: string, fileName: string): Promise<Download | undefined> {
  const [, target, version = '', system = null, architecture = null] = fileNamePattern.exec(fileName) ?? [];
  const file = target === undefined ? undefined : await stat(join(folder, fileName)).catch(() => undefined);
  if (!file?.isFile()) return undefined;
  return {
    target: target as Download['target'],
    version,
    system: system as Download['system'],
    architecture: architecture as Download['architecture'],
    fileName,
    url: `/downloads/${fileName}`,
    size: file.size,
    sha256: await digestOf(join(folder, fileName), file.size, file.mtimeMs),
  };
}

const newestFirst = (one: Download, other: Download) =>
  downloadTargets.indexOf(one.target) - downloadTargets.indexOf(other.target) ||
  other.version.localeCompare(one.version, 'en', { numeric: true }) ||
  one.fileName.localeCompare(other.fileName, 'en');

// Each file is hashed once; a changed file has another size or time.
const digests = new Map<string, Promise<string>>();

function digestOf(path: string, size: number, changedAt: number): Promise<string> {
  const key = `${path} ${size} ${changedAt}`;
  const known = digests.get(key);
  if (known) return known;
  const hash = createHash('sha256');
  const digest = pipeline(createReadStream(path), hash).then(() => hash.digest('hex'));
  digests.set(key, digest);
  digest.catch(() => digests.delete(key));
  return digest;
}
