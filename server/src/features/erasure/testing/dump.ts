import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { asSuperuser, type TestServer } from '#testing/server.ts';

interface Place {
  where: string;
  value: string;
  form: string;
}

/**
 * Where these values stand in the database, every row of every table looked at as a dump writes it, and in the files beside it: as they
 * are in whatever case, and as base64, hex and SHA-256.
 */
export async function tracesOf(
  server: TestServer,
  values: Readonly<Record<string, Buffer | string>>,
): Promise<Place[]> {
  const forms = Object.entries(values).flatMap(([value, given]) => {
    const bytes = Buffer.from(given as string);
    const hash = createHash('sha256').update(bytes).digest();
    const small = createHash('sha256').update(bytes.toString().toLowerCase()).digest();
    return [
      ...(typeof given === 'string' ? [{ form: 'itself', text: given.toLowerCase() }] : []),
      ...['base64', 'base64url', 'hex'].flatMap((form) => [
        { form, text: bytes.toString(form as BufferEncoding).replace(/=+$/, '') },
        { form: `sha-256 in ${form}`, text: hash.toString(form as BufferEncoding).replace(/=+$/, '') },
        {
          form: `sha-256 of small letters in ${form}`,
          text: small.toString(form as BufferEncoding).replace(/=+$/, ''),
        },
      ]),
    ].map(({ form, text }) => ({ value, form, text, exact: form !== 'itself' }));
  });
  const found: Place[] = [];
  const look = (where: string, text: string) => {
    const small = text.toLowerCase();
    for (const { value, form, text: wanted, exact } of forms) {
      if ((exact ? text : small).includes(wanted)) found.push({ where, value, form });
    }
  };
  await eachRow(server, look);
  for (const path of await filesIn(server.config.dataDir)) look(path, (await readFile(path)).toString('latin1'));
  return found;
}

async function eachRow(server: TestServer, look: (where: string, text: string) => void): Promise<void> {
  const client = new pg.Client({ connectionString: asSuperuser(server.databaseUrl) });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(`
      select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`);
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: string }>(`select t::text as row from ${name} t`);
      for (const { row } of rows) look(name, row);
    }
  } finally {
    await client.end();
  }
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}
