import { boundedText, commaList } from '@sightline/contract/core/text.ts';
import { z } from 'zod';
import { useUrlQuery } from '#lib/url-query.ts';
import { statusOrder } from '#ui/verdicts.ts';

export type ShownStatus = (typeof statusOrder)[number];
const query = z.object({ status: commaList(z.enum(statusOrder)), framework: boundedText(100).optional() });

export interface ControlsFilter {
  /** Empty: all. */
  statuses: readonly ShownStatus[];
  /** Only controls with a mapping to this framework, by its name; undefined: all. */
  framework: string | undefined;
}

/** Returns the filter of controls in the address, and its setter. */
export function useControlsFilter(): readonly [ControlsFilter, (patch: Partial<ControlsFilter>) => void] {
  const [{ status, framework }, setQuery] = useUrlQuery(query);
  return [
    { statuses: status, framework },
    ({ statuses, ...patch }) => setQuery({ ...patch, ...(statuses && { status: [...statuses] }) }),
  ];
}
