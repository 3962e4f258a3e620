import { open, stat } from 'node:fs/promises';
import { type LocalCommit, madeIn } from './reflog.ts';

/** Most that is read at once: a log that grew by more was put in place by something else. */
const mostBytes = 1_000_000;

/** Reads what git added to its log of HEAD since the last look. The first look is where it begins. */
export function createHeadLog(path: string): { look: () => Promise<LocalCommit[]> } {
  let seen: number | undefined;
  let last: Promise<LocalCommit[]> = Promise.resolve([]);

  async function read(): Promise<LocalCommit[]> {
    const size = await sizeOf(path);
    const from = seen ?? size;
    seen = size;
    // Shorter: git has tidied up, and what is left was seen.
    if (size <= from || size - from > mostBytes) return [];
    const text = await part(path, from, size - from);
    const whole = text.lastIndexOf('\n') + 1;
    // The rest of a line that is being written is read at the next look.
    seen = from + Buffer.byteLength(text.slice(0, whole));
    return madeIn(text.slice(0, whole));
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
    // A repository without a commit has no log yet.
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
