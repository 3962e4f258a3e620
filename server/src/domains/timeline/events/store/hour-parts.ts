/**
 * Parts of an hour: its seconds as the first 3,600 leaves of a binary tree of 4,096, whose other nodes are twice, four
 * times … as long. A part has the number of its node from left to right, so that all parts within a part have adjacent
 * numbers, and a list that fits into no smaller part is found by the few numbers of the parts around it.
 */

/** The number of halvings from the whole hour to a second. */
const DEPTH = 12;

/** The number of the part that is the whole hour. */
export const WHOLE_HOUR = 1 << DEPTH;

/** Returns the number of the smallest part that contains two seconds of an hour. */
export function partOfSeconds(one: number, other: number): number {
  const halvings = 32 - Math.clz32(one ^ other);
  return ((one >> halvings) << (halvings + 1)) + (1 << halvings);
}

/** SQL of the same. */
export const partOfSecondsSql = (one: string, other: string) => {
  const halvings = `length(ltrim((${one} # ${other})::bit(${DEPTH})::text, '0'))`;
  return `(((${one} >> ${halvings}) << (${halvings} + 1)) + (1 << ${halvings}))`;
};

/** SQL of the second of the hour of a time. */
export const secondSql = (time: string) => `(floor(date_part('epoch', ${time}))::bigint % 3600)::int`;

/** SQL of the numbers of all parts that contain a second, as a set of rows. */
export const partsAroundSecondSql = (second: string) =>
  `select ((${second} >> halvings) << (halvings + 1)) + (1 << halvings) from generate_series(0, ${DEPTH}) as halvings`;

/** A part of an hour. */
export interface HourPart {
  /** The first second, a multiple of `size`. */
  start: number;
  /** Seconds: a power of two. */
  size: number;
}

/** The numbers of the parts that have seconds in common with a part: those within it are adjacent. */
export function overlappingParts({ start, size }: HourPart): { low: number; high: number; around: number[] } {
  const around: number[] = [];
  for (let larger = size * 2; larger <= WHOLE_HOUR; larger *= 2)
    around.push(Math.floor(start / larger) * larger * 2 + larger);
  return { low: start * 2 + 1, high: (start + size) * 2 - 1, around };
}
