import type { Completeness } from '@sightline/contract/compliance/controls.ts';

/** How many rows of a population were recorded, and whether a code host or scanner confirms that none is missing. */
export function completenessText({ isIndependent, expected, found }: Completeness): string {
  if (!isIndependent) return `${number.format(found)} recorded, not counted independently`;
  if (expected === null) return `${number.format(found)} recorded, total unknown`;
  return `${number.format(found)} of ${number.format(expected)} recorded`;
}

const number = new Intl.NumberFormat('en-GB');
