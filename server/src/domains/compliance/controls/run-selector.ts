import { parsePeriod as maybePeriod, type Period, quarterOf } from '@sightline/contract/core/periods.ts';

/** The period and checkpoint in a URL. */
export interface RunSelector {
  period?: string | undefined;
  asOf?: string | undefined;
}

/** Parses the period in a URL; by default the current quarter. */
export function parsePeriod(text: string | undefined): Period {
  const period = maybePeriod(text ?? quarterOf(new Date()));
  if (!period) throw new Error('The contract accepted an invalid period');
  return period;
}
