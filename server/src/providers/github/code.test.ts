import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createRepository } from '@sightline/sandbox/testing/repository.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { HostRef } from '../host-facts.ts';
import { createGithub, type Github } from './github.ts';
import { type SandboxGithub, startSandboxGithub } from './sandbox.fixture.ts';

let sandbox: SandboxGithub;
let github: Github;
let ref: HostRef;
let story: ReturnType<typeof createRepository>;
let head: string;

beforeAll(async () => {
  story = createRepository();
  await story.start();
  symlinkSync('README.md', join(story.path, 'link.md'));
  const files = { 'README.md': 'Héllo\n', '.github/workflows/ci.yml': 'on: push\n', 'src/deep/app.ts': 'one\n' };
  head = await story.commit('First', files);
  sandbox = await startSandboxGithub([story.path]);
  github = createGithub(sandbox.config);
  ref = { installationId: String(sandbox.install().id), owner: 'sandbox', name: 'widgets' };
});
afterAll(async () => {
  await sandbox.close();
  await story.remove();
});

test('returns the head of a branch and refuses an unknown branch', async () => {
  expect(await github.headOf(ref, 'main')).toBe(head);
  await expect(github.headOf(ref, 'nowhere')).rejects.toMatchObject({ name: 'HostRefused', status: 404 });
});

test('lists the files of a commit without links, and reads one by its blob id', async () => {
  const files = await github.listTree(ref, head);
  expect(files.map(({ path }) => path).sort()).toEqual(['.github/workflows/ci.yml', 'README.md', 'src/deep/app.ts']);
  const readme = files.find(({ path }) => path === 'README.md');
  expect(readme?.size).toBe(7);
  expect((await github.readBlob(ref, readme?.blob ?? '')).toString()).toBe('Héllo\n');
});

test('lists top-level files and dot folders even if the tree is too large', async () => {
  sandbox.sandbox.host.mostTreeEntries = 4;
  const files = await github.listTree(ref, head);
  expect(files.map(({ path }) => path).sort()).toEqual(['.github/workflows/ci.yml', 'README.md']);
});
