import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { localCommitsInLog } from './reflog.ts';

let folder: string;
const git = (...args: string[]) =>
  execFileSync(
    'git',
    ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', '-c', 'commit.gpgsign=false', ...args],
    {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  ).trim();
const log = () => readFileSync(join(folder, '.git/logs/HEAD'), 'utf8');
function commit(file: string, ...more: string[]): string {
  writeFileSync(join(folder, file), file);
  git('add', '.');
  git('commit', '-m', `Add ${file}: pull`, ...more);
  return git('rev-parse', 'HEAD');
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sightline-reflog-'));
  git('init', '-b', 'main');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('recognizes commits, amends, merges, cherry-picks and reverts made here, and no other moves of HEAD', () => {
  const first = commit('one.txt');
  const second = commit('two.txt');
  git('checkout', '-b', 'side', first);
  const side = commit('three.txt');
  git('checkout', 'main');
  git('merge', '--no-edit', 'side');
  const merge = git('rev-parse', 'HEAD');
  git('checkout', '-b', 'late', first);
  const late = commit('four.txt');
  git('rebase', 'main');
  git('checkout', 'main');
  git('merge', '--ff-only', 'late');
  git('reset', '--hard', second);
  git('cherry-pick', late);
  const picked = git('rev-parse', 'HEAD');
  git('revert', '--no-edit', picked);
  const reverted = git('rev-parse', 'HEAD');
  const amended = commit('five.txt', '--amend');

  const made = localCommitsInLog(log());
  expect(made.map(({ sha }) => sha)).toEqual([first, second, side, merge, late, picked, reverted, amended]);
  expect(made[0]?.parent).toBeUndefined();
  expect(made[1]?.parent).toBe(first);
});

test('ignores incomplete lines and other text', () => {
  expect(localCommitsInLog('')).toEqual([]);
  expect(localCommitsInLog(log().slice(0, 60))).toEqual([]);
  expect(localCommitsInLog('commit: not a log')).toEqual([]);
});
