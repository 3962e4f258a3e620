import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';

const folder = new URL('../database/migrations/', import.meta.url);

export interface SchemaState {
  applied: string[];
  /** Not applied yet, in their order. */
  missing: string[];
  /** Applied, and changed since then. */
  changed: string[];
  /** Applied by a newer release. */
  unknown: string[];
}

/** Compares the migrations of this release with the applied ones. Changes nothing. */
export async function readSchemaState(ownerUrl: string): Promise<SchemaState> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  const done = await withClient(ownerUrl, readDone);
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, folder))));
  const sums = new Map(
    names.map((name, index) => [
      name,
      createHash('sha256')
        .update(texts[index] ?? '')
        .digest('hex'),
    ]),
  );
  return {
    applied: names.filter((name) => done.has(name)),
    missing: names.filter((name) => !done.has(name)),
    changed: names.filter((name) => done.has(name) && done.get(name) !== sums.get(name)),
    unknown: [...done.keys()].filter((name) => !sums.has(name)),
  };
}

/** Runs `work` with one connection. `types` replaces the parsers of columns. */
export async function withClient<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
  types?: pg.CustomTypesConfig,
): Promise<Result> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000, ...(types && { types }) });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function readDone(client: pg.Client): Promise<Map<string, string>> {
  const { rows: tables } = await client.query<{ name: string | null }>("select to_regclass('migration')::text as name");
  if (tables[0]?.name === null) return new Map();
  const { rows } = await client.query<{ name: string; sha256: string }>('select name, sha256 from migration');
  return new Map(rows.map((row) => [row.name, row.sha256]));
}
