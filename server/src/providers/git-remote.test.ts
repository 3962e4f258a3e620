import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createOutbound } from '#core/outbound.ts';
import { type GitServer, startGitServer } from '#testing/git-server.ts';
import { canPinAddresses } from './git-program.ts';
import { commitFileToRemote, type GitRemote } from './git-remote.ts';

let server: GitServer;
let remote: GitRemote;
beforeEach(async () => {
  server = await startGitServer();
  remote = { url: server.url, branch: 'main', user: '', token: server.token };
});
afterEach(() => server.close());

const outbound = createOutbound(['127.0.0.1']);
const author = { name: 'Sightline', email: 'ledger@sightline.example' };
const file = (path: string, content: string) => ({ path, content, message: `Keep ${path}`, author });

test('commits a file on top of the existing history and initializes an empty repository', {
  tags: 'full',
}, async () => {
  const first = await commitFileToRemote(outbound, remote, file('ledger/1.txt', 'one\n'));
  const second = await commitFileToRemote(outbound, remote, file('ledger/a name/2.txt', 'two\n'));
  expect((await server.git('rev-list', 'main')).trim().split('\n')).toEqual([second, first]);
  expect(await server.git('show', 'main:ledger/1.txt')).toBe('one\n');
  expect(await server.git('show', 'main:ledger/a name/2.txt')).toBe('two\n');
  expect(await server.git('log', '-1', '--format=%an <%ae> %s', 'main')).toBe(
    'Sightline <ledger@sightline.example> Keep ledger/a name/2.txt\n',
  );
  // A file with unchanged content is not committed again.
  expect(await commitFileToRemote(outbound, remote, file('ledger/1.txt', 'one\n'))).toBe(second);
  const other = await commitFileToRemote(outbound, { ...remote, branch: 'evidence/2026' }, file('3.txt', 'three\n'));
  expect((await server.git('rev-parse', 'evidence/2026')).trim()).toBe(other);
});

test('reports a rejection by the repository in plain text and leaves no files behind', async () => {
  const temporaryFolder = await mkdtemp(join(tmpdir(), 'sightline-own-'));
  vi.stubEnv('TMPDIR', temporaryFolder);
  const wrong = commitFileToRemote(outbound, { ...remote, token: 'another' }, file('1.txt', 'one\n'));
  await expect(wrong).rejects.toThrow('rejects the token');
  await wrong.catch((error: Error) => expect(JSON.stringify(error)).not.toContain('another'));
  await expect(
    commitFileToRemote(outbound, { ...remote, url: server.url.replace('evidence', 'none') }, file('1.txt', 'one\n')),
  ).rejects.toThrow('is not a repository');
  await server.git('config', 'receive.denyCurrentBranch', 'refuse');
  await server.git('config', 'http.receivepack', 'false');
  await expect(commitFileToRemote(outbound, remote, file('1.txt', 'one\n'))).rejects.toThrow(
    /rejects the token|did not take/,
  );
  expect(await readdir(temporaryFolder)).toEqual([]);
  vi.unstubAllEnvs();
  await rm(temporaryFolder, { recursive: true });
});

test('passes only the parsed URL to git', async () => {
  // git parses the text after the @ as the host, the URL Standard as a path.
  const { port } = new URL(server.url);
  const allowed = createOutbound(['8.8.8.8']);
  const url = `http://8.8.8.8\\@127.0.0.1:${port}/evidence.git`;
  await expect(commitFileToRemote(allowed, { ...remote, url }, file('1.txt', 'one\n'))).rejects.toMatchObject({
    code: 'validation_failed',
  });
  expect(server.requests()).toBe(0);
  // git does not recognize these dots, and treats this scheme as another one.
  const spelled = server.url.replace('http:', 'HTTP:').replace('127.0.0.1', '127\u30020\u30020\u30021');
  expect(await commitFileToRemote(outbound, { ...remote, url: spelled }, file('1.txt', 'one\n'))).toMatch(
    /^[0-9a-f]{40}$/,
  );
});

test('does not disclose the response of the remote', async () => {
  const secret = createServer((_request, response) =>
    response.writeHead(500, { 'content-type': 'text/plain' }).end('root:x:0:0 internal body'),
  );
  await new Promise<void>((resolve) => secret.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(secret.address() as AddressInfo).port}/x.git`;
  const failed = await commitFileToRemote(outbound, { ...remote, url }, file('1.txt', 'one\n')).catch(
    (error: unknown) => error,
  );
  expect(failed).toMatchObject({
    message: 'The repository rejected the commit.',
    extra: { cause: 'Check the URL, the branch and the permissions of the token.' },
  });
  await new Promise((resolve) => secret.close(resolve));
});

test('refuses a git version that cannot connect only to the checked address', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-old-git-'));
  await writeFile(join(folder, 'git'), '#!/bin/sh\necho git version 2.36.6\n', { mode: 0o755 });
  vi.stubEnv('PATH', folder);
  try {
    await expect(commitFileToRemote(outbound, remote, file('1.txt', 'one\n'))).rejects.toThrow(
      'too old for checked addresses',
    );
  } finally {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true });
  }
  expect(server.requests()).toBe(0);
  const versions = ['git version 2.37.0', 'git version 2.39.5 (Apple Git-154)', 'git version 3.0.1.windows.1', 'hub'];
  expect(versions.map(canPinAddresses)).toEqual([true, true, true, false]);
});

test('connects only to the verified address and follows no redirect', async () => {
  await expect(commitFileToRemote(createOutbound(), remote, file('1.txt', 'one\n'))).rejects.toThrow('https://');
  await expect(
    commitFileToRemote(outbound, { ...remote, url: 'file:///etc' }, file('1.txt', 'one\n')),
  ).rejects.toThrow();
  const other = await startGitServer();
  server.redirect(other.url);
  await expect(commitFileToRemote(outbound, remote, file('1.txt', 'one\n'))).rejects.toThrow('rejected the commit');
  await other.close();
  // The name resolves elsewhere when git connects: the connection still uses the checked address.
  const named = createOutbound([new URL(server.url).origin.replace('127.0.0.1', 'repository.example')], {
    resolve: async () => ({ address: '127.0.0.1', family: 4 }),
  });
  server.redirect(undefined);
  const url = server.url.replace('127.0.0.1', 'repository.example');
  expect(await commitFileToRemote(named, { ...remote, url }, file('1.txt', 'one\n'))).toMatch(/^[0-9a-f]{40}$/);
});
