import { hash } from 'node:crypto';
import type pg from 'pg';
import type { Tx } from './database.ts';
import { type Preparable, runPrepared } from './run-prepared.ts';

interface SharedResult {
  version: string;
  rows: Promise<readonly unknown[]>;
  /** Number of rows, 1 until it is known. */
  size: number;
}

const MAX_SHARED_ROWS = 50_000;
const MAX_ROWS_OF_RESULT = 5_000;

/** The least recently used first. */
const sharedResults = new Map<string, SharedResult>();
let sharedRows = 0;

/** What the rows of a statement are computed from. */
export interface SharedFacts {
  orgId: string;
  /**
   * Read in the same transaction, before the statement: changes with each transaction that changes the facts. Undefined
   * if the rows must not be shared, because the transaction itself has changed them.
   */
  version: string | undefined;
}

/**
 * Runs a statement once until facts of the organization change, and once for requests at the same time. The rows must
 * depend on these facts and on parameters only: names, which may change without them, are read each time. At most 50,000
 * rows are kept.
 */
export async function shareRows<Row extends pg.QueryResultRow>(
  tx: Tx,
  { orgId, version }: SharedFacts,
  statement: Preparable<Row>,
): Promise<readonly Row[]> {
  if (version === undefined) return runPrepared(tx, statement);
  const { sql: text, parameters } = statement.compile(tx.db);
  const key = `${orgId} ${hash('sha256', JSON.stringify([text, parameters]))}`;
  const known = sharedResults.get(key);
  if (known?.version === version) {
    sharedResults.delete(key);
    sharedResults.set(key, known);
    // If the other request failed, this one runs alone.
    return known.rows.catch(() => runPrepared(tx, statement)) as Promise<readonly Row[]>;
  }
  const rows = runPrepared(tx, statement);
  const result: SharedResult = { version, rows, size: 1 };
  remove(key);
  sharedResults.set(key, result);
  sharedRows += 1;
  try {
    keep(key, result, (await rows).length);
  } catch (error) {
    if (sharedResults.get(key) === result) remove(key);
    throw error;
  }
  return rows;
}

/** Keeps rows if they are few enough, and removes the least recently used ones beyond the limit. */
function keep(key: string, result: SharedResult, size: number): void {
  if (sharedResults.get(key) !== result) return;
  if (size > MAX_ROWS_OF_RESULT) {
    remove(key);
    return;
  }
  sharedRows += size;
  result.size += size;
  for (const oldest of sharedResults.keys()) {
    if (sharedRows <= MAX_SHARED_ROWS) return;
    remove(oldest);
  }
}

function remove(key: string): void {
  sharedRows -= sharedResults.get(key)?.size ?? 0;
  sharedResults.delete(key);
}
