import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allScopes, createWorkspaceToken } from '@sightline/sandbox/bitbucket/bitbucket.ts';
import { createRepository } from '@sightline/sandbox/testing/repository.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createOutbound } from '#core/outbound.ts';
import { type GitServer, startGitServer } from '#testing/git-server.ts';
import { createBitbucket } from './bitbucket/bitbucket.ts';
import type { GrantedHost } from './connectable.ts';
import { createNotesReader } from './git-notes.ts';
import type { GitLimits } from './git-program.ts';
import { type SandboxGitlab, startSandboxGitlab } from './gitlab/sandbox.fixture.ts';

const story = createRepository();
let sandbox: SandboxGitlab;
let server: GitServer;
let temporaryFolder: string;
beforeAll(async () => {
  await story.start();
  for (const name of ['one', 'two', 'three']) await story.commit(name, { [name]: name });
  sandbox = await startSandboxGitlab([story.path]);
});
afterAll(async () => {
  await sandbox.close();
  await story.remove();
});
beforeEach(async () => {
  temporaryFolder = await mkdtemp(join(tmpdir(), 'sightline-own-'));
  server = await startGitServer();
  vi.stubEnv('TMPDIR', temporaryFolder);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await server.close();
  await rm(temporaryFolder, { recursive: true });
});

function openBitbucket(scopes: typeof allScopes): GrantedHost {
  const { bitbucket, host } = sandbox.sandbox;
  const client = { id: host.app.clientId, secret: host.app.clientSecret };
  const cloud = createBitbucket({ url: bitbucket.url, apiUrl: bitbucket.api, client, sandboxPage: undefined });
  const token = createWorkspaceToken(bitbucket, 'sandbox', scopes);
  return cloud.open(bitbucket.url, async () => cloud.tokenFrom(token, undefined, 'sandbox').secret);
}

const hosts = {
  GitLab: {
    ref: { installationId: 'group', owner: 'sandbox/code', name: 'widgets' },
    open: () => sandbox.open(sandbox.tokenOf()),
    openRefused: () => [sandbox.open(sandbox.tokenOf('ada', ['read_api'])), sandbox.open('unknown')],
  },
  Bitbucket: {
    ref: { installationId: '', owner: 'sandbox', name: 'widgets' },
    open: () => openBitbucket(allScopes),
    openRefused: () => [openBitbucket(['account'])],
  },
};

test.each(['GitLab', 'Bitbucket'] as const)('reads the notes of agents on %s with git', async (name) => {
  const { ref, open, openRefused } = hosts[name];
  const shas = ['HEAD~2', 'HEAD~1', 'HEAD'].map((commit) => story.git(['rev-parse', commit]));
  const [one = '', two = ''] = shas;
  story.git(['notes', '--ref', 'ai', 'add', '--force', '-m', 'Notes of one\n\nwith lines', one]);
  const long = join(temporaryFolder, 'long-note');
  await writeFile(long, 'x'.repeat(256 * 1024 + 1));
  story.git(['notes', '--ref', 'ai', 'add', '--force', '-F', long, two]);
  expect(await open().evidence?.notesOf?.(ref, shas)).toEqual(
    new Map([
      [one, 'Notes of one\n\nwith lines\n'],
      [two, null],
    ]),
  );
  for (const refused of openRefused()) {
    const read = refused.evidence?.notesOf?.(ref, [one]);
    await expect(read).rejects.toMatchObject({ name: 'HostRefused', status: 403 });
  }
});

/** A reader with a credential of its own, so that no answer about the commit of the notes is known. */
let readers = 0;
const readNotes = (shas: readonly string[], limits: Partial<GitLimits> = {}) => {
  readers += 1;
  const user = `reader-${readers}`;
  const { origin } = new URL(server.url);
  const outbound = createOutbound([origin]);
  const read = createNotesReader({
    baseURL: origin,
    secret: async () => server.token,
    routeTo: (url) => outbound.check('url', url.replace('/any/evidence.git', '/evidence.git')),
    credentialsOf: (token) => ({ user, token }),
    limits,
  });
  return read({ installationId: '', owner: 'any', name: 'evidence' }, shas);
};

const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
const addCommit = async () => {
  const tree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
  return (await server.git(...identity, 'commit-tree', tree, '-m', randomBytes(8).toString('hex'))).trim();
};
const note = (commit: string, text: string) =>
  server.git(...identity, ...['notes', '--ref', 'ai', 'add', '--force', '-m', text, commit]);
const countRequests = async (work: () => Promise<unknown>) => {
  const before = server.requests();
  await work();
  return server.requests() - before;
};

