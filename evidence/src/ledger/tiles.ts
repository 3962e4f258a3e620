import { type Bytes, concat } from './bytes.ts';
import { emptyRoot, hashSize, nodeHash, pairHash } from './tree.ts';

/** A tile of C2SP tlog-tiles: 256 hashes of one height of the tree, eight heights apart from the next level. */
export interface TileIndex {
  level: number;
  n: number;
}

export const tileWidth = 256;
const tileHeight = 8;

/** Reads what a tile holds so far: its hashes one after the other, or undefined where there is none. */
export type ReadTile = (place: TileIndex) => Promise<Bytes | undefined>;

/** The tiles at the right edge of a tree of that size: all that is needed to make it grow. */
export function edgeOf(size: number): TileIndex[] {
  const places: TileIndex[] = [];
  let count = size;
  for (let level = 0; count > 0; level += 1, count = Math.floor(count / tileWidth)) {
    if (count % tileWidth > 0) places.push({ level, n: Math.floor(count / tileWidth) });
  }
  return places;
}

/**
 * Adds leaf hashes to a tree of `size`, whose right edge `edge` holds (`edgeOf`). Answers every tile that is new or has grown;
 * the last of each level belongs to the new edge.
 */
export function grow(size: number, edge: ReadonlyMap<string, Bytes>, leaves: readonly Bytes[]): Map<string, Tile> {
  const grown = new Map<string, Tile>();
  let [level, count, hashes] = [0, size, leaves];
  while (hashes.length > 0) {
    const full: Bytes[] = [];
    for (let at = 0; at < hashes.length; ) {
      const place = { level, n: Math.floor(count / tileWidth) };
      const filled = count % tileWidth;
      const before = filled === 0 ? new Uint8Array() : edge.get(keyOf(place));
      if (before?.length !== filled * hashSize) throw new Error(`The tile ${keyOf(place)} is missing or invalid`);
      const taken = hashes.slice(at, at + tileWidth - filled);
      const tile = concat(before, ...taken);
      grown.set(keyOf(place), { ...place, hashes: tile });
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

export const keyOf = ({ level, n }: TileIndex): string => `${level}/${n}`;

/**
 * The hash of the whole subtree of 2^height leaves at `index` (its number among those of that height). Throws where the tiles
 * do not reach that far.
 */
export async function subtreeAt(read: ReadTile, height: number, index: number): Promise<Bytes> {
  const level = Math.floor(height / tileHeight);
  const width = 2 ** (height % tileHeight);
  const first = index * width;
  const place = { level, n: Math.floor(first / tileWidth) };
  const tile = await read(place);
  const from = ((first % tileWidth) / width) * hashSize;
  const hash = tile && rowsOf(tile)[height % tileHeight]?.subarray(from, from + hashSize);
  if (hash?.length !== hashSize) throw new Error(`The tile ${keyOf(place)} is too short`);
  return hash;
}

/** Every row of hashes over a tile, the tile itself first; each only as far as both halves of a hash are there. */
function rowsOf(tile: Bytes): readonly Bytes[] {
  const known = rowsByTile.get(tile);
  if (known) return known;
  const rows = [tile];
  for (let row = tile; rows.length < tileHeight; rows.push(row)) row = rowAbove(row);
  rowsByTile.set(tile, rows);
  return rows;
}

// Proofs of neighbours need the same hashes: whoever keeps a tile keeps them with it.
const rowsByTile = new WeakMap<Bytes, readonly Bytes[]>();

function rowAbove(row: Bytes): Bytes {
  const above = new Uint8Array(Math.floor(row.length / (2 * hashSize)) * hashSize);
  for (let at = 0; at < above.length; at += hashSize) {
    above.set(pairHash(row.subarray(2 * at, 2 * (at + hashSize))), at);
  }
  return above;
}

/** The root over a power of two of hashes that lie one after the other. */
export function subtreeRoot(hashes: Bytes): Bytes {
  let row = hashes;
  while (row.length > hashSize) row = rowAbove(row);
  return row.slice();
}

/** The root of the tree of the first `size` leaves. */
export const rootAt = (read: ReadTile, size: number): Promise<Bytes> =>
  size === 0 ? Promise.resolve(emptyRoot()) : hashOfRange(read, 0, size);

/** The hash of the leaves from `start` up to `end`, where that range is one that a tree of RFC 6962 has a node for. */
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

/** The path of a tile as C2SP writes it: `tile/0/x001/234`, and `.p/W` behind one that is not full. */
export function tilePath({ level, n }: TileIndex, width = tileWidth): string {
  return `tile/${level}/${numberPath(n)}${width === tileWidth ? '' : `.p/${width}`}`;
}

function numberPath(n: number): string {
  const last = String(n % 1000).padStart(3, '0');
  return n < 1000 ? last : `${numberPath(Math.floor(n / 1000)).replace(/(\d{3})$/, 'x$1')}/${last}`;
}
