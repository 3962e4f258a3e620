import { readBlob, readTree, type TreeEntry } from '../git/files.ts';
import { headOf } from '../git/repository.ts';
import { stableId } from '../git/users.ts';
import type { Project } from './tenant.ts';
import { codeQueries, imagePackages, type PlantedWeakness, packages, settingQueries } from './weaknesses.ts';

/**
 * All possible findings of a project in a stable order, on real lines of real files. Their content is fictitious. An
 * unchanged repository yields the same findings.
 */
export const possibleFindings = async ({ source, repository }: Project): Promise<PlantedWeakness[]> => {
  const head = headOf(source.git);
  if (head === undefined) return [];
  const known = cache.get(`${source.git.path} ${head.sha} ${repository}`);
  if (known !== undefined) return known;
  const files = (await readTree(source.git.path, head.sha, true)).filter(isText);
  const found = await findIn(source.git.path, files, repository !== '');
  cache.set(`${source.git.path} ${head.sha} ${repository}`, found);
  return found;
};

const cache = new Map<string, PlantedWeakness[]>();

const longest = 256 * 1024;
const isText = ({ type, size = 0, path }: TreeEntry): boolean =>
  type === 'blob' && size > 0 && size < longest && !/\.(png|jpe?g|gif|ico|woff2?|pdf|zip|gz|lock|svg)$/i.test(path);

const sourceFile = /\.(ts|tsx|js|jsx|mjs|cjs|py|go|java|kt|rb|php|cs|c|cc|cpp|rs|sh|scala)$/i;
const settingsFile = /(^|\/)(Dockerfile[^/]*|docker-compose[^/]*|[^/]+\.(ya?ml|tf))$/i;
const manifestFile = /(^|\/)(package\.json|pom\.xml|go\.mod|requirements\.txt|build\.gradle|Gemfile|Cargo\.toml)$/i;

// Any files if none match the pattern.
const matchingOrAny = (files: TreeEntry[], pattern: RegExp): TreeEntry[] => {
  const found = files.filter(({ path }) => pattern.test(path));
  return found.length > 0 ? found : files;
};

const findIn = async (cwd: string, files: TreeEntry[], isImported: boolean): Promise<PlantedWeakness[]> => {
  const byHash = files.toSorted((one, other) => stableId(one.path) - stableId(other.path));
  const code = matchingOrAny(byHash, sourceFile);
  const settings = byHash.filter(({ path }) => settingsFile.test(path));
  const manifest = byHash.find(({ path }) => manifestFile.test(path))?.path ?? null;
  const lists: PlantedWeakness[][] = [[], [], [], []];
  for (const [index, query] of codeQueries.entries()) {
    const entry = code[index % Math.max(1, code.length)];
    if (entry !== undefined) lists[0]?.push({ kind: 'sast', query, ...(await locationIn(cwd, entry, index)) });
  }
  for (const [index, query] of settingQueries.entries()) {
    const entry = settings[index % Math.max(1, settings.length)];
    if (entry !== undefined) lists[1]?.push({ kind: 'kics', query, ...(await locationIn(cwd, entry, index)) });
  }
  for (const found of packages) lists[2]?.push({ kind: 'sca', found, path: manifest });
  for (const found of imagePackages) {
    lists[2]?.push({
      kind: 'container',
      found,
      path: settings.find(({ path }) => /Dockerfile/i.test(path))?.path ?? null,
    });
  }
  const [keeper] = byHash.filter(({ path }) => /config|setting|env|readme/i.test(path));
  if (keeper !== undefined) lists[3]?.push({ kind: 'secret', ...(await locationIn(cwd, keeper, 7)) });
  lists[3]?.push({ kind: 'scorecard' });
  const mixed = interleave(lists);
  return isImported ? mixed : mixed.toReversed().slice(0, 6);
};

// Mixes the kinds, so that the first findings include each of them.
const interleave = (lists: PlantedWeakness[][]): PlantedWeakness[] => {
  const longestList = Math.max(...lists.map((list) => list.length));
  return Array.from({ length: longestList }, (_, index) => lists.flatMap((list) => list[index] ?? [])).flat();
};

/** A non-empty line of a file and some after it, as a data flow. */
const locationIn = async (cwd: string, { path, sha }: TreeEntry, salt: number) => {
  const lines = (await readBlob(cwd, sha)).toString().split('\n');
  const full = lines.flatMap((line, index) => (/\w/.test(line) ? [index + 1] : []));
  const start = stableId(`${path} ${salt}`) % Math.max(1, full.length);
  const steps = full.slice(start, start + 1 + (salt % 4));
  return { path, lines: steps.length > 0 ? steps : [1] };
};
