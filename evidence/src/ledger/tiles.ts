import { type Bytes, concat } from './bytes.ts';
import { emptyRoot, hashSize, nodeHash, pairHash } from './tree.ts';

/** A tile of C2SP tlog-tiles: 256 hashes of one tree level. Tile levels are eight tree levels apart. */
export interface TileIndex {
  level: number;
  n: number;
}

export const tileWidth = 256;
const tileHeight = 8;

/** Reads the existing hashes of a tile, concatenated; undefined without a tile. */
export type ReadTile = (tileIndex: TileIndex) => Promise<Bytes | undefined>;

/** The tiles at the right edge of a tree of that size, which are sufficient to append leaves. */
export function edgeOf(size: number): TileIndex[] {
  const edgeTiles: TileIndex[] = [];
  let count = size;
  for (let level = 0; count > 0; level += 1, count = Math.floor(count / tileWidth)) {
    if (count % tileWidth > 0) edgeTiles.push({ level, n: Math.floor(count / tileWidth) });
  }
  return edgeTiles;
}

/**
 * Appends leaf hashes to a tree of `size` with the right edge `edge` (`edgeOf`). Returns all new and extended tiles.
 * The last one of each level is the new edge.
 */
export function appendLeaves(
  size: number,
  edge: ReadonlyMap<string, Bytes>,
  leaves: readonly Bytes[],
): Map<string, Tile> {
  const grown = new Map<string, Tile>();
  let [level, count, hashes] = [0, size, leaves];
  while (hashes.length > 0) {
    const full: Bytes[] = [];
    for (let at = 0; at < hashes.length; ) {
      const tileIndex = { level, n: Math.floor(count / tileWidth) };
      const filled = count % tileWidth;
      const before = filled === 0 ? new Uint8Array() : edge.get(tileKey(tileIndex));
      if (before?.length !== filled * hashSize) throw new Error(`The tile ${tileKey(tileIndex)} is missing or invalid`);
      const taken = hashes.slice(at, at + tileWidth - filled);
      const tile = concat(before, ...taken);
      grown.set(tileKey(tileIndex), { ...tileIndex, hashes: tile });
      at += taken.length;
      count += taken.length;
      if (tile.length === tileWidth * hashSize) full.push(subtreeRoot(tile));
    }
    hashes = full;
    level += 1;
    count = Math.floor(size / tileWidth ** level);
  }
  return grown;
}

export interface Tile extends TileIndex {
  hashes: Bytes;
}

export const tileKey = ({ level, n }: TileIndex): string => `${level}/${n}`;

/**
 * The hash of the complete subtree of 2^height leaves at `index` (counted in subtrees of that height). Throws if the
 * tiles do not reach that far.
 */
export async function subtreeAt(read: ReadTile, height: number, index: number): Promise<Bytes> {
  const level = Math.floor(height / tileHeight);
  const width = 2 ** (height % tileHeight);
  const first = index * width;
  const tileIndex = { level, n: Math.floor(first / tileWidth) };
  const tile = await read(tileIndex);
  const from = ((first % tileWidth) / width) * hashSize;
  const hash = tile && rowsOf(tile)[height % tileHeight]?.subarray(from, from + hashSize);
  if (hash?.length !== hashSize) throw new Error(`The tile ${tileKey(tileIndex)} is too short`);
  return hash;
}

/** All rows of hashes over a tile, starting with the tile itself, as far as both children exist. */
function rowsOf(tile: Bytes): readonly Bytes[] {
  const known = rowsByTile.get(tile);
  if (known) return known;
  const rows = [tile];
  for (let row = tile; rows.length < tileHeight; rows.push(row)) row = rowAbove(row);
  rowsByTile.set(tile, rows);
  return rows;
}

// Proofs of adjacent entries share hashes, so they are cached with the tile.
const rowsByTile = new WeakMap<Bytes, readonly Bytes[]>();

function rowAbove(row: Bytes): Bytes {
  const above = new Uint8Array(Math.floor(row.length / (2 * hashSize)) * hashSize);
  for (let at = 0; at < above.length; at += hashSize) {
    above.set(pairHash(row.subarray(2 * at, 2 * (at + hashSize))), at);
  }
  return above;
}

/** The root over a power-of-two number of concatenated hashes. */
export function subtreeRoot(hashes: Bytes): Bytes {
  let row = hashes;
  while (row.length > hashSize) row = rowAbove(row);
  return row.slice();
}

/** The root of the tree of the first `size` leaves. */
export const rootAt = (read: ReadTile, size: number): Promise<Bytes> =>
  size === 0 ? Promise.resolve(emptyRoot()) : hashOfRange(read, 0, size);

/** The hash of the leaves from `start` to `end`, which must be a node of an RFC 6962 tree. */
export async function hashOfRange(read: ReadTile, start: number, end: number): Promise<Bytes> {
  const parts: Bytes[] = [];
  for (let at = start; at < end; ) {
    let height = 0;
    while (2 ** (height + 1) <= end - at && at % 2 ** (height + 1) === 0) height += 1;
    parts.push(await subtreeAt(read, height, at / 2 ** height));
    at += 2 ** height;
  }
  return parts.reduceRight((right, left) => nodeHash(left, right));
}

/** The path of a tile in C2SP: `tile/0/x001/234`, with the suffix `.p/W` for a partial tile. */
export function tilePath({ level, n }: TileIndex, width = tileWidth): string {
  return `tile/${level}/${numberPath(n)}${width === tileWidth ? '' : `.p/${width}`}`;
}

function numberPath(n: number): string {
  const last = String(n % 1000).padStart(3, '0');
  return n < 1000 ? last : `${numberPath(Math.floor(n / 1000)).replace(/(\d{3})$/, 'x$1')}/${last}`;
}
