import { type Period, periodOf, quarterOf } from '@sightline/contract/core/periods.ts';

/** What an address says of a period and a checkpoint. */
export interface Which {
  period?: string | undefined;
  asOf?: string | undefined;
}

/** A checkpoint as an address names it; without its epoch, of the current one. */
export interface AsOf {
  epoch: number | undefined;
  size: number;
}

/** The period that an address names; without one, the quarter that runs. */
export function periodFrom(text: string | undefined): Period {
  const period = periodOf(text ?? quarterOf(new Date()));
  if (!period) throw new Error('An address was let in with a period that is none');
  return period;
}

export function asOfFrom(text: string): AsOf {
  const [size = '', epoch] = text.split('.').reverse();
  return { epoch: epoch === undefined ? undefined : Number(epoch), size: Number(size) };
}
