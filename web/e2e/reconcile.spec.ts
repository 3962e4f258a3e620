import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from '@playwright/test';
import { appendChanges, buildTestBundle, createTestLedger, vkey } from '../../evidence/src/bundle/testing/scene.ts';
import { cloneLogFormat } from '../../evidence/src/reconciliation/clone-commits.ts';
import { issueToken } from '../../sandbox/src/github/tokens.ts';
import { createToken } from '../../sandbox/src/gitlab/instance.ts';
import { writeMergeHistory } from '../../server/src/cli/testing/merges.fixture.ts';
import { type SandboxGithub, startSandboxGithub } from '../../server/src/providers/github/sandbox.fixture.ts';
import { expectAccessible } from './accessible.ts';
import { test } from './test.ts';

const page = `file://${fileURLToPath(new URL('../../evidence/reconcile.html', import.meta.url))}`;
const folder = mkdtempSync(join(tmpdir(), 'sightline-reconcile-page-'));
const merges = 500;
const removed = [3, 77, 200, 201, 499];
const invented = [501, 502, 503, 504, 505];
// The code hosts do not accept other headers from pages.
test.use({ extraHTTPHeaders: {} });

let shas: string[];
let sandbox: SandboxGithub;

test.beforeAll(async () => {
  shas = writeMergeHistory(join(folder, 'widgets.git'), merges);
  sandbox = await startSandboxGithub([join(folder, 'widgets.git')]);
  sandbox.install();
});
test.afterAll(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true });
});

async function writeBundle(host: string): Promise<string> {
  const log = createTestLedger();
  appendChanges(log, 0);
  const numbers = Array.from({ length: merges }, (_, index) => index + 1).filter((one) => !removed.includes(one));
  const origin = { host, connection: null, repository: String(sandbox.sandbox.host.repositories[0]?.id) };
  const rows = [...numbers, ...invented].flatMap((number) =>
    appendChanges(log, 1, number, () => ({ number, mergeSha: shas[number - 1] ?? 'f'.repeat(40), origin })),
  );
  const { bundle } = await buildTestBundle(log, rows, { controls: ['CHG-01'] });
  const path = join(folder, 'bundle.zip');
  writeFileSync(path, bundle);
  return path;
}

test('names what a bundle and a code host lack of 500 merges, and sends the token only to that host', async ({
  page: tab,
}) => {
  const { host, gitlab, url } = sandbox.sandbox;
  const requests: { url: string; authorization: string | undefined }[] = [];
  tab.on('request', (request) => requests.push({ url: request.url(), authorization: request.headers().authorization }));
  await tab.goto(page);
  await expectAccessible(tab, 'the empty page');
  await tab.getByRole('button', { name: 'Compare' }).click();
  await expect(tab.getByRole('alert')).toHaveText('Enter the signing key of the ledger.');
  await tab.getByLabel('Key of the ledger').fill(vkey);
  await tab.getByLabel('Bundle', { exact: true }).setInputFiles(await writeBundle(new URL(url).host));
  await tab.getByLabel('Address').fill('http://code.example');
  await tab.getByRole('button', { name: 'Compare' }).click();
  await expect(tab.getByRole('alert')).toHaveText('The address of the code host must start with https://.');

  const compare = async (address: string, kind: string, token: string, path: string) => {
    await tab.getByLabel('Address').fill(address);
    await tab.getByLabel('Kind').selectOption(kind);
    await tab.getByLabel('Your read-only token').fill(token);
    await tab.getByLabel('Repositories', { exact: false }).first().fill(`repo_1=${path}`);
    await tab.getByRole('button', { name: 'Compare' }).click();
    await expect(tab.getByRole('button', { name: 'Compare' })).toBeEnabled();
  };
  const [{ owner, name } = { owner: { login: '' }, name: '' }] = host.repositories;
  const user = sandbox.user('ada');
  await compare(url, 'github', 'invalid', `${owner.login}/${name}`);
  await expect(tab.getByRole('alert')).toContainText('rejected the token.');
  const { token } = issueToken(host, { kind: 'user', holder: user.id, seconds: 3600 });
  const gitlabToken = createToken(gitlab, user, ['read_api']);
  for (const [address, kind, given, path] of [
    [url, 'github', token, `${owner.login}/${name}`],
    [`${url}/gitlab`, 'gitlab', gitlabToken, `${owner.login}/code/${name}`],
  ] as const) {
    await compare(address, kind, given, path);
    await expect(tab.locator('#outcome')).toHaveText('Differences');
    await expect(tab.locator('#outcome')).toBeFocused();
    await expect(tab.getByLabel('Your read-only token')).toHaveValue('');
    const lines = await tab.locator('#repositories-compared li').allTextContents();
    const numbersOf = (start: string) =>
      lines.filter((line) => line.startsWith(start)).map((line) => Number(/#(\d+)/.exec(line)?.[1]));
    expect(numbersOf('not in the bundle')).toEqual(removed);
    expect(numbersOf('not on the code host')).toEqual(invented);
    expect(lines).toHaveLength(removed.length + invented.length);
  }
  await expectAccessible(tab, 'the differences');
  const elsewhere = requests.filter((request) => !request.url.startsWith('file:') && !request.url.startsWith(url));
  expect(elsewhere).toEqual([]);
  const tokens = new Set(requests.flatMap(({ authorization }) => authorization ?? []));
  expect(tokens).toEqual(new Set(['Bearer invalid', `Bearer ${token}`, `Bearer ${gitlabToken}`]));
});

test('reads the commits of a clone from a file of git', async ({ page: tab }) => {
  const log = execFileSync('git', ['-C', join(folder, 'widgets.git'), 'log', `--format=${cloneLogFormat}`, 'main']);
  const path = join(folder, 'commits.txt');
  writeFileSync(path, log);
  await tab.goto(page);
  await tab.getByLabel('Key of the ledger').fill(vkey);
  await tab.getByLabel('Bundle', { exact: true }).setInputFiles(await writeBundle('code.example'));
  await tab.getByLabel('List of its commits').setInputFiles(path);
  await tab.getByRole('button', { name: 'Compare' }).click();
  await expect(tab.getByRole('alert')).toHaveText('The bundle does not contain CHG-02, which lists all commits.');
  writeFileSync(path, 'something else');
  await tab.getByLabel('List of its commits').setInputFiles(path);
  await tab.getByRole('button', { name: 'Compare' }).click();
  await expect(tab.getByRole('alert')).toHaveText('commits.txt is not a list of commits in the required format.');
});
