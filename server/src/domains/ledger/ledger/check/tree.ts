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

/** The log of one epoch at the start of the check. Later entries are not checked. */
export interface EpochLog {
  epoch: number;
  origin: string;
  size: number;
  root: Buffer;
}

const leavesPerPage = 4096;

interface Leaf extends Record<string, unknown> {
  at: number;
  hash: Buffer;
  id: string;
  kind: string;
  entry: string;
}

/**
 * Recomputes the tree from the texts of the entries, with two pages in memory, and compares it with the tiles, the head
 * and all checkpoints. Verifies only signatures of checkpoints larger than `signedFrom`, since each takes a
 * millisecond.
 */
export async function checkTree(
  database: Database,
  orgId: string,
  { log, signedFrom, report }: { log: EpochLog; signedFrom: number; report: ReportProblem },
): Promise<void> {
  const { epoch } = log;
  const edge = new Map<string, Uint8Array>();
  const read: ReadTile = async (coordinates) => edge.get(tileKey(coordinates));
  const keys = await database.withOrg(orgId, (tx) => verifiersOf(tx, orgId, epoch));
  for await (const entries of pagesOf(database, orgId, log)) {
    const { from, to } = entries;
    const grown = appendLeaves(from, edge, leavesOf(orgId, epoch, entries, report));
    await database.withOrg(orgId, async (tx) => {
      await compareTiles(tx, orgId, { epoch, computed: [...grown.values()], report });
      for (const [key, { hashes }] of grown) edge.set(key, hashes);
      await compareCheckpoints(tx, orgId, { log, range: { from, to, read, keys, signedFrom }, report });
      // The tile above contains the hash of a full tile.
      for (const [key, hashes] of edge) if (hashes.length === tileWidth * hashSize) edge.delete(key);
    });
  }
  if (!log.root.equals(await rootAt(read, log.size))) {
    report({
      what: 'head',
      epoch,
      index: log.size,
      message: `the head does not match the root of its ${log.size} leaves`,
    });
  }
}

interface Page {
  from: number;
  to: number;
  rows: readonly Leaf[];
}

/** Reads the entries of a log in pages; reads the next page while the current one is checked. */
async function* pagesOf(database: Database, orgId: string, { epoch, size }: EpochLog): AsyncGenerator<Page> {
  const read = (from: number) => {
    const rows = database.withOrg(orgId, (tx) =>
      tx.query<Leaf>({
        name: 'ledger.check-leaves',
        text: `select leaf_index as at, leaf_hash as hash, entry_id as id, kind, entry_text(e) as entry from ledger_entry e
               where org_id = $1 and epoch = $2 and leaf_index >= $3 and leaf_index < $4 order by leaf_index`,
        values: [orgId, epoch, from, Math.min(from + leavesPerPage, size)],
      }),
    );
    // Awaiting the page throws the error. Prevents an unhandled rejection if the check of the current page fails.
    rows.catch(() => undefined);
    return rows;
  };
  let next = read(0);
  for (let from = 0; from < size; from += leavesPerPage) {
    const rows = await next;
    if (from + leavesPerPage < size) next = read(from + leavesPerPage);
    yield { from, to: Math.min(from + leavesPerPage, size), rows };
  }
}

/** The hashes of the entry texts; zeros for a missing entry. */
function leavesOf(orgId: string, epoch: number, { from, to, rows }: Page, report: ReportProblem): Buffer[] {
  const byIndex = new Map(rows.map((row) => [row.at, row]));
  const leaves: Buffer[] = [];
  for (let index = from; index < to; index += 1) {
    const row = byIndex.get(index);
    // A changed entry counts with its current text.
    const leaf = row === undefined ? Buffer.alloc(hashSize) : leafHash(row.entry);
    const problem = row === undefined ? 'is missing' : problemOf(row, leaf, orgId);
    if (problem !== undefined) report({ what: 'entry', epoch, index, message: `entry ${index} ${problem}` });
    leaves.push(leaf);
  }
  return leaves;
}

function problemOf({ hash, id, kind, entry }: Leaf, computed: Buffer, orgId: string): string | undefined {
  if (!computed.equals(hash)) return `(${id}) does not match its hash`;
  try {
    const fact = parseEntry(entry);
    if (fact.id !== id || fact.kind !== kind || fact.org !== orgId) return `(${id}) has a different ID or kind`;
  } catch (error) {
    return `(${id}) is invalid: ${(error as Error).message}`;
  }
  return undefined;
}

async function compareTiles(
  tx: Tx,
  orgId: string,
  { epoch, computed, report }: { epoch: number; computed: readonly Tile[]; report: ReportProblem },
): Promise<void> {
  const rows = await tx.query<{ level: number; n: number; hashes: Buffer }>({
    name: 'ledger.check-tiles',
    text: `select t.level, t.n, t.hashes from unnest($3::smallint[], $4::bigint[]) as p(level, n)
           join ledger_tile t on t.org_id = $1 and t.epoch = $2 and t.level = p.level and t.n = p.n`,
    values: [orgId, epoch, computed.map(({ level }) => level), computed.map(({ n }) => n)],
  });
  const stored = new Map(rows.map((row) => [tileKey(row), row.hashes]));
  for (const tile of computed) {
    const first = firstDifference(tile.hashes, stored.get(tileKey(tile)));
    if (first === undefined) continue;
    const index = (tile.n * tileWidth + first) * tileWidth ** tile.level;
    const message = stored.has(tileKey(tile)) ? 'does not match the entries' : 'is missing';
    report({ what: 'tile', epoch, index, message: `${tilePath(tile)} ${message}, from leaf ${index} on` });
  }
}

/** The index of the first different hash. The stored tile may have grown in the meantime. */
function firstDifference(computed: Uint8Array, stored: Buffer | undefined): number | undefined {
  if (stored === undefined) return 0;
  for (let at = 0; at < computed.length; at += hashSize) {
    if (!stored.subarray(at, at + hashSize).equals(computed.subarray(at, at + hashSize))) return at / hashSize;
  }
  return undefined;
}

interface CheckedRange {
  from: number;
  to: number;
  /** Reads the recomputed tiles. */
  read: ReadTile;
  keys: readonly Verifier[];
  signedFrom: number;
}

/** Compares the checkpoints with sizes in a range of the tree. */
async function compareCheckpoints(
  tx: Tx,
  orgId: string,
  {
    log: { epoch, origin },
    range: { from, to, read, keys, signedFrom },
    report,
  }: { log: EpochLog; range: CheckedRange; report: ReportProblem },
): Promise<void> {
  const rows = await tx.query<{ size: number; root: Buffer; note: string }>({
    name: 'ledger.check-checkpoints',
    text: `select size, root, note from ledger_checkpoint
           where org_id = $1 and epoch = $2 and size > $3 and size <= $4 order by size`,
    values: [orgId, epoch, from, to],
  });
  for (const { size, root, note } of rows) {
    const reportCheckpoint = (message: string) =>
      report({ what: 'checkpoint', epoch, index: size, message: `the checkpoint of ${size} leaves ${message}` });
    if (!root.equals(await rootAt(read, size))) reportCheckpoint('does not match the root of these leaves');
    if (size <= signedFrom) continue;
    try {
      const opened = openCheckpoint(note, origin, keys);
      if (opened.size !== size || !root.equals(opened.root)) reportCheckpoint('is not the signed one');
    } catch (error) {
      reportCheckpoint(`cannot be read: ${(error as Error).message}`);
    }
  }
}
