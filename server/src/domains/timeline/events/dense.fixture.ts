import { density } from './store/dense-hours.ts';

/** Runs work while every hour with an event counts as dense, so that its lists are read in parts. */
export async function withDenseHours<Result>(work: () => Promise<Result>): Promise<Result> {
  const usual = { ...density };
  Object.assign(density, { hourlyEvents: 1, partEvents: 2, recentMs: 0, earlierMs: 0 });
  return work().finally(() => Object.assign(density, usual));
}
