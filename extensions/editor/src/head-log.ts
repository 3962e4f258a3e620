import { open, stat } from 'node:fs/promises';
import { type LocalCommit, localCommitsInLog } from './reflog.ts';

/** Maximum number of bytes per read. A log that grew by more was replaced. */
const mostBytes = 1_000_000;

/** Reads lines that git appended to the reflog of HEAD since the last call, starting with the first call. */
export function createHeadLog(path: string): { look: () => Promise<LocalCommit[]> } {
  let seen: number | undefined;
  let last: Promise<LocalCommit[]> = Promise.resolve([]);

  async function read(): Promise<LocalCommit[]> {
    const size = await sizeOf(path);
    const from = seen ?? size;
    seen = size;
    // Shorter: git pruned the log, and the remaining lines were already read.
    if (size <= from || size - from > mostBytes) return [];
    const text = await part(path, from, size - from);
    const completeLength = text.lastIndexOf('\n') + 1;
    // An incomplete line is read by the next call.
    seen = from + Buffer.byteLength(text.slice(0, completeLength));
    return localCommitsInLog(text.slice(0, completeLength));
  }

  return {
    look: () => {
      last = last.then(read, read);
      return last;
    },
  };
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch {
    // A repository without commits has no log yet.
    return 0;
  }
}

async function part(path: string, position: number, length: number): Promise<string> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(length), position });
    return buffer.subarray(0, bytesRead).toString('utf8');
  } finally {
    await file.close();
  }
}
