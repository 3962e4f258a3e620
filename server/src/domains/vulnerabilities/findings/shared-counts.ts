import { hash } from 'node:crypto';
import type { RawBuilder } from 'kysely';
import type pg from 'pg';
import type { Tx } from '#database/database.ts';
import { runPrepared } from './run-prepared.ts';

interface SharedCount {
  version: string;
  rows: Promise<readonly unknown[]>;
  /** Number of rows, 1 until it is known. */
  size: number;
}

const MAX_SHARED_ROWS = 50_000;
const MAX_ROWS_OF_COUNT = 5_000;

/** The least recently used first. */
const sharedCounts = new Map<string, SharedCount>();
let sharedRows = 0;

/**
 * Counts findings that have no stored counts: once until findings or labels of the organization change, and once for
 * requests at the same time. The result must depend on findings, labels and parameters only; names may change without
 * them.
 */
export async function countShared<Row extends pg.QueryResultRow>(
  tx: Tx,
  orgId: string,
  statement: RawBuilder<Row>,
): Promise<readonly Row[]> {
  const [current] = await tx.query<{ version: string }>({
    name: 'findings.version',
    // None in a transaction that has changed findings: its counts are not those of others.
    text: `select version from finding_version where org_id = $1
             and coalesce(current_setting('sightline.finding_version', true), '') = ''`,
    values: [orgId],
  });
  if (!current) return runPrepared(tx, statement);
  const { sql: text, parameters } = statement.compile(tx.db);
  const key = `${orgId} ${hash('sha256', JSON.stringify([text, parameters]))}`;
  const known = sharedCounts.get(key);
  if (known?.version === current.version) {
    sharedCounts.delete(key);
    sharedCounts.set(key, known);
    // If the other request failed, this one counts alone.
    return known.rows.catch(() => runPrepared(tx, statement)) as Promise<readonly Row[]>;
  }
  const rows = runPrepared(tx, statement);
  const count: SharedCount = { version: current.version, rows, size: 1 };
  remove(key);
  sharedCounts.set(key, count);
  sharedRows += 1;
  try {
    keep(key, count, (await rows).length);
  } catch (error) {
    if (sharedCounts.get(key) === count) remove(key);
    throw error;
  }
  return rows;
}

/** Keeps a count if it is small enough, and removes the least recently used ones beyond the limit. */
function keep(key: string, count: SharedCount, size: number): void {
  if (sharedCounts.get(key) !== count) return;
  if (size > MAX_ROWS_OF_COUNT) {
    remove(key);
    return;
  }
  sharedRows += size;
  count.size += size;
  for (const oldest of sharedCounts.keys()) {
    if (sharedRows <= MAX_SHARED_ROWS) return;
    remove(oldest);
  }
}

function remove(key: string): void {
  sharedRows -= sharedCounts.get(key)?.size ?? 0;
  sharedCounts.delete(key);
}
