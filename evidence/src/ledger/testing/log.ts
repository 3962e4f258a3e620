import { type Bytes, concat } from '../bytes.ts';
import { appendLeaves, edgeOf, type ReadTile, tileKey } from '../tiles.ts';
import { leafHash } from '../tree.ts';

/** An in-memory log that grows by tiles, like the tables of the server. */
export function logInMemory() {
  const tiles = new Map<string, Bytes>();
  let size = 0;
  const read: ReadTile = async (tile) => tiles.get(tileKey(tile));
  return {
    read,
    size: () => size,
    append(entries: readonly (Bytes | string)[]) {
      const edge = new Map(
        edgeOf(size).map((tile) => [tileKey(tile), concat(tiles.get(tileKey(tile)) ?? new Uint8Array())]),
      );
      for (const [key, { hashes }] of appendLeaves(size, edge, entries.map(leafHash))) tiles.set(key, hashes);
      size += entries.length;
    },
  };
}
