import type { ReportRow } from './report.ts';

/** What was measured when the ledger was designed: so many a second, or so many milliseconds. */
export type Figure = { perSecond: number } | { ms: number };

/** What is measured beside half of a figure: half as many a second, or twice as long. A machine of the same class must still reach it. */
export function besideHalf(name: string, measured: number, figure: Figure): ReportRow {
  if ('ms' in figure)
    return row(name, {
      measured: rounded(measured),
      unit: 'ms',
      half: `at most ${rounded(figure.ms * 2)}`,
      isMet: measured <= figure.ms * 2,
    });
  return row(name, {
    measured: Math.round(measured),
    unit: 'a second',
    half: `at least ${figure.perSecond / 2}`,
    isMet: measured >= figure.perSecond / 2,
  });
}

const row = (
  name: string,
  { measured, unit, half, isMet }: { measured: number; unit: string; half: string; isMet: boolean },
): ReportRow => ({
  name,
  measured,
  unit,
  half,
  met: isMet ? 'met' : 'not met',
});

/** Milliseconds that one piece of work took. */
export async function timed(work: () => Promise<unknown> | unknown): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

/** The value below which that part of them lies. */
export function quantile(values: readonly number[], part: number): number {
  const ordered = values.toSorted((one, other) => one - other);
  return ordered[Math.min(ordered.length - 1, Math.floor(ordered.length * part))] ?? 0;
}

export const rounded = (value: number): number => Math.round(value * 10) / 10;
