import { createRepository } from '@sightline/sandbox/testing/repository.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { HostRef } from '../host-facts.ts';
import { createGithub, type Github } from './github.ts';
import { type SandboxGithub, startSandboxGithub } from './sandbox.fixture.ts';

const repository = createRepository();
const shas: Record<string, string> = {};
const long = (end: string) => `${Array.from({ length: 40 }, (_, line) => `line ${line}`).join('\n')}\n${end}\n`;
let sandbox: SandboxGithub;
let github: Github;
let ref: HostRef;

beforeAll(async () => {
  const { commit, git } = repository;
  await repository.start();
  shas.root = await commit('Begin', { 'README.md': 'One\n', 'src/a/one.ts': long('one'), 'src/a/two.ts': 'two\n' });
  shas.nested = await commit('Add and change', { 'src/b/c/new.ts': 'new\n', 'README.md': 'One\nTwo\n' });
  git(['mv', 'src/a/two.ts', 'src/b/two.ts']);
  shas.renamed = await commit('Rename');
  git(['mv', 'src/a/one.ts', 'src/one.ts']);
  shas.edited = await commit('Rename and edit', { 'src/one.ts': long('another') });
  git(['rm', '--quiet', '-r', 'src/b']);
  shas.removed = await commit('Remove a folder', { src2: 'a file\n' });
  git(['checkout', '--quiet', '-b', 'topic']);
  await commit('On a branch', { 'topic/file.ts': 'topic\n' });
  git(['checkout', '--quiet', 'main']);
  await commit('Meanwhile', { 'README.md': 'One\nTwo\nThree\n' });
  shas.merged = repository.merge('topic', 'Merge pull request #1 from sandbox/topic');
  sandbox = await startSandboxGithub([repository.path]);
  github = createGithub(sandbox.config);
  ref = { installationId: String(sandbox.install().id), owner: 'sandbox', name: 'widgets' };
});
afterAll(async () => {
  await sandbox.close();
  await repository.remove();
});

test('lists the changes of many commits with the same result as each one, and omits those that folders do not determine', async () => {
  const all = repository.git(['rev-list', 'main']).split('\n');
  const listed = await github.listChanges(ref, [...all, 'f'.repeat(40)]);
  const names = Object.entries(shas).filter(([, sha]) => !listed.has(sha));
  expect(names.map(([name]) => name)).toEqual(['root', 'edited']);
  expect(listed.size).toBe(all.length - 2);
  for (const [sha, { files, ...lines }] of listed) {
    const { changes } = await github.getCommit(ref, sha);
    const paths = (changed: typeof files) => changed.map(({ path, status }) => `${status} ${path}`).sort();
    expect(paths(files)).toEqual(paths(changes?.files ?? []));
    expect(lines).toEqual({ additions: changes?.additions, deletions: changes?.deletions });
  }
});

test('omits every commit if the host does not answer the query', async () => {
  await sandbox.control('faults', { match: '/graphql', status: 502, times: 3 });
  expect(await github.listChanges(ref, [shas.nested ?? ''])).toEqual(new Map());
});
