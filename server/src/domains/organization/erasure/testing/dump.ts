import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { superuserUrl, type TestServer } from '#testing/server.ts';
import { eachRow, filesIn } from '#testing/stored-data.ts';

interface TraceLocation {
  where: string;
  value: string;
  form: string;
}

/**
 * Finds these values in all rows of the database, in a dump if pg_dump is available, and in the data files: in any
 * case, and as base64, hex and SHA-256.
 */
export async function findTraces(
  server: TestServer,
  values: Readonly<Record<string, Buffer | string>>,
): Promise<TraceLocation[]> {
  const search = createTraceFinder(values);
  const found: TraceLocation[] = [];
  const searchIn = (where: string, text: string) => found.push(...search(text).map((one) => ({ where, ...one })));
  await eachRow(superuserUrl(server.databaseUrl), searchIn);
  searchIn('pg_dump', (await dumpOf(superuserUrl(server.databaseUrl))) ?? '');
  for (const path of await filesIn(server.config.dataDir)) searchIn(path, (await readFile(path)).toString('latin1'));
  return found;
}

/** Returns a function that finds these values in a text, with the encoding of each match. */
export function createTraceFinder(
  values: Readonly<Record<string, Buffer | string>>,
): (text: string) => { value: string; form: string }[] {
  const forms = Object.entries(values).flatMap(([value, given]) => {
    const bytes = Buffer.from(given as string);
    const hash = createHash('sha256').update(bytes).digest();
    const lowerCaseHash = createHash('sha256').update(bytes.toString().toLowerCase()).digest();
    return [
      ...(typeof given === 'string' ? [{ form: 'itself', text: given.toLowerCase() }] : []),
      ...['base64', 'base64url', 'hex'].flatMap((form) => [
        { form, text: bytes.toString(form as BufferEncoding).replace(/=+$/, '') },
        { form: `sha-256 in ${form}`, text: hash.toString(form as BufferEncoding).replace(/=+$/, '') },
        {
          form: `sha-256 of small letters in ${form}`,
          text: lowerCaseHash.toString(form as BufferEncoding).replace(/=+$/, ''),
        },
      ]),
    ].map(({ form, text }) => ({ value, form, text, exact: form !== 'itself' }));
  });
  return (text) => {
    const lowerCaseText = text.toLowerCase();
    return forms.flatMap(({ value, form, text: needle, exact }) =>
      (exact ? text : lowerCaseText).includes(needle) ? [{ value, form }] : [],
    );
  };
}

/** The output of pg_dump; undefined if pg_dump is missing or older than the database. */
async function dumpOf(url: string): Promise<string | undefined> {
  try {
    return (await promisify(execFile)('pg_dump', ['--dbname', url], { maxBuffer: 1 << 30 })).stdout;
  } catch (error) {
    if (/ENOENT|server version mismatch/.test(String(error))) return undefined;
    throw error;
  }
}
