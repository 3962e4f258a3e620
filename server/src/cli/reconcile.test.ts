import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { appendChanges, buildTestBundle, createTestLedger, vkey } from '@sightline/evidence/bundle/testing/scene.ts';
import { reached } from '@sightline/evidence/controls/testing/change-variants.ts';
import { passingRowOf } from '@sightline/evidence/controls/testing/variants.ts';
import type { CommitComparison } from '@sightline/evidence/reconciliation/compare.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommandLine } from './run.ts';

let folder: string;
let clone: string;
let shas: string[];
const merges = 500;
const start = Date.parse('2026-07-03T00:00:00.000Z') / 1000;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-reconcile-'));
  clone = join(folder, 'clone');
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', clone]);
  const commits = Array.from({ length: merges + 1 }, (_, index) => {
    // The first commit precedes the period.
    const at = index === 0 ? start - 30 * 86_400 : start + index * 600;
    const message = `Change ${index} (#${index})`;
    return [
      'commit refs/heads/main',
      `mark :${index + 1}`,
      `committer Ada <ada@example.org> ${at} +0000`,
      `data ${message.length}\n${message}`,
      ...(index === 0 ? [] : [`from :${index}`]),
      `M 100644 inline file.txt\ndata ${String(index).length}\n${index}`,
      '',
    ].join('\n');
  });
  execFileSync('git', ['-C', clone, 'fast-import', '--quiet'], { input: `${commits.join('\n')}\ndone\n` });
  shas = execFileSync('git', ['-C', clone, 'rev-list', '--reverse', 'main'], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .slice(1);
});
afterAll(() => rm(folder, { recursive: true }));

/** Writes a valid bundle whose CHG-02 has these commits. */
async function bundleWith(commits: readonly string[]): Promise<string> {
  const log = createTestLedger();
  const changes = appendChanges(log, 10);
  const [first] = changes;
  const rows = commits.map((sha) => ({
    ...passingRowOf(reached),
    subject: `commit:push:${sha}`,
    repository: 'repo_1',
    leaf: null,
    leaves: first?.leaf == null ? [] : [first.leaf],
  }));
  const { bundle } = await buildTestBundle(log, changes, {
    controls: ['CHG-01', 'CHG-02'],
    populations: { 'CHG-02': rows },
  });
  const path = join(folder, `${commits.length}.zip`);
  await writeFile(path, bundle);
  return path;
}

test('names exactly the five of 500 merges that a bundle lacks, and those that the clone lacks', async () => {
  expect(shas).toHaveLength(merges);
  const removed = [3, 77, 200, 201, 499].map((index) => shas[index] ?? '');
  const invented = 'f'.repeat(40);
  const path = await bundleWith([...shas.filter((sha) => !removed.includes(sha)), invented]);
  const args = ['reconcile', path, '--key', vkey, '--clone', `acme/widgets=${clone}`];
  const { code, out } = await runCommandLine([...args, '--json']);
  expect(code).toBe(1);
  const { repositories } = JSON.parse(out).reconciliation as {
    repositories: { merges: null; commits: CommitComparison }[];
  };
  expect(repositories).toHaveLength(1);
  const [{ merges: ofHost, commits } = { merges: undefined, commits: undefined }] = repositories;
  expect(ofHost).toBeNull();
  expect(commits?.both).toBe(merges - removed.length);
  expect(new Set(commits?.missingInBundle.map(({ sha }) => sha))).toEqual(new Set(removed));
  expect(commits?.missingInBundle.map(({ title }) => title)).toContain('Change 4 (#4)');
  expect(commits?.missingInClone).toEqual([invented]);
  expect((await runCommandLine(args)).out).toContain(`not in the clone: commit ${invented}`);
});

test('succeeds if nothing is missing, and refuses what it cannot compare', async () => {
  const path = await bundleWith(shas);
  const run = (...args: string[]) => runCommandLine(['reconcile', path, '--key', vkey, ...args]);
  expect(await run('--clone', `repo_1=${clone}`)).toMatchObject({
    code: 0,
    out: expect.stringContaining('Nothing is missing on either side.'),
  });
  expect(await run('--clone', `acme/widgets=${join(folder, 'nothing')}`)).toMatchObject({ code: 1, out: '' });
  expect(await run('--clone', 'acme/widgets')).toMatchObject({ code: 1, out: '' });
  const { bundle } = await buildTestBundle(createTestLedger(), []);
  await writeFile(join(folder, 'without.zip'), bundle);
  const without = await runCommandLine([
    'reconcile',
    join(folder, 'without.zip'),
    '--key',
    vkey,
    '--clone',
    `a=${clone}`,
  ]);
  expect(without.errorOutput).toContain('CHG-02');
});
