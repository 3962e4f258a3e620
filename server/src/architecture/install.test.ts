import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const script = new URL('../../../scripts/install.mjs', import.meta.url).href;
const builder = new URL('../../../scripts/build-web.mjs', import.meta.url).href;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'install-'));
  // The workspace needs another version of a package than the root, so npm installs it below the workspace.
  for (const version of ['1.0.0', '2.0.0']) pack(version);
  write('package.json', { ...named('shop'), workspaces: ['page'], dependencies: { paint: 'file:paint-2.0.0.tgz' } });
  write('page/package.json', { ...named('page'), dependencies: { paint: 'file:../paint-1.0.0.tgz' } });
  const packed = (version: string) => ({ version, resolved: `file:paint-${version}.tgz` });
  write('package-lock.json', {
    ...named('shop'),
    lockfileVersion: 3,
    requires: true,
    packages: {
      '': { ...named('shop'), workspaces: ['page'], dependencies: { paint: 'file:paint-2.0.0.tgz' } },
      'node_modules/page': { resolved: 'page', link: true },
      'node_modules/paint': packed('2.0.0'),
      page: { version: '1.0.0', dependencies: { paint: 'file:../paint-1.0.0.tgz' } },
      'page/node_modules/paint': packed('1.0.0'),
    },
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const named = (name: string) => ({ name, version: '1.0.0' });

function write(path: string, value: object): void {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), JSON.stringify(value));
}

function pack(version: string): void {
  write('package/package.json', { name: 'paint', version });
  execFileSync('tar', ['-czf', `paint-${version}.tgz`, 'package'], { cwd: folder });
  rmSync(join(folder, 'package'), { recursive: true });
}

/** Returns whether the call installed packages. */
const install = (): boolean =>
  JSON.parse(
    execFileSync(
      process.execPath,
      [
        '--input-type=module',
        '--eval',
        `import { ensurePackages } from ${JSON.stringify(script)};
         console.log(await ensurePackages(${JSON.stringify(folder)}, { quiet: true }));`,
      ],
      { encoding: 'utf8' },
    ),
  ) as boolean;

// It runs npm twice.
test('installs packages missing from a workspace at the next start', { tags: 'full', timeout: 60_000 }, () => {
  expect(install()).toBe(true);
  const nested = join(folder, 'page', 'node_modules', 'paint', 'package.json');
  expect(existsSync(nested)).toBe(true);
  expect(install()).toBe(false);
  rmSync(join(folder, 'page', 'node_modules'), { recursive: true });
  expect(install()).toBe(true);
  expect(existsSync(nested)).toBe(true);
  expect(install()).toBe(false);
});

test('names the remedy if npm omitted the native program of a package', () => {
  const explain = (output: string) =>
    execFileSync(
      process.execPath,
      [
        '--input-type=module',
        '--eval',
        `import { explainBuild } from ${JSON.stringify(builder)}; console.log(explainBuild(process.argv[1]));`,
        output,
      ],
      { encoding: 'utf8' },
    );
  // npm of Node 18 omits the optional packages that require a newer Node.
  expect(explain("Error: Cannot find module '@rolldown/binding-linux-x64-gnu'")).toContain('Install a newer Node');
  expect(explain("Error: Cannot find module './missing.ts'")).toContain('The pages could not be built.');
});
