import { type Bytes, concat } from '../bytes.ts';
import { edgeOf, grow, keyOf, type ReadTile } from '../tiles.ts';
import { leafHash } from '../tree.ts';

/** An in-memory log that grows by tiles, like the tables of the server. */
export function logInMemory() {
  const tiles = new Map<string, Bytes>();
  let size = 0;
  const read: ReadTile = async (tile) => tiles.get(keyOf(tile));
  return {
    read,
    size: () => size,
    append(entries: readonly (Bytes | string)[]) {
      const edge = new Map(
        edgeOf(size).map((tile) => [keyOf(tile), concat(tiles.get(keyOf(tile)) ?? new Uint8Array())]),
      );
      for (const [key, { hashes }] of grow(size, edge, entries.map(leafHash))) tiles.set(key, hashes);
      size += entries.length;
    },
  };
}
