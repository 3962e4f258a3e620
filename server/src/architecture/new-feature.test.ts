import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { applyDiff, copyRepository, readRecipe, repositoryRoot, writeRecipe } from './new-feature.ts';

test('docs/new-feature.md fits the files that it changes', async () => {
  const files = await readRecipe();
  expect(files.filter(({ isDiff }) => !isDiff).length).toBeGreaterThan(8);
  for (const file of files.filter(({ isDiff }) => isDiff)) {
    const original = await readFile(join(repositoryRoot, file.path), 'utf8');
    expect(applyDiff(original, file).length).toBeGreaterThan(original.length);
  }
});

// In the repository, so that its packages resolve; ignored by git and by the other checks.
const copy = join(repositoryRoot, '.cache/new-feature');
const succeeded = { code: 0, output: '' };

describe('the feature of docs/new-feature.md', { tags: 'full', timeout: 1_800_000 }, () => {
  afterAll(() => rm(copy, { recursive: true, force: true }));

  test('passes type check, lint, dependency check and the architecture tests', async () => {
    await rm(copy, { recursive: true, force: true });
    await copyRepository(copy);
    const files = await writeRecipe(copy);
    const run = (program: string, ...args: string[]) => runInCopy(copy, program, ...args);
    expect(await run('scripts/db-types.ts')).toEqual(succeeded);
    const code = files.filter((path) => /\.tsx?$/.test(path));
    expect(await run('biome', 'check', '--vcs-enabled=false', ...code)).toEqual(succeeded);
    expect(await run('tsc', '-p', 'tsconfig.json')).toEqual(succeeded);
    expect(await run('tsc', '-p', 'web/tsconfig.json')).toEqual(succeeded);
    const folders = ['contract/src', 'server/src', 'web/src'];
    expect(await run('scripts/dependencies.mjs', ...folders, '--config', '.dependency-cruiser.cjs')).toEqual(succeeded);
    const architecture = (name: string) => `server/src/architecture/${name}.test.ts`;
    const ofEndpoints = ['access', 'archived', 'audited', 'bad-input', 'organization-filter'].map(architecture);
    const feature = 'server/src/domains/organization/announcements';
    expect(await run('vitest', 'run', ...ofEndpoints, feature, '-t', 'announcement')).toEqual(succeeded);
    expect(await run('vitest', 'run', ...['contract', 'tenancy'].map(architecture))).toEqual(succeeded);
  });
});

/** Runs a program of node_modules, or with Node a script, in the copy. Returns its exit code and output. */
function runInCopy(copy: string, program: string, ...args: string[]): Promise<{ code: number; output: string }> {
  const [file, first] = program.includes('/')
    ? [process.execPath, [join(copy, program)]]
    : [join(copy, 'node_modules/.bin', program), []];
  // Vitest must not find the settings of the run that this test belongs to.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/VITEST|NODE_OPTIONS/.test(name)));
  return new Promise((resolve) => {
    execFile(file, [...first, ...args], { cwd: copy, env, maxBuffer: 100_000_000 }, (error, stdout, stderr) =>
      resolve({ code: error ? 1 : 0, output: error ? `${stdout}\n${stderr}` : '' }),
    );
  });
}
