import type { ReportRow } from './report.ts';

/** A figure measured when the ledger was designed: operations per second, or milliseconds. */
export type DesignFigure = { perSecond: number } | { ms: number };

/**
 * Compares a measurement with half of a figure: half as many per second, or twice as long. A similar machine must reach
 * it.
 */
export function compareWithHalf(name: string, measured: number, figure: DesignFigure): ReportRow {
  if ('ms' in figure)
    return row(name, {
      measured: roundToTenth(measured),
      unit: 'ms',
      half: `at most ${roundToTenth(figure.ms * 2)}`,
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

/** Returns the duration of `work` in milliseconds. */
export async function measureDurationMs(work: () => Promise<unknown> | unknown): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

/** Returns the value at this quantile. */
export function quantile(values: readonly number[], part: number): number {
  const ordered = values.toSorted((one, other) => one - other);
  return ordered[Math.min(ordered.length - 1, Math.floor(ordered.length * part))] ?? 0;
}

export const roundToTenth = (value: number): number => Math.round(value * 10) / 10;
