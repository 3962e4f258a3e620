import { type EventFormat, exportEvents } from '@sightline/contract/timeline/explore.ts';
import { useExport } from '#lib/use-export.ts';
import { toast } from '#ui/toast.ts';
import type { TimelineQuery } from './exploreQuery.ts';

export const exportFormats: { format: EventFormat; label: string; says: string }[] = [
  { format: 'csv', label: 'CSV', says: 'for spreadsheets' },
  { format: 'json', label: 'JSON', says: 'one list' },
  { format: 'ndjson', label: 'JSON lines', says: 'one event a line' },
];

/** Exports every event that matches the query, including those not loaded. */
export function useEventExport() {
  const { start, ...rest } = useExport(exportEvents, () => toast.success('The events were exported.'));
  return {
    ...rest,
    start: (format: EventFormat, { context, query, offset }: TimelineQuery) =>
      start({ query: { ...(context !== undefined && { context }), query, offset, format } }),
  };
}
