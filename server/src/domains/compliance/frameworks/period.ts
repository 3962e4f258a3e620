import { type Period, parsePeriod, quarterOf } from '@sightline/contract/core/periods.ts';

/** Parses the period in a URL; by default the current quarter. */
export function periodOf(text: string | undefined): Period {
  const period = parsePeriod(text ?? quarterOf(new Date()));
  if (!period) throw new Error('The contract accepted an invalid period');
  return period;
}
