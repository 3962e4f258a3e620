import { readFile } from 'node:fs/promises';
import { Invalid } from '#core/errors.ts';

/** Reads a file that an argument names. `what`: the argument, for the error. */
export const bytesOf = async (what: string, path: string): Promise<Uint8Array> =>
  new Uint8Array(
    await readFile(path).catch(() => {
      throw Invalid(what, 'cannot be read. Check the path');
    }),
  );

/** Reads a token or key from a file that an argument names, without white space around it. */
export const secretFrom = async (what: string, path: string): Promise<string> =>
  Buffer.from(await bytesOf(what, path))
    .toString()
    .trim();
