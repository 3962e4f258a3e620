import { isAbsolute, join, normalize, relative } from 'node:path';

/** Whether a path is in one of these folders, or equals one. `~` stands for the home folder. */
export function isExcluded(path: string, folders: readonly string[], home: string): boolean {
  return folders.some((folder) => {
    const given = folder.trim();
    if (given === '') return false;
    const folderPath = normalize(/^~(?=$|[/\\])/.test(given) ? join(home, given.slice(1)) : given);
    if (!isAbsolute(folderPath)) return false;
    const fromFolder = relative(folderPath, normalize(path));
    return fromFolder === '' || (!fromFolder.startsWith('..') && !isAbsolute(fromFolder));
  });
}
