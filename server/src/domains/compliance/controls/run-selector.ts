import { parsePeriod as maybePeriod, type Period, quarterOf } from '@sightline/contract/core/periods.ts';

/** The period and checkpoint in a URL. */
export interface RunSelector {
  period?: string | undefined;
  asOf?: string | undefined;
}

/** A checkpoint in a URL; without an epoch, it is in the current one. */
export interface CheckpointRef {
  epoch: number | undefined;
  size: number;
}

/** Parses the period in a URL; by default the current quarter. */
export function parsePeriod(text: string | undefined): Period {
  const period = maybePeriod(text ?? quarterOf(new Date()));
  if (!period) throw new Error('The contract accepted an invalid period');
  return period;
}

/** Parses a checkpoint in a URL: `size`, or `epoch.size`. */
export function parseCheckpointRef(text: string): CheckpointRef {
  const [size = '', epoch] = text.split('.').reverse();
  return { epoch: epoch === undefined ? undefined : Number(epoch), size: Number(size) };
}
