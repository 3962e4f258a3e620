import { expect, test } from 'vitest';
import { readRepositoryFile } from './named-tests.ts';

/**
 * What the scripts import from Node, all of which Node 20.19 has: they run on the Node of the user before the pinned one
 * is installed. Look a name up in the documentation of Node 20 before you add it.
 */
const inNode20: Record<string, readonly string[]> = {
  child_process: ['spawn', 'spawnSync'],
  crypto: ['createHash'],
  fs: ['existsSync', 'mkdirSync', 'readFileSync', 'readdirSync', 'rmSync', 'statSync', 'writeFileSync'],
  os: ['availableParallelism', 'constants'],
  path: ['delimiter', 'join', 'relative'],
  url: ['pathToFileURL'],
};
const commands = ['start', 'test', 'build-web', 'build-server'];

interface ScriptImport {
  script: string;
  from: string;
  names: string[];
}

test('the commands of the README import only what the oldest supported Node has', () => {
  const imports = importsFrom(commands.map((name) => `scripts/${name}.mjs`));
  expect(imports.length).toBeGreaterThan(commands.length);
  const unknown = imports.flatMap(({ script, from, names }) => {
    if (from.startsWith('./')) return [];
    const known = inNode20[from.replace('node:', '')] ?? [];
    return names.filter((name) => !known.includes(name)).map((name) => `${script}: ${name} of ${from}`);
  });
  expect(unknown).toEqual([]);
});

/** The static imports of scripts, and of the scripts that they import. */
function importsFrom(scripts: readonly string[]): ScriptImport[] {
  const found: ScriptImport[] = [];
  const seen = new Set<string>();
  const waiting = [...scripts];
  for (let script = waiting.pop(); script !== undefined; script = waiting.pop()) {
    if (seen.has(script)) continue;
    seen.add(script);
    for (const [, names = '', from = ''] of readRepositoryFile(script).matchAll(
      /^import (?:\{([^}]*)\}|.*?) from '([^']+)';/gms,
    )) {
      if (from.startsWith('./')) waiting.push(`scripts/${from.slice(2)}`);
      found.push({
        script,
        from,
        names: names
          .split(',')
          .map((name) => name.trim().split(' ')[0] ?? '')
          .filter(Boolean),
      });
    }
  }
  return found;
}
