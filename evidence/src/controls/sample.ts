import { toHex } from '../ledger/bytes.ts';
import { sha256 } from '../ledger/sha256.ts';
import { byCodeUnits } from './order.ts';

/** What a sample is drawn by: nobody can choose it, since the root is known only once the population is in the ledger. */
export const sampleSeed = (drawn: {
  /** Root of the checkpoint, in base64. */
  root: string;
  control: string;
  period: { from: string; to: string };
}): string => `${drawn.root}/${drawn.control}/${drawn.period.from}/${drawn.period.to}`;

/**
 * The rows of a sample, in the order they are drawn: by the SHA-256 of the seed, a line break and the index of the row's entry
 * in the ledger, or its subject where it has no entry of its own. All rows where there are fewer than `size`.
 */
export function drawSample<Row extends { readonly subject: string; readonly leaf: number | null }>(
  rows: readonly Row[],
  seed: string,
  size: number,
): readonly Row[] {
  const drawn = rows.map((row) => ({ row, place: placeOf(row, seed) }));
  return drawn
    .toSorted((a, b) => byCodeUnits(a.place, b.place) || byCodeUnits(a.row.subject, b.row.subject))
    .slice(0, size)
    .map(({ row }) => row);
}

const placeOf = ({ leaf, subject }: { subject: string; leaf: number | null }, seed: string): string =>
  toHex(sha256(`${seed}\n${leaf ?? subject}`));
