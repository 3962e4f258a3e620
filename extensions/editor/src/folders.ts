import { isAbsolute, join, normalize, relative } from 'node:path';

/** Whether a file or folder lies in one of these folders, or is one. `~` stands for the home folder. */
export function isExcluded(path: string, folders: readonly string[], home: string): boolean {
  return folders.some((folder) => {
    const given = folder.trim();
    if (given === '') return false;
    const whole = normalize(/^~(?=$|[/\\])/.test(given) ? join(home, given.slice(1)) : given);
    if (!isAbsolute(whole)) return false;
    const way = relative(whole, normalize(path));
    return way === '' || (!way.startsWith('..') && !isAbsolute(way));
  });
}
