import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A temporary folder for a repository, which is kept for the next reader of the same key. */
export interface KeptRepository {
  /** Deletes the content and forgets the commit. */
  clear: () => Promise<void>;
  folder: string;
  /** The commit that the folder contains. */
  commit: string | undefined;
  /** A commit that could not be fetched, why, and until when it is not tried again, in milliseconds since 1970. */
  refused: { commit: string; error: Error; until: number } | undefined;
}

interface Entry {
  repository: Promise<KeptRepository>;
  /** Readers that use the folder or wait for it. */
  users: number;
  last: Promise<unknown>;
  expiry: NodeJS.Timeout | undefined;
}

/** Limits of what is kept by this process. */
const MAX_KEPT = 8;
const UNUSED_MS = 10 * 60_000;

const prefix = 'sightline-kept-';
const entries = new Map<string, Entry>();
const folders = new Set<string>();
/** Whether the folders are removed when this process ends. */
let endsWithProcess = false;

/** Calls `work` with the folder of a key, one call at a time for each key. */
export async function withKeptRepository<Result>(
  key: string,
  work: (repository: KeptRepository) => Promise<Result>,
): Promise<Result> {
  const entry = entries.get(key) ?? createEntry(key);
  // The least recently used is first.
  entries.delete(key);
  entries.set(key, entry);
  entry.users += 1;
  clearTimeout(entry.expiry);
  const done = entry.last.then(async () => {
    const repository = await entry.repository;
    // A system may delete temporary files.
    if ((await mkdir(repository.folder, { recursive: true, mode: 0o700 })) !== undefined) repository.commit = undefined;
    const now = new Date();
    await utimes(repository.folder, now, now);
    return work(repository);
  });
  entry.last = done.catch(() => undefined);
  try {
    return await done;
  } finally {
    entry.users -= 1;
    if (entry.users === 0) {
      entry.expiry = setTimeout(() => void drop(key, entry), UNUSED_MS).unref();
      await dropLeastRecent();
    }
  }
}

function createEntry(key: string): Entry {
  const repository = createRepository();
  repository.catch(() => entries.delete(key));
  return { repository, users: 0, last: Promise.resolve(), expiry: undefined };
}

async function createRepository(): Promise<KeptRepository> {
  if (!endsWithProcess) {
    endsWithProcess = true;
    process.once('exit', () => {
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    });
  }
  await removeAbandoned();
  const repository: KeptRepository = {
    folder: await mkdtemp(join(tmpdir(), prefix)),
    commit: undefined,
    refused: undefined,
    clear: async () => {
      repository.commit = undefined;
      const names = await readdir(repository.folder);
      await Promise.all(names.map((name) => rm(join(repository.folder, name), { recursive: true, force: true })));
    },
  };
  folders.add(repository.folder);
  return repository;
}

/** Removes folders of processes that were killed. Those of other processes are used or removed by them before. */
async function removeAbandoned(): Promise<void> {
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(prefix));
  for (const name of names) {
    const folder = join(tmpdir(), name);
    const found = await stat(folder).catch(() => undefined);
    if (found && found.mtimeMs < Date.now() - 6 * UNUSED_MS) await rm(folder, { recursive: true, force: true });
  }
}

async function dropLeastRecent(): Promise<void> {
  for (const [key, entry] of entries) {
    if (entries.size <= MAX_KEPT) return;
    if (entry.users === 0) await drop(key, entry);
  }
}

async function drop(key: string, entry: Entry): Promise<void> {
  if (entry.users > 0 || entries.get(key) !== entry) return;
  entries.delete(key);
  clearTimeout(entry.expiry);
  const repository = await entry.repository.catch(() => undefined);
  if (!repository) return;
  await rm(repository.folder, { recursive: true, force: true });
  folders.delete(repository.folder);
}
