import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The text of a file; undefined without a file. */
export async function readTextFile(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Replaces a file atomically: other windows and a crash leave either the old or the new text. */
export async function replaceText(path: string, text: string): Promise<void> {
  const next = `${path}.${randomUUID()}.new`;
  await writeSafely(next, text, 'w');
  await rename(next, path);
}

/** Appends to a file, and resolves once the text is durable. */
export const appendText = (path: string, text: string): Promise<void> => writeSafely(path, text, 'a');

/** Creates a file unless it exists, and returns its content. One of several windows wins. */
export async function createOrReadText(path: string, text: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  try {
    await writeFile(path, text, { flag: 'wx', mode: 0o600 });
    return text;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    return readFile(path, 'utf8');
  }
}

/** The value of a JSON text; undefined if invalid. */
export function parseJson(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);
export const isMissing = (error: unknown): boolean => codeOf(error) === 'ENOENT';

async function writeSafely(path: string, text: string, flag: 'w' | 'a') {
  await mkdir(dirname(path), { recursive: true });
  const file = await open(path, flag, 0o600);
  try {
    await file.writeFile(text);
    await file.datasync();
  } finally {
    await file.close();
  }
}
