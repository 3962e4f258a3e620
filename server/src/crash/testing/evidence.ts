import pg from 'pg';
import { merkleRoot } from '#core/ledger.ts';

export interface StoredEventsReport {
  /** Acknowledged events that are not stored. */
  missing: string[];
  /** Events without an entry of the ledger. */
  unproven: string[];
  /** Entries of the ledger that do not match their events. */
  broken: string[];
  events: number;
}

/** Compares acknowledged events with the database. `databaseUrl` must see every row. */
export async function compareStoredEvents(
  databaseUrl: string,
  orgId: string,
  promised: ReadonlySet<string>,
): Promise<StoredEventsReport> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    // Both queries read the same snapshot.
    await client.query('begin isolation level repeatable read');
    const { rows: events } = await client.query<{ id: string; proof: string; leaf: Buffer }>(
      `select e.id, e.proof, e.leaf_hash as leaf from event e
       where e.org_id = $1 order by e.id`,
      [orgId],
    );
    const { rows: entries } = await client.query<{ id: string; entry: string }>(
      "select entry_id as id, entry from ledger_known where org_id = $1 and kind = 'event.batch'",
      [orgId],
    );
    const storedIds = new Set(events.map(({ id }) => id));
    const leaves = Map.groupBy(events, ({ proof }) => proof);
    const entryIds = new Set(entries.map(({ id }) => id));
    return {
      missing: [...promised].filter((id) => !storedIds.has(id)),
      unproven: events.filter(({ proof }) => !entryIds.has(proof)).map(({ id }) => id),
      broken: entries
        .filter(
          ({ id, entry }) =>
            !matchesRoot(
              entry,
              (leaves.get(id) ?? []).map(({ leaf }) => leaf),
            ),
        )
        .map(({ id }) => id),
      events: events.length,
    };
  } finally {
    await client.end();
  }
}

function matchesRoot(entry: string, leaves: Buffer[]): boolean {
  const { subject } = JSON.parse(entry) as { subject: { count: number; root: string } };
  return subject.count === leaves.length && merkleRoot(leaves).toString('base64url') === subject.root;
}
