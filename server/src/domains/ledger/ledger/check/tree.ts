import { openCheckpoint } from '@sightline/evidence/ledger/checkpoint.ts';
import { parseEntry } from '@sightline/evidence/ledger/entry.ts';
import type { Verifier } from '@sightline/evidence/ledger/note.ts';
import {
  appendLeaves,
  type ReadTile,
  rootAt,
  type Tile,
  tileKey,
  tilePath,
  tileWidth,
} from '@sightline/evidence/ledger/tiles.ts';
import { hashSize } from '@sightline/evidence/ledger/tree.ts';
import { leafHash } from '#core/ledger.ts';
import type { Database, Tx } from '#database/database.ts';
import { verifiersOf } from '../keys.ts';
import type { ReportProblem } from './problem.ts';

/** The log of one epoch, as its head names it at the beginning of the check; what is added meanwhile is not looked at. */
export interface Log {
  epoch: number;
  origin: string;
  size: number;
  root: Buffer;
}

const page = 4096;

interface Leaf extends Record<string, unknown> {
  at: number;
  hash: Buffer;
  id: string;
  kind: string;
  entry: string;
}

/**
 * Makes the tree anew from the texts of the entries, in the memory of two pages, and holds it against the tiles, the head and every
 * checkpoint. Signatures are checked of checkpoints larger than `signedFrom`: each takes a millisecond.
 */
export async function checkTree(
  database: Database,
  orgId: string,
  { log, signedFrom, report }: { log: Log; signedFrom: number; report: ReportProblem },
): Promise<void> {
  const { epoch } = log;
  const edge = new Map<string, Uint8Array>();
  const read: ReadTile = async (place) => edge.get(tileKey(place));
  const keys = await database.withOrg(orgId, (tx) => verifiersOf(tx, orgId, epoch));
  for await (const entries of pagesOf(database, orgId, log)) {
    const { from, to } = entries;
    const grown = appendLeaves(from, edge, leavesOf(orgId, epoch, entries, report));
    await database.withOrg(orgId, async (tx) => {
      await compareTiles(tx, orgId, { epoch, made: [...grown.values()], report });
      for (const [key, { hashes }] of grown) edge.set(key, hashes);
      await compareCheckpoints(tx, orgId, { log, stretch: { from, to, read, keys, signedFrom }, report });
      // The tile above has the hash of one that is full.
      for (const [key, hashes] of edge) if (hashes.length === tileWidth * hashSize) edge.delete(key);
    });
  }
  if (!log.root.equals(await rootAt(read, log.size))) {
    report({
      what: 'head',
      epoch,
      index: log.size,
      says: `the head does not match the root of its ${log.size} leaves`,
    });
  }
}

interface Page {
  from: number;
  to: number;
  rows: readonly Leaf[];
}

/** The entries of a log: a page is read while the one before is looked at. */
async function* pagesOf(database: Database, orgId: string, { epoch, size }: Log): AsyncGenerator<Page> {
  const read = (from: number) => {
    const rows = database.withOrg(orgId, (tx) =>
      tx.query<Leaf>({
        name: 'ledger.check-leaves',
        text: `select leaf_index as at, leaf_hash as hash, entry_id as id, kind, entry from ledger_entry
               where org_id = $1 and epoch = $2 and leaf_index >= $3 and leaf_index < $4 order by leaf_index`,
        values: [orgId, epoch, from, Math.min(from + page, size)],
      }),
    );
    // Whoever waits for the page hears of it; nobody does where the page before has failed.
    rows.catch(() => undefined);
    return rows;
  };
  let next = read(0);
  for (let from = 0; from < size; from += page) {
    const rows = await next;
    if (from + page < size) next = read(from + page);
    yield { from, to: Math.min(from + page, size), rows };
  }
}

