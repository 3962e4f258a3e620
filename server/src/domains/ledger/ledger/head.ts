import { appendLeaves, edgeOf, type ReadTile, rootAt, tileKey } from '@sightline/evidence/ledger/tiles.ts';
import { emptyRoot } from '@sightline/evidence/ledger/tree.ts';
import type { LedgerEntry } from '#core/ledger.ts';
import type { Tx } from '#database/database.ts';

/** The current state of the log of an organization: epoch, and tree over all entries. */
export interface LogHead {
  epoch: number;
  origin: string;
  size: number;
  root: Buffer;
  /** The index after the last census. */
  censusFrom: number;
  signedSize: number;
  /** Seconds since the last signature; null without one, and for one in the future because the clock was set back. */
  signatureAge: number | null;
  /** The reason if the log is halted. */
  halted: string | null;
}

const columns = `epoch, origin, size, root, census_from as "censusFrom", signed_size as "signedSize",
  case when signed_at <= now() then extract(epoch from now() - signed_at)::float8 end as "signatureAge",
  halt_reason as halted`;

/** An inconsistency with the log, which must not be extended. */
export class LedgerContradiction extends Error {
  override readonly name = 'Contradiction';
}

/** The open log; undefined if the organization has none yet. */
export async function maybeHead(tx: Tx, orgId: string): Promise<LogHead | undefined> {
  const [head] = await tx.query<LogHead & Record<string, unknown>>({
    name: 'ledger.head',
    text: `select ${columns} from ledger_log where org_id = $1 and closed_at is null`,
    values: [orgId],
  });
  return head;
}

/** The open log, locked until the transaction ends. With `skip`, also undefined if another transaction locked it. */
export async function lockHead(tx: Tx, orgId: string, ifLocked: 'skip' | 'wait'): Promise<LogHead | undefined> {
  const [head] = await tx.query<LogHead & Record<string, unknown>>({
    name: `ledger.lock-${ifLocked}`,
    text: `select ${columns} from ledger_log where org_id = $1 and closed_at is null for update${ifLocked === 'skip' ? ' skip locked' : ''}`,
    values: [orgId],
  });
  return head;
}

/** Creates the log of an epoch; returns false if it exists already. */
export async function createEpochLog(tx: Tx, orgId: string, epoch: number, origin: string): Promise<boolean> {
  const rows = await tx.query({
    name: 'ledger.create',
    text: `insert into ledger_log (org_id, epoch, origin, root) values ($1, $2, $3, $4) on conflict do nothing returning epoch`,
    values: [orgId, epoch, origin, Buffer.from(emptyRoot())],
  });
  return rows.length > 0;
}

/** Reads tiles of an epoch, each only once. */
export function tileReaderOf(tx: Tx, orgId: string, epoch: number): ReadTile {
  const known = new Map<string, Promise<Buffer | undefined>>();
  return (place) => {
    const key = tileKey(place);
    const found = known.get(key) ?? readTile(tx, orgId, { epoch, level: place.level, n: place.n });
    known.set(key, found);
    return found;
  };
}

async function readTile(
  tx: Tx,
  orgId: string,
  { epoch, level, n }: { epoch: number; level: number; n: number },
): Promise<Buffer | undefined> {
  const [row] = await tx.query<{ hashes: Buffer }>({
    name: 'ledger.tile',
    text: 'select hashes from ledger_tile where org_id = $1 and epoch = $2 and level = $3 and n = $4',
    values: [orgId, epoch, level, n],
  });
  return row?.hashes;
}

/**
 * Appends leaves to the locked head; their entries must already be in `ledger_entry`. Throws a `Contradiction` if the
 * tiles do not match the root of the head.
 */
export async function extendLog(tx: Tx, orgId: string, head: LogHead, leaves: readonly Buffer[]): Promise<LogHead> {
  const edge = await readEdge(tx, orgId, head);
  const before = await rootAt(async (place) => edge.get(tileKey(place)), head.size).catch(() => undefined);
  if (before === undefined || !head.root.equals(before)) {
    throw new LedgerContradiction(`The tiles do not match the root of the ${head.size} leaves of the head`);
  }
  const grown = appendLeaves(head.size, edge, leaves);
  const size = head.size + leaves.length;
  const root = Buffer.from(
    await rootAt(async (place) => grown.get(tileKey(place))?.hashes ?? edge.get(tileKey(place)), size),
  );
  const tiles = [...grown.values()];
  await tx.query({
    name: 'ledger.tiles',
    text: `insert into ledger_tile (org_id, epoch, level, n, hashes)
           select $1, $2, t.level, t.n, t.hashes from unnest($3::smallint[], $4::bigint[], $5::bytea[]) as t(level, n, hashes)
           on conflict (org_id, epoch, level, n) do update set hashes = excluded.hashes`,
    values: [
      orgId,
      head.epoch,
      tiles.map(({ level }) => level),
      tiles.map(({ n }) => n),
      tiles.map(({ hashes }) => Buffer.from(hashes)),
    ],
  });
  const updated = await tx.query({
    name: 'ledger.advance',
    text: 'update ledger_log set size = $3, root = $4 where org_id = $1 and epoch = $2 and size = $5 returning size',
    values: [orgId, head.epoch, size, root, head.size],
  });
  if (updated.length !== 1) throw new Error('The head of the ledger changed while it was locked');
  return { ...head, size, root };
}

async function readEdge(tx: Tx, orgId: string, { epoch, size }: LogHead): Promise<Map<string, Buffer>> {
  const places = edgeOf(size);
  const rows = await tx.query<{ level: number; n: number; hashes: Buffer }>({
    name: 'ledger.edge',
    text: `select t.level, t.n, t.hashes from unnest($3::smallint[], $4::bigint[]) as p(level, n)
           join ledger_tile t on t.org_id = $1 and t.epoch = $2 and t.level = p.level and t.n = p.n`,
    values: [orgId, epoch, places.map(({ level }) => level), places.map(({ n }) => n)],
  });
  return new Map(rows.map((row) => [tileKey(row), row.hashes]));
}

/** Appends an entry of the ledger about itself directly, without the queue. */
export async function appendWithoutQueue(tx: Tx, orgId: string, head: LogHead, entry: LedgerEntry): Promise<LogHead> {
  await tx.query({
    name: 'ledger.own',
    text: `insert into ledger_entry (org_id, epoch, leaf_index, leaf_hash, entry_id, kind, packed)
           values ($1, $2, $3, $4, $5, $6, pack_entry($1, $5, $6, $7))`,
    values: [orgId, head.epoch, head.size, entry.leafHash, entry.id, entry.kind, entry.text],
  });
  return extendLog(tx, orgId, head, [entry.leafHash]);
}
