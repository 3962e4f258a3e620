import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRepository } from '@sightline/sandbox/testing/repository.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readConfig } from '#config.ts';
import { startSandboxProcess } from './sandbox-process.ts';

const repository = createRepository();
let folder: string;
beforeAll(async () => {
  await repository.start();
  await repository.commit('Begin');
  folder = await mkdtemp(join(tmpdir(), 'sightline-archive-'));
});
afterAll(async () => {
  await repository.remove();
  await rm(folder, { recursive: true, force: true });
});

const config = (environment: Record<string, string> = {}) =>
  readConfig({ NODE_ENV: 'test', PORT: '0', DATA_DIR: folder, ...environment });

test('a folder that was downloaded without its history has no sandbox, and is no reason to stop', async () => {
  expect(await startSandboxProcess(config(), folder)).toBeUndefined();
});

test('a repository that was named is shown all the same', async () => {
  const sandbox = await startSandboxProcess(config({ SANDBOX_REPOSITORIES: repository.path }), folder);
  expect(sandbox?.github).toMatchObject({ sandbox: true, url: expect.stringMatching(/^http:/) });
  sandbox?.stop();
});

test('a sandbox ends with the server, whatever it is asked meanwhile', async () => {
  const sandbox = await startSandboxProcess(config({ SANDBOX_REPOSITORIES: repository.path }), folder);
  const url = sandbox?.github.url ?? '';
  const fault = { match: '/slow', delayMs: 60_000 };
  const headers = { 'content-type': 'application/json' };
  await fetch(`${url}/_sandbox/faults`, { method: 'POST', headers, body: JSON.stringify(fault) });
  const asked = fetch(`${url}/slow`).then(
    () => 'answered',
    () => 'ended',
  );
  await vi.waitFor(async () => expect(await (await fetch(`${url}/_sandbox/faults`)).json()).toEqual([]), 10_000);
  sandbox?.stop();
  expect(await asked).toBe('ended');
});

test('a folder that was named and is none stops the start with the reason', async () => {
  await expect(startSandboxProcess(config({ SANDBOX_REPOSITORIES: folder }), folder)).rejects.toThrow(
    /not a git repository/,
  );
});
