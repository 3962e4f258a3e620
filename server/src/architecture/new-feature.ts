import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const repositoryRoot = fileURLToPath(new URL('../../../', import.meta.url));

/** A code block of docs/new-feature.md: a new file, or added lines with those before them. */
export interface RecipeFile {
  path: string;
  text: string;
  isDiff: boolean;
}

/** Returns the code blocks of docs/new-feature.md that name a file. */
export async function readRecipe(): Promise<RecipeFile[]> {
  const page = await readFile(join(repositoryRoot, 'docs/new-feature.md'), 'utf8');
  return [...page.matchAll(/^```(\w+) (\S+)\n([\s\S]*?)^```$/gm)].map(([, language, path = '', text = '']) => ({
    path,
    text,
    isDiff: language === 'diff',
  }));
}

/** Adds the lines of a diff block after its unchanged ones, which must occur once. */
export function applyDiff(original: string, { path, text }: RecipeFile): string {
  const lines = text.trimEnd().split('\n');
  const before = lines.filter((line) => line.startsWith(' ')).map((line) => `${line.slice(1)}\n`);
  const added = lines.filter((line) => line.startsWith('+')).map((line) => `${line.slice(1)}\n`);
  const context = before.join('');
  if (original.split(`\n${context}`).length !== 2) throw new Error(`${path} does not contain once:\n${context}`);
  return original.replace(`\n${context}`, () => `\n${context}${added.join('')}`);
}

/** Writes the files of the recipe into a copy of the repository. Returns their paths. */
export async function writeRecipe(copy: string): Promise<string[]> {
  const migrations = await readdir(join(copy, 'server/src/database/migrations'));
  const lastNumber = Math.max(...migrations.map((file) => Number.parseInt(file, 10) || 0));
  const paths = new Set<string>();
  for (const file of await readRecipe()) {
    const path = file.path.replace('NNNN', String(lastNumber + 1).padStart(4, '0'));
    const target = join(copy, path);
    await mkdir(dirname(target), { recursive: true });
    if (file.isDiff) await writeFile(target, applyDiff(await readFile(target, 'utf8'), file));
    else await writeFile(target, file.text, { flag: 'wx' });
    paths.add(path);
  }
  return [...paths];
}

const omitted = ['node_modules', '.git', '.cache', '.data', 'dist', 'test-results'];

/**
 * Copies the repository into a folder of it. Its packages are links to the installed ones, and its workspaces its own.
 */
export async function copyRepository(copy: string): Promise<void> {
  await mkdir(copy, { recursive: true });
  for (const name of await readdir(repositoryRoot)) {
    if (omitted.includes(name)) continue;
    await cp(join(repositoryRoot, name), join(copy, name), {
      recursive: true,
      filter: (source) => !omitted.includes(source.split('/').at(-1) ?? ''),
    });
  }
  for (const folder of ['.', ...(await readdir(copy))]) {
    const modules = join(repositoryRoot, folder, 'node_modules');
    const names = await readdir(modules).catch(() => []);
    if (names.length > 0) await mkdir(join(copy, folder, 'node_modules'));
    for (const name of names)
      if (name !== '@sightline') await symlink(join(modules, name), join(copy, folder, 'node_modules', name));
  }
  const workspaces = join(copy, 'node_modules/@sightline');
  await mkdir(workspaces);
  for (const name of await readdir(join(repositoryRoot, 'node_modules/@sightline')))
    await symlink(join('../..', name), join(workspaces, name));
  // The paths of packages that these rules name begin above the copy.
  const rules = join(copy, '.dependency-cruiser.cjs');
  await writeFile(rules, (await readFile(rules, 'utf8')).replaceAll('^node_modules/', '^([.][.]/)*node_modules/'));
}
