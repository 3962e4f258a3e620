import { hash } from 'node:crypto';
import type { RawBuilder } from 'kysely';
import type pg from 'pg';
import type { Tx } from '#database/database.ts';

/** Runs a statement that comes in a few shapes and is asked often: PostgreSQL keeps the plan of each. */
export async function prepared<Row extends pg.QueryResultRow>(tx: Tx, statement: RawBuilder<Row>): Promise<Row[]> {
  const { sql: text, parameters } = statement.compile(tx.db);
  return tx.query<Row>({ name: `findings.${hash('md5', text)}`, text, values: [...parameters] });
}
