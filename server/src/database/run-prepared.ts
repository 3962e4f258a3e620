import { hash } from 'node:crypto';
import type { CompiledQuery, Kysely } from 'kysely';
import type pg from 'pg';
import type { Tables, Tx } from './database.ts';

/** A query or an SQL template of Kysely. */
export interface Preparable<Row> {
  compile: (db: Kysely<Tables>) => CompiledQuery<Row>;
}

/** Runs a frequent statement with few variants as a prepared statement, so that PostgreSQL caches the plan of each. */
export async function runPrepared<Row extends pg.QueryResultRow>(tx: Tx, statement: Preparable<Row>): Promise<Row[]> {
  const { sql: text, parameters } = statement.compile(tx.db);
  return tx.query<Row>({ name: `prepared.${hash('md5', text)}`, text, values: [...parameters] });
}
