import { hash } from 'node:crypto';
import type { RawBuilder } from 'kysely';
import type pg from 'pg';
import type { Tx } from '#database/database.ts';

/** Runs a frequent statement with few variants as a prepared statement, so that PostgreSQL caches the plan of each. */
export async function runPrepared<Row extends pg.QueryResultRow>(tx: Tx, statement: RawBuilder<Row>): Promise<Row[]> {
  const { sql: text, parameters } = statement.compile(tx.db);
  return tx.query<Row>({ name: `findings.${hash('md5', text)}`, text, values: [...parameters] });
}
