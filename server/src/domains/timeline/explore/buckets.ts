const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const sizes = [1, 5, 15, 30]
  .map((n) => n * minute)
  .concat(
    [1, 3, 6, 12].map((n) => n * hour),
    [day, 7 * day],
  );

/**
 * The shortest buckets of which `most` cover a time range, in milliseconds. Days, and weeks on Mondays, start in the
 * time zone of `offset`, in minutes.
 */
export function chooseBuckets(
  { from, to }: { from: number; to: number },
  offset: number,
  most: number,
): { start: number; size: number } {
  for (let factor = 1; ; factor *= 2) {
    for (const size of factor === 1 ? sizes : [7 * day * factor]) {
      const start = bucketStartOf(from, size, offset);
      if (to - start <= most * size) return { start, size };
    }
  }
}

function bucketStartOf(time: number, size: number, offset: number): number {
  // 1970 began on a Thursday.
  const shift = offset * minute - (size % (7 * day) === 0 ? 4 * day : 0);
  return Math.floor((time + shift) / size) * size - shift;
}
