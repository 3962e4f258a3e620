import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
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

test('starts without a sandbox for a folder without Git history', async () => {
  expect(await startSandboxProcess(config(), folder)).toBeUndefined();
});

test('serves a repository that is configured explicitly', async () => {
  const sandbox = await startSandboxProcess(config({ SANDBOX_REPOSITORIES: repository.path }), folder);
  expect(sandbox?.github).toMatchObject({ sandbox: true, url: expect.stringMatching(/^http:/) });
  sandbox?.stop();
});

test('stops the sandbox with the server, even during an unanswered webhook delivery', { tags: 'full' }, async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  const delivery = once(silent, 'connection') as Promise<[Socket]>;
  await once(silent, 'listening');
  const address = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const named = config({ SANDBOX_REPOSITORIES: repository.path, PUBLIC_URL: address });
  const sandbox = await startSandboxProcess(named, folder);
  await fetch(`${sandbox?.github.url}/_sandbox/install`, { method: 'POST' });
  await repository.commit('Pushed');
  const [socket] = await delivery;
  socket.resume();
  sandbox?.stop();
  await vi.waitFor(() => expect(socket.closed).toBe(true), { timeout: 5_000 });
  silent.close();
});

test('fails to start with the reason when a configured folder is not a repository', { tags: 'full' }, async () => {
  await expect(startSandboxProcess(config({ SANDBOX_REPOSITORIES: folder }), folder)).rejects.toThrow(
    /not a git repository/,
  );
});