test('fetches notes again only after they changed, and keeps no credential', async () => {
  const [one, two] = [await addCommit(), await addCommit()];
  await note(one, 'one');
  const first = await countRequests(() => readNotes([one, two]));
  expect(await readNotes([one, two])).toEqual(new Map([[one, 'one\n']]));
  const unchanged = await countRequests(() => readNotes([two]));
  await note(two, 'two');
  const changed = await countRequests(() => readNotes([two]));
  expect(changed).toBe(first);
  expect(unchanged).toBeLessThan(first);
  expect(await readNotes([two, one])).toEqual(
    new Map([
      [two, 'two\n'],
      [one, 'one\n'],
    ]),
  );
  await server.git('update-ref', '-d', 'refs/notes/ai');
  expect(await readNotes([one, two])).toEqual(new Map());

  const [folder = '', ...others] = await readdir(temporaryFolder);
  expect(folder).toMatch(/^sightline-kept-/);
  expect(others).toEqual([]);
  const files = await readdir(join(temporaryFolder, folder), { recursive: true, withFileTypes: true });
  const contents = files.filter((file) => file.isFile()).map((file) => readFile(join(file.parentPath, file.name)));
  for (const content of await Promise.all(contents)) {
    expect(content.includes(server.token)).toBe(false);
    expect(content.includes(Buffer.from(`:${server.token}`).toString('base64').slice(4, -4))).toBe(false);
  }
});

test('finds notes in folders, as git writes them with many notes', async () => {
  const [one, two] = [await addCommit(), await addCommit()];
  await note(one, 'one');
  const blob = (await server.git('rev-parse', `refs/notes/ai:${one}`)).trim();
  const nested = `${two.slice(0, 2)}/${two.slice(2, 4)}/${two.slice(4)}`;
  await server.git('read-tree', 'refs/notes/ai');
  await server.git('update-index', '--add', '--cacheinfo', `100644,${blob},${nested}`);
  const tree = (await server.git('write-tree')).trim();
  const commit = (await server.git(...identity, 'commit-tree', tree, '-m', 'Notes')).trim();
  await server.git('update-ref', 'refs/notes/ai', commit);
  expect(await readNotes([one, two])).toEqual(
    new Map([
      [one, 'one\n'],
      [two, 'one\n'],
    ]),
  );
});

test('refuses notes above the size limit until they change, and then counts only the current ones', async () => {
  const one = await addCommit();
  const random = (bytes: number) => randomBytes(bytes).toString('base64url');
  const limits = { maxRepositoryBytes: 110 * 1024 };
  const lengthOfOne = async () => (await readNotes([one], limits)).get(one)?.length;
  await note(one, random(60 * 1024));
  expect(await lengthOfOne()).toBe(80 * 1024 + 1);
  // The previous version and this one are larger.
  await note(one, random(75 * 1024));
  expect(await lengthOfOne()).toBe(100 * 1024 + 1);
  const asked = await countRequests(lengthOfOne);
  const two = await addCommit();
  await note(two, random(75 * 1024));
  const tooLarge = { name: 'HostRefused', status: 413 };
  const first = await countRequests(() => expect(readNotes([one], limits)).rejects.toMatchObject(tooLarge));
  const second = await countRequests(() => expect(readNotes([one], limits)).rejects.toMatchObject(tooLarge));
  expect(first).toBeGreaterThan(asked);
  expect(second).toBe(asked);
  await server.git(...identity, 'notes', '--ref', 'ai', 'remove', two);
  expect(await lengthOfOne()).toBe(100 * 1024 + 1);
});

test('ends a fetch with all its processes at the time limit', async () => {
  const one = await addCommit();
  await note(one, 'one');
  let isClosed = false;
  void server.ignoreFetches().then(() => {
    isClosed = true;
  });
  const refused = expect(readNotes([one], { timeoutMs: 1_000 })).rejects.toMatchObject({ name: 'HostFailed' });
  // The process that downloads would wait 30 seconds for a byte, and the result for that process.
  await vi.waitFor(() => expect(isClosed).toBe(true), { timeout: 15_000 });
  await refused;
  const again = await countRequests(() => expect(readNotes([one])).rejects.toMatchObject({ name: 'HostFailed' }));
  expect(again).toBeGreaterThan(0);
});

test('stops reading an output above its limit', async () => {
  const one = await addCommit();
  await note(one, 'x'.repeat(100_000));
  const limits = { maxOutputBytes: 50_000 };
  await expect(readNotes([one], limits)).rejects.toMatchObject({ name: 'HostRefused', status: 413 });
});
