import { type Bytes, concat } from '../bytes.ts';
import { edgeOf, grow, keyOf, type ReadTile } from '../tiles.ts';
import { leafHash } from '../tree.ts';

/** A log in memory that grows by tiles, as the server's does in its tables. */
export function logInMemory() {
  const tiles = new Map<string, Bytes>();
  let size = 0;
  const read: ReadTile = async (place) => tiles.get(keyOf(place));
  return {
    read,
    size: () => size,
    append(entries: readonly (Bytes | string)[]) {
      const edge = new Map(
        edgeOf(size).map((place) => [keyOf(place), concat(tiles.get(keyOf(place)) ?? new Uint8Array())]),
      );
      for (const [key, { hashes }] of grow(size, edge, entries.map(leafHash))) tiles.set(key, hashes);
      size += entries.length;
    },
  };
}
