import { glob } from 'node:fs/promises';

/**
 * Imports the modules below a folder that match a pattern. Call it with the pattern as text and the folder as
 * `new URL('…', import.meta.url)`: `npm run build` replaces such calls by imports of the files that match then.
 */
export async function importFolder<Module>(pattern: string, folder: URL): Promise<Module[]> {
  const modules: Module[] = [];
  for await (const file of glob(pattern, { cwd: folder })) modules.push(await import(new URL(file, folder).href));
  return modules;
}
