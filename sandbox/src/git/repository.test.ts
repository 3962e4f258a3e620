import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRepository, createStory } from '../testing/repository.ts';
import type { Repository } from './model.ts';
import {
  branchesOf,
  changesOf,
  headOf,
  historyOf,
  openRepository,
  refreshRepository,
  resolveCommit,
} from './repository.ts';

describe('a repository', () => {
  let story: Awaited<ReturnType<typeof createStory>>;
  let repository: Repository;
  const lines = (...args: string[]): string[] => story.git(args).split('\n').filter(Boolean);

  beforeAll(async () => {
    story = await createStory();
    repository = await openRepository(story.path);
  });
  afterAll(() => story.remove());

  test('lists every commit in the order of git log', () => {
    expect(historyOf(repository, headOf(repository)?.sha ?? '').map(({ sha }) => sha)).toEqual(
      lines('rev-list', 'main'),
    );
    expect(repository.commits.size).toBe(lines('rev-list', '--all').length);
  });

  test('reads names, messages and trees unchanged', () => {
    const commit = [...repository.commits.values()].find(({ message }) => message.startsWith('Über'));
    expect(commit?.author).toMatchObject({ name: 'Zoë Ångström', at: Date.UTC(2024, 0, 1, 9, 3) });
    expect(commit?.message).toBe('Überarbeite die Anmeldung\n\nReviewed-by: Bob <info@example.org>');
    expect(commit?.tree).toBe(story.git(['rev-parse', `${commit?.sha}^{tree}`]));
  });

  test('finds the files of each commit: names that are not ASCII, renames, binary files, merges', async () => {
    const changes = async (subject: string) => {
      const commit = [...repository.commits.values()].find(({ message }) => message.startsWith(subject));
      return (await changesOf(repository, commit?.sha ?? '')).map(({ blob: _, ...file }) => file);
    };
    expect(await changes('Meanwhile')).toEqual([
      { path: 'docs/naïve ☃.md', status: 'added', additions: 1, deletions: 0 },
    ]);
    expect(await changes('Move the start')).toEqual([
      { path: 'src/start.ts', previousPath: 'src/main.ts', status: 'renamed', additions: 0, deletions: 0 },
    ]);
    expect(await changes('Drop a picture')).toEqual([
      { path: 'logo.bin', status: 'added', additions: 0, deletions: 0 },
    ]);
    expect(await changes('Merge pull request')).toEqual([
      { path: 'src/login.ts', status: 'added', additions: 2, deletions: 0 },
    ]);
  });

  test('resolves branches, tags, short hashes and HEAD', () => {
    const main = story.git(['rev-parse', 'main']);
    for (const name of ['main', 'HEAD', 'v1.0', 'heads/main', 'refs/tags/v1.0', main.slice(0, 8)]) {
      expect(resolveCommit(repository, name)?.sha, name).toBe(main);
    }
    expect(resolveCommit(repository, 'nothing')).toBeUndefined();
  });

  test('finds a pull request for every merge, every squash and every branch that is ahead', () => {
    const merges = lines('rev-list', '--merges', '--first-parent', 'main');
    const merged = repository.pullRequests.filter(
      ({ commits, mergeSha }) => mergeSha !== commits[0] && mergeSha !== null,
    );
    expect(merged.map(({ mergeSha }) => mergeSha).sort()).toEqual(merges.sort());
    expect(repository.pullRequests.map(({ number, title, headRef, state }) => [number, title, headRef, state])).toEqual(
      [
        [7, 'Let people in', 'feature/login', 'closed'],
        [8, 'Move the start', 'tidy', 'closed'],
        [12, 'Faster start', 'patch-12', 'closed'],
        [13, 'Search, first try', 'wip/search', 'open'],
      ],
    );
    const [login] = repository.pullRequests;
    expect(login?.commits).toEqual(lines('rev-list', '--reverse', `${login?.mergeSha}^1..${login?.mergeSha}^2`));
    expect(login).toMatchObject({
      body: 'With a password.',
      headOwner: 'origin-owner',
      author: { name: 'Zoë Ångström' },
    });
    expect(login?.mergedBy?.name).toBe('Bob');
    expect(login?.reviews.map(({ reviewer }) => reviewer.name)).toEqual(['Bob']);
  });

  test('rejects a folder without a repository', async () => {
    await expect(openRepository('/')).rejects.toThrow(/not a git repository/);
  });
});

describe('a changing repository', () => {
  test('keeps the number of a pull request from its opening to its merge', async () => {
    const story = createRepository('moving');
    await story.start();
    await story.commit('Start', { 'a.txt': 'a' });
    const repository = await openRepository(story.path);
    expect(await refreshRepository(repository)).toEqual([]);

    story.git(['checkout', '--quiet', '-b', 'one']);
    await story.commit('One', { 'b.txt': 'b' });
    expect((await refreshRepository(repository)).map(({ ref }) => ref)).toEqual(['refs/heads/one']);
    expect(repository.pullRequests).toMatchObject([{ number: 1, state: 'open', headRef: 'one', title: 'One' }]);

    await story.commit('And more', { 'b.txt': 'bb' });
    story.git(['checkout', '--quiet', 'main']);
    story.merge('one', "Merge branch 'one'");
    await refreshRepository(repository);
    expect(repository.pullRequests).toMatchObject([{ number: 1, state: 'closed' }]);
    expect(repository.pullRequests[0]?.commits.length).toBe(2);
    expect(repository.pullRequests[0]?.mergeSha).toBe(story.git(['rev-parse', 'main']));

    story.git(['checkout', '--quiet', '-b', 'two']);
    await story.commit('Two', { 'c.txt': 'c' });
    await refreshRepository(repository);
    story.git(['checkout', '--quiet', 'main']);
    story.git(['branch', '-D', 'two']);
    await refreshRepository(repository);
    expect(repository.pullRequests[1]).toMatchObject({ number: 2, state: 'closed', mergedAt: null });
    expect((await openRepository(story.path)).pullRequests.map(({ number }) => number)).toEqual([1]);
    await story.remove();
  });

  test('keeps working after git garbage-collected known commits', async () => {
    const story = createRepository('rewritten');
    await story.start();
    await story.commit('First', { 'a.txt': 'a' });
    const lost = await story.commit('Second', { 'a.txt': 'b' });
    const repository = await openRepository(story.path);
    story.git(['commit', '--quiet', '--amend', '-m', 'Second, better']);
    story.git(['reflog', 'expire', '--expire=now', '--all']);
    story.git(['gc', '--quiet', '--prune=now']);
    expect(() => story.git(['cat-file', '-e', lost])).toThrow();
    expect(await refreshRepository(repository)).toMatchObject([{ ref: 'refs/heads/main', before: lost }]);
    expect(headOf(repository)?.message).toBe('Second, better');
    await story.remove();
  });

  test('shows a repository without a commit, and one with a detached HEAD', async () => {
    const story = createRepository('empty');
    await story.start();
    const repository = await openRepository(story.path);
    expect([headOf(repository), branchesOf(repository)]).toEqual([undefined, []]);
    const sha = await story.commit('First', { 'a.txt': 'a' });
    story.git(['checkout', '--quiet', '--detach']);
    story.git(['branch', '-D', 'main']);
    await refreshRepository(repository);
    expect(branchesOf(repository)).toEqual([{ name: 'main', sha }]);
    await story.remove();
  });
});
