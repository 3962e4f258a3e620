import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { environmentVariables } from '#config.ts';

const root = new URL('../../../', import.meta.url);

test('docs/operations/configuration.md lists every environment variable of the server, and no other, in the same order', async () => {
  const page = await readFile(new URL('docs/operations/configuration.md', root), 'utf8');
  const heading = page.split('\n').findIndex((line) => /^\| (Name|Variable) +\| Default +\|/i.test(line));
  const table = page.split('\n').slice(heading + 2);
  const rows = table.slice(
    0,
    table.findIndex((line) => !line.startsWith('|')),
  );
  const listed = rows.map((row) => /^\| `([A-Z_]+)` +\| [^|]+ \| [^|]+ \|$/.exec(row)?.[1] ?? row);
  expect(listed).toEqual(Object.keys(environmentVariables));
});

// Other programs: extensions, scripts, benchmarks, tests, and git, which gets its own environment.
const mayRead =
  /^(server\/src\/config\.ts|extensions\/.*|sandbox\/src\/git\/command\.ts|scripts\/.*|bench\/.*|web\/(e2e|lighthouse)\/.*|.*\/testing\/.*|.*\.test\.tsx?|(.*\/)?[\w-]+\.config\.ts)$/;

test('reads the environment only in config.ts', async () => {
  const readers = await grep('process\\.env|process\\[["\']env|import\\.meta\\.env');
  expect(readers.filter((file) => !mayRead.test(file))).toEqual([]);
  expect(readers).toContain('server/src/config.ts');
});

/** Returns source files, tracked or new, that contain a pattern. */
async function grep(pattern: string): Promise<string[]> {
  const args = ['grep', '-lE', '--untracked', pattern, '--', '*.ts', '*.tsx', '*.mjs', '*.js'];
  const { stdout } = await promisify(execFile)('git', args, { cwd: fileURLToPath(root) });
  return stdout.split('\n').filter((file) => file !== '');
}
