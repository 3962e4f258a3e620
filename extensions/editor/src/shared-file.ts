import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A file's text; undefined where there is none. */
export async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Puts a new text in a file's place: other windows see the old one or the new one, and a crash leaves one of them. */
export async function replaceText(path: string, text: string): Promise<void> {
  const next = `${path}.${randomUUID()}.new`;
  await writeSafely(next, text, 'w');
  await rename(next, path);
}

/** Adds to a file's end, and resolves once it would survive a crash. */
export const appendText = (path: string, text: string): Promise<void> => writeSafely(path, text, 'a');

/** Writes a file unless there is one; answers what it holds then. Of several windows one wins. */
export async function claimText(path: string, text: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  try {
    await writeFile(path, text, { flag: 'wx', mode: 0o600 });
    return text;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    return readFile(path, 'utf8');
  }
}

/** What a JSON text holds; undefined where it is none. */
export function parsed(text: string | undefined): unknown {
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
