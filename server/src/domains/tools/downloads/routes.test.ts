import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listDownloads } from '@sightline/contract/tools/downloads.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { shareTestServer, type TestServer } from '#testing/server.ts';
import { downloadFolders, findDownloadFile, listDownloadFiles } from './queries.ts';

let server: TestServer;
beforeAll(async () => {
  server = await shareTestServer();
});
afterAll(() => server.close());

const names = async () => (await server.as(await server.make.account())(listDownloads, {})).map((one) => one.fileName);

test('lists no downloads without files on the server', async () => {
  expect(await names()).toEqual([]);
});

test('lists and serves only files with a valid name in the folder', async () => {
  const folder = join(server.config.dataDir, 'downloads');
  await mkdir(join(folder, 'sightline-edge-1.0.0.zip'), { recursive: true });
  for (const name of [
    'sightline-chrome-1.9.0.zip',
    'sightline-vscode-1.10.0-linux-x64.vsix',
    'sightline-vscode-1.9.0-linux-x64.vsix',
    'sightline-vscode-1.10.0-macos-arm64.vsix',
    'notes.txt',
    'sightline-emacs-1.0.0.zip',
  ])
    await writeFile(join(folder, name), `the file ${name}`);
  expect(await names()).toEqual([
    'sightline-vscode-1.10.0-linux-x64.vsix',
    'sightline-vscode-1.10.0-macos-arm64.vsix',
    'sightline-vscode-1.9.0-linux-x64.vsix',
    'sightline-chrome-1.9.0.zip',
  ]);
  const [first] = await server.as(await server.make.account())(listDownloads, {});
  expect(first).toMatchObject({ target: 'vscode', version: '1.10.0', system: 'linux', architecture: 'x64' });
  const answer = await fetch(`${server.url}${first?.url}`);
  const body = Buffer.from(await answer.arrayBuffer());
  expect(answer.headers.get('content-disposition')).toContain('attachment');
  expect(createHash('sha256').update(body).digest('hex')).toBe(first?.sha256);
  for (const path of ['notes.txt', 'sightline-edge-1.0.0.zip', '..%2Fmaster.key', '..%2f..%2fetc%2fpasswd']) {
    expect([path, (await fetch(`${server.url}/downloads/${path}`)).status]).toEqual([path, 404]);
  }
});

test('prefers a file of the operator over a built file of the same name', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-downloads-'));
  const [own, built, absent] = ['own', 'built', 'absent'].map((name) => join(folder, name)) as [string, string, string];
  for (const [directory, name] of [
    [own, 'sightline-chrome-1.0.0.zip'],
    [built, 'sightline-chrome-1.0.0.zip'],
    [built, 'sightline-vscode-1.0.0.vsix'],
    [built, '.sightline-vscode-1.1.0.vsix'],
  ] as const) {
    await mkdir(directory, { recursive: true });
    await writeFile(join(directory, name), directory);
  }
  const folders = [own, absent, built];
  expect((await listDownloadFiles(folders)).map((file) => [file.fileName, file.system, file.architecture])).toEqual([
    ['sightline-vscode-1.0.0.vsix', null, null],
    ['sightline-chrome-1.0.0.zip', null, null],
  ]);
  expect((await findDownloadFile(folders, 'sightline-chrome-1.0.0.zip'))?.path).toBe(
    join(own, 'sightline-chrome-1.0.0.zip'),
  );
  expect(await findDownloadFile(folders, '.stamp')).toBeUndefined();
  await rm(folder, { recursive: true });
});

test('offers built files until the operator configures a folder', () => {
  const unset = { ...server.config, DOWNLOADS_DIR: undefined };
  expect(downloadFolders(unset).at(-1)).toMatch(/[\\/]extensions[\\/]dist$/);
  expect(downloadFolders({ ...unset, DOWNLOADS_DIR: '/files' })).toEqual(['/files']);
});
