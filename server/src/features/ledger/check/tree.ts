import { openCheckpoint } from '@sightline/evidence/ledger/checkpoint.ts';
import { parseEntry } from '@sightline/evidence/ledger/entry.ts';
import type { Verifier } from '@sightline/evidence/ledger/note.ts';
import { grow, keyOf, type Tile, tilePath, tileWidth } from '@sightline/evidence/ledger/tiles.ts';
import { type Growing, growing, hashSize } from '@sightline/evidence/ledger/tree.ts';
import { leafHash } from '#core/ledger.ts';
import type { Database, Tx } from '#database/database.ts';
import { verifiersOf } from '../keys.ts';
import type { Report } from './problem.ts';

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
 * Makes the tree anew from the texts of the entries, in the memory of a page, and holds it against the tiles, the head and every
 * checkpoint. Signatures are checked of checkpoints larger than `signedFrom`: each takes a millisecond.
 */
export async function checkTree(
  database: Database,
  orgId: string,
  log: Log,
  signedFrom: number,
  report: Report,
): Promise<void> {
  const { epoch } = log;
  const tree = growing();
  const edge = new Map<string, Uint8Array>();
  const keys = await database.withOrg(orgId, (tx) => verifiersOf(tx, orgId, epoch));
  for (let from = 0; from < log.size; from += page) {
    const to = Math.min(from + page, log.size);
    await database.withOrg(orgId, async (tx) => {
      const leaves = await readLeaves(tx, orgId, epoch, from, to, report);
      const grown = grow(from, edge, leaves);
      await compareTiles(tx, orgId, epoch, [...grown.values()], report);
      for (const [key, { hashes }] of grown) edge.set(key, hashes);
      for (const key of [...edge.keys()]) if (edge.get(key)?.length === tileWidth * hashSize) edge.delete(key);
      await compareCheckpoints(tx, orgId, log, { from, to, tree, leaves, keys, signedFrom }, report);
    });
  }
  if (!log.root.equals(tree.root())) {
    report({ what: 'head', epoch, index: log.size, says: `the head does not name the root of its ${log.size} leaves` });
  }
}

/** The hashes of the texts, of one that is missing the hash that the tiles hold it to have. */
async function readLeaves(
  tx: Tx,
  orgId: string,
  epoch: number,
  from: number,
  to: number,
  report: Report,
): Promise<Buffer[]> {
  const rows = await tx.query<Leaf>({
    name: 'ledger.check-leaves',
    text: `select leaf_index as at, leaf_hash as hash, entry_id as id, kind, entry from ledger_entry
           where org_id = $1 and epoch = $2 and leaf_index >= $3 and leaf_index < $4 order by leaf_index`,
    values: [orgId, epoch, from, to],
  });
  const byPlace = new Map(rows.map((row) => [row.at, row]));
  const leaves: Buffer[] = [];
  for (let index = from; index < to; index += 1) {
    const row = byPlace.get(index);
    const wrong = row === undefined ? 'is missing' : wrongWith(row, orgId);
    if (wrong !== undefined) report({ what: 'entry', epoch, index, says: `entry ${index} ${wrong}` });
    // Of a leaf that is missing nothing can be made; of one that was changed, what it is now.
    leaves.push(row === undefined ? Buffer.alloc(hashSize) : leafHash(row.entry));
  }
  return leaves;
}

function wrongWith({ hash, id, kind, entry }: Leaf, orgId: string): string | undefined {
  if (!leafHash(entry).equals(hash)) return `(${id}) is not the text its hash was made of`;
  try {
    const said = parseEntry(entry);
    if (said.id !== id || said.kind !== kind || said.org !== orgId) return `(${id}) stands under another id or kind`;
  } catch (error) {
    return `(${id}) is none: ${(error as Error).message}`;
  }
  return undefined;
}

async function compareTiles(
  tx: Tx,
  orgId: string,
  epoch: number,
  made: readonly Tile[],
  report: Report,
): Promise<void> {
  const rows = await tx.query<{ level: number; n: number; hashes: Buffer }>({
    name: 'ledger.check-tiles',
    text: `select t.level, t.n, t.hashes from unnest($3::smallint[], $4::bigint[]) as p(level, n)
           join ledger_tile t on t.org_id = $1 and t.epoch = $2 and t.level = p.level and t.n = p.n`,
    values: [orgId, epoch, made.map(({ level }) => level), made.map(({ n }) => n)],
  });
  const stored = new Map(rows.map((row) => [keyOf(row), row.hashes]));
  for (const tile of made) {
    const first = firstDifference(tile.hashes, stored.get(keyOf(tile)));
    if (first === undefined) continue;
    const index = (tile.n * tileWidth + first) * tileWidth ** tile.level;
    const says = stored.has(keyOf(tile)) ? 'does not hold what the entries make' : 'is missing';
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
  tree: Growing;
  leaves: readonly Buffer[];
  keys: readonly Verifier[];
  signedFrom: number;
}

/** Adds the leaves of the stretch to the tree, and looks at what was signed of it at each size. */
async function compareCheckpoints(
  tx: Tx,
  orgId: string,
  { epoch, origin }: Log,
  { from, to, tree, leaves, keys, signedFrom }: Stretch,
  report: Report,
): Promise<void> {
  const rows = await tx.query<{ size: number; root: Buffer; note: string }>({
    name: 'ledger.check-checkpoints',
    text: `select size, root, note from ledger_checkpoint
           where org_id = $1 and epoch = $2 and size > $3 and size <= $4 order by size`,
    values: [orgId, epoch, from, to],
  });
  const bySize = new Map(rows.map((row) => [row.size, row]));
  for (const leaf of leaves) {
    tree.add(leaf);
    const checkpoint = bySize.get(tree.size());
    if (checkpoint === undefined) continue;
    const { size, root, note } = checkpoint;
    const tell = (says: string) =>
      report({ what: 'checkpoint', epoch, index: size, says: `the checkpoint of ${size} leaves ${says}` });
    if (!root.equals(tree.root())) tell('has another root than these leaves');
    if (size <= signedFrom) continue;
    try {
      const said = openCheckpoint(note, origin, keys);
      if (said.size !== size || !root.equals(said.root)) tell('is not the one that was signed');
    } catch (error) {
      tell(`cannot be read: ${(error as Error).message}`);
    }
  }
}
