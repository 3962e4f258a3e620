import { toHex } from '../ledger/bytes.ts';
import { sha256 } from '../ledger/sha256.ts';
import { byCodeUnits } from './order.ts';

/** The seed of a sample. It cannot be chosen, since the root is known only after the population is in the ledger. */
export const sampleSeed = (drawn: {
  /** Root of the checkpoint, in base64. */
  root: string;
  control: string;
  period: { from: string; to: string };
}): string => `${drawn.root}/${drawn.control}/${drawn.period.from}/${drawn.period.to}`;

/**
 * Returns the rows of a sample in draw order: by the SHA-256 of the seed, a line break and the index of the row's
 * ledger entry, or its subject without an entry of its own. Returns all rows if there are fewer than `size`.
 */
export function drawSample<Row extends { readonly subject: string; readonly leaf: number | null }>(
  rows: readonly Row[],
  seed: string,
  size: number,
): readonly Row[] {
  const drawn = rows.map((row) => ({ row, place: drawKeyOf(row, seed) }));
  return drawn
    .toSorted((a, b) => byCodeUnits(a.place, b.place) || byCodeUnits(a.row.subject, b.row.subject))
    .slice(0, size)
    .map(({ row }) => row);
}

const drawKeyOf = ({ leaf, subject }: { subject: string; leaf: number | null }, seed: string): string =>
  toHex(sha256(`${seed}\n${leaf ?? subject}`));

/**
 * Returns the rows of a systematic sample in their order: one in each of `size` equal intervals, all at the same place of
 * their interval, which the first 48 bits of the SHA-256 of the seed determine. Returns all rows if there are fewer.
 */
export function drawSystematicSample<Row>(rows: readonly Row[], seed: string, size: number): readonly Row[] {
  if (rows.length <= size) return rows;
  const place = Number.parseInt(toHex(sha256(seed)).slice(0, 12), 16) / 2 ** 48;
  return Array.from({ length: size }, (_each, index) => Math.floor(((index + place) * rows.length) / size)).flatMap(
    (position) => rows[position] ?? [],
  );
}
