import { readFile, stat } from 'node:fs/promises';

const mostBytes = 256 * 1024;

/** The object in a file; empty without the file. Throws for any other content, and above the limit of bytes. */
export async function readObject(
  path: string,
  parse: (text: string) => Record<string, unknown>,
  limit = mostBytes,
): Promise<Record<string, unknown>> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error;
  });
  if (!found) return {};
  if (found.size > limit) throw new Error('The file is too large');
  return parse(await readFile(path, 'utf8'));
}

const textOrComment = /"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;
const textOrTrailingComma = /"(?:[^"\\\n]|\\.)*"|,(?=\s*[}\]])/g;

/** Parses JSON with comments and trailing commas. Throws for anything else than an object. */
export function parseWithComments(text: string): Record<string, unknown> {
  const keepTexts = (found: string) => (found.startsWith('"') ? found : ' ');
  const plain = text
    .replace(/^\uFEFF/, '')
    .replace(textOrComment, keepTexts)
    .replace(textOrTrailingComma, keepTexts);
  if (plain.trim() === '') return {};
  const value: unknown = JSON.parse(plain);
  if (!isObject(value)) throw new Error('The file has no object');
  return value;
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