/** The hashes of the texts; of one that is missing a hash that no text has. */
function leavesOf(orgId: string, epoch: number, { from, to, rows }: Page, report: ReportProblem): Buffer[] {
  const byPlace = new Map(rows.map((row) => [row.at, row]));
  const leaves: Buffer[] = [];
  for (let index = from; index < to; index += 1) {
    const row = byPlace.get(index);
    // Of a leaf that is missing nothing can be made; of one that was changed, what it is now.
    const leaf = row === undefined ? Buffer.alloc(hashSize) : leafHash(row.entry);
    const wrong = row === undefined ? 'is missing' : wrongWith(row, leaf, orgId);
    if (wrong !== undefined) report({ what: 'entry', epoch, index, says: `entry ${index} ${wrong}` });
    leaves.push(leaf);
  }
  return leaves;
}

function wrongWith({ hash, id, kind, entry }: Leaf, made: Buffer, orgId: string): string | undefined {
  if (!made.equals(hash)) return `(${id}) does not match its hash`;
  try {
    const said = parseEntry(entry);
    if (said.id !== id || said.kind !== kind || said.org !== orgId) return `(${id}) has a different ID or kind`;
  } catch (error) {
    return `(${id}) is invalid: ${(error as Error).message}`;
  }
  return undefined;
}

async function compareTiles(
  tx: Tx,
  orgId: string,
  { epoch, made, report }: { epoch: number; made: readonly Tile[]; report: ReportProblem },
): Promise<void> {
  const rows = await tx.query<{ level: number; n: number; hashes: Buffer }>({
    name: 'ledger.check-tiles',
    text: `select t.level, t.n, t.hashes from unnest($3::smallint[], $4::bigint[]) as p(level, n)
           join ledger_tile t on t.org_id = $1 and t.epoch = $2 and t.level = p.level and t.n = p.n`,
    values: [orgId, epoch, made.map(({ level }) => level), made.map(({ n }) => n)],
  });
  const stored = new Map(rows.map((row) => [tileKey(row), row.hashes]));
  for (const tile of made) {
    const first = firstDifference(tile.hashes, stored.get(tileKey(tile)));
    if (first === undefined) continue;
    const index = (tile.n * tileWidth + first) * tileWidth ** tile.level;
    const says = stored.has(tileKey(tile)) ? 'does not match the entries' : 'is missing';
    report({ what: 'tile', epoch, index, says: `${tilePath(tile)} ${says}, from leaf ${index} on` });
  }
}

/** The number of the first hash that is another one; a tile may have grown meanwhile. */
function firstDifference(made: Uint8Array, stored: Buffer | undefined): number | undefined {
  if (stored === undefined) return 0;
  for (let at = 0; at < made.length; at += hashSize) {
    if (!stored.subarray(at, at + hashSize).equals(made.subarray(at, at + hashSize))) return at / hashSize;
  }
  return undefined;
}

interface Stretch {
  from: number;
  to: number;
  /** Of the tiles that its entries make. */
  read: ReadTile;
  keys: readonly Verifier[];
  signedFrom: number;
}

/** Looks at what was signed of the tree at each size of the stretch. */
async function compareCheckpoints(
  tx: Tx,
  orgId: string,
  {
    log: { epoch, origin },
    stretch: { from, to, read, keys, signedFrom },
    report,
  }: { log: Log; stretch: Stretch; report: ReportProblem },
): Promise<void> {
  const rows = await tx.query<{ size: number; root: Buffer; note: string }>({
    name: 'ledger.check-checkpoints',
    text: `select size, root, note from ledger_checkpoint
           where org_id = $1 and epoch = $2 and size > $3 and size <= $4 order by size`,
    values: [orgId, epoch, from, to],
  });
  for (const { size, root, note } of rows) {
    const tell = (says: string) =>
      report({ what: 'checkpoint', epoch, index: size, says: `the checkpoint of ${size} leaves ${says}` });
    if (!root.equals(await rootAt(read, size))) tell('does not match the root of these leaves');
    if (size <= signedFrom) continue;
    try {
      const said = openCheckpoint(note, origin, keys);
      if (said.size !== size || !root.equals(said.root)) tell('is not the signed one');
    } catch (error) {
      tell(`cannot be read: ${(error as Error).message}`);
    }
  }
}
