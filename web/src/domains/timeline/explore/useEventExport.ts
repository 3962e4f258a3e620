import { type EventFormat, exportEvents } from '@sightline/contract/timeline/explore.ts';
import { useExport } from '#lib/use-export.ts';
import { toast } from '#ui/toast.ts';
import type { TimelineQuery } from './exploreQuery.ts';

export const exportFormats: { format: EventFormat; label: string; description: string }[] = [
  { format: 'csv', label: 'CSV', description: 'for spreadsheets' },
  { format: 'json', label: 'JSON', description: 'one list' },
  { format: 'ndjson', label: 'JSON lines', description: 'one event a line' },
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
